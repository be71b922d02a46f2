package arrival

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/mam"
)

// Chain is an arrival process seen at its arrivals: a stationary Markov chain on
// finitely many states, one an arrival, and gaps that depend on it (a Markov
// renewal process, see [mam.MarkovRenewal]). A stream draws from it with random
// access. The slices are shared and not to be written to.
type Chain struct {
	// Start is the stationary law of the state of an arrival.
	Start []float64
	// Move[i][k] is the probability that the next arrival is in state k if this
	// one is in i. All states communicate.
	Move [][]float64
	// Class is the class of an arrival in each state, "" where it is left to the
	// probabilities of the model; nil if it always is.
	Class []string
	// Still says in which states the next arrival comes at once, being of the same
	// batch; nil if there are no batches.
	Still []bool
	// Gap is the law of the other gaps, if it is the same in all states; else nil.
	Gap law.Law
	// Phases are what happens between arrivals, if Gap is nil.
	Phases *Phases
	// Clock is how fast time runs; nil if it runs evenly.
	Clock *Clock
}

// Phases is a Markov chain that runs from one arrival to the next.
type Phases struct {
	// D0 holds the rates of changing phase without an arrival, and on its diagonal
	// minus the rates of leaving.
	D0 [][]float64
	// Into[x][k] is the rate, in phase x, of an arrival in state k.
	Into [][]float64
	// Ends[x][k] is the probability, in phase x, that the next arrival is in state k.
	Ends [][]float64
	// After is the phase just after an arrival in each state.
	After []int
}

// Clock makes the rate of arrivals a function of time with a period: in the j-th
// of len(Rates) equal parts of it, Rates[j] times the rate of the chain.
type Clock struct {
	Period float64
	Rates  []float64
}

// plain reports whether an arrival is like every other.
func (c *Chain) plain() bool { return len(c.Start) == 1 && c.Class == nil && c.Clock == nil }

// still reports whether the gap after an arrival in state i is 0.
func (c *Chain) still(i int) bool { return c.Still != nil && c.Still[i] }

// renewal is the sequence of gaps, on the clock's own time.
func (c Chain) renewal() mam.MarkovRenewal {
	n := len(c.Start)
	r := mam.MarkovRenewal{Move: dense(c.Move), Mean: mat.NewDense(n, n, nil), Square: make([]float64, n)}
	var mean *mat.Dense
	var square []float64
	if c.Gap == nil {
		_, mean, square, _ = mam.Absorption(dense(c.Phases.D0), dense(c.Phases.Into))
	}
	for i := range n {
		switch {
		case c.still(i):
		case c.Gap == nil:
			r.Mean.SetRow(i, mean.RawRowView(c.Phases.After[i]))
			r.Square[i] = square[c.Phases.After[i]]
		default:
			m := c.Gap.Mean()
			for k, p := range c.Move[i] {
				r.Mean.Set(i, k, p*m)
			}
			r.Square[i] = c.Gap.Variance() + m*m
		}
	}
	return r
}

// laplace is the transform of the gap seen from an arrival.
func (c Chain) laplace(s float64) float64 {
	if c.Clock != nil {
		return math.NaN()
	}
	sum := 0.0
	kernel := c.kernel(s)
	for i, p := range c.Start {
		for k := range c.Start {
			sum += p * kernel.At(i, k)
		}
	}
	return sum
}

// kernel is the matrix of E[exp(-s X); next state is k | state is i], s >= 0.
func (c *Chain) kernel(s float64) *mat.Dense {
	t := dense(c.Move)
	var phases *mat.Dense
	if c.Gap == nil {
		phases = c.Phases.killed(s)
	}
	for i := range c.Start {
		switch {
		case c.still(i):
		case c.Gap == nil:
			t.SetRow(i, phases.RawRowView(c.Phases.After[i]))
		default:
			row, l := t.RawRowView(i), c.Gap.Laplace(s)
			for k := range row {
				row[k] *= l
			}
		}
	}
	return t
}

// killed are the transforms E[exp(-s X); the next arrival is in state k] of the
// time X to it from every phase: the probabilities that it comes before an
// exponential time of rate s ends, which only takes additions.
func (p *Phases) killed(s float64) *mat.Dense {
	n, states := len(p.D0), len(p.After)
	into := mat.NewDense(n, states+1, nil)
	for x, row := range p.Into {
		copy(into.RawRowView(x), row)
		into.Set(x, states, s)
	}
	ends, _, _, _ := mam.Absorption(dense(p.D0), into)
	return ends.Slice(0, n, 0, states).(*mat.Dense)
}
