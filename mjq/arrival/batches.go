package arrival

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/mam"
)

// Batches brings, at every arrival of another process, a batch of jobs in its
// place; the sizes are independent. A job that Of marks passes its class on to all
// of its batch.
type Batches struct {
	Of    Process
	Sizes Sizes
}

// Sizes is the law of the size of a batch: Sizes[k-1] is the probability of k jobs.
type Sizes []float64

// FixedSize is the law of batches that are all of n jobs.
func FixedSize(n int) Sizes {
	s := make(Sizes, max(0, n))
	if n > 0 {
		s[n-1] = 1
	}
	return s
}

// GeometricSize is the geometric law on 1, 2, ... with the given mean, cut where
// less than 1e-16 is left; its size grows by 37 with each unit of the mean.
func GeometricSize(mean float64) Sizes {
	stop := 1 / mean
	if !(stop > 0 && stop <= 1) {
		return Sizes{math.NaN()}
	}
	var s Sizes
	for left := 1.0; left >= 1e-16 && len(s) <= MostStates; left *= 1 - stop {
		s = append(s, left*stop)
	}
	return s
}

// Mean is the mean size.
func (s Sizes) Mean() (mean float64) {
	for k, p := range s {
		mean += float64(k+1) * p
	}
	return mean
}

// trimmed leaves out the large sizes of probability 0.
func (s Sizes) trimmed() Sizes {
	for len(s) > 0 && s[len(s)-1] == 0 {
		s = s[:len(s)-1]
	}
	return s
}

// Validate wants a valid process, and probabilities that sum to 1 of sizes of
// which the states of the process leave room for.
func (b Batches) Validate() error {
	var f check.Faults
	f.That(len(b.Sizes) > 0, "there is no size; give the probabilities of 1, 2, ... jobs")
	sum := 0.0
	for k, p := range b.Sizes {
		f.That(p >= 0 && p <= 1, "the probability of %d jobs is %v; give one between 0 and 1", k+1, p)
		sum += p
	}
	f.That(math.Abs(sum-1) <= slack || math.IsNaN(sum), "the probabilities of the sizes sum to %v; make it 1", sum)
	if b.Of == nil {
		f.Add("there is no process of the batches; give one, for example Poisson(1)")
		return f.Err("Batches")
	}
	if err := b.Of.Validate(); err != nil {
		f.Join(err)
	} else if n := len(b.Of.Chain().Start) * len(b.Sizes.trimmed()); n > MostStates {
		f.Add("an arrival has %d states (%d of the process times the largest batch); at most %d can be kept, so give fewer", n, len(b.Of.Chain().Start), MostStates)
	}
	return f.Err(check.Shorten(b.String()))
}

// Rate is the rate of jobs: that of the batches times their mean size.
func (b Batches) Rate() float64 { return b.Of.Rate() * b.Sizes.Mean() }

// AtRate changes the rate of the batches.
func (b Batches) AtRate(rate float64) Process {
	return Batches{b.Of.AtRate(rate / b.Sizes.Mean()), b.Sizes}
}

// Chain has the states of the process, each once for every number of jobs that
// are still to come.
func (b Batches) Chain() Chain {
	of, sizes := b.Of.Chain(), b.Sizes.trimmed()
	long := len(sizes)
	if long == 1 {
		return of
	}
	n := len(of.Start) * long
	c := Chain{Move: table(n, n), Still: make([]bool, n), Gap: of.Gap, Clock: of.Clock}
	if of.Class != nil {
		c.Class = make([]string, n)
	}
	for i, row := range of.Move {
		for more := range long {
			from := i*long + more
			if c.Class != nil {
				c.Class[from] = of.Class[i]
			}
			if more > 0 {
				c.Still[from], c.Move[from][from-1] = true, 1
				continue
			}
			c.Still[from] = of.still(i)
			for k, p := range row {
				for size, q := range sizes {
					c.Move[from][k*long+size] = p * q
				}
			}
		}
	}
	if of.Phases != nil {
		c.Phases = of.Phases.batched(sizes)
	}
	c.Start, _ = mam.GTH(dense(c.Move))
	return c
}

// batched has every state once for every number of jobs still to come.
func (p *Phases) batched(sizes Sizes) *Phases {
	long := len(sizes)
	b := &Phases{D0: p.D0, Into: sizes.each(p.Into), Ends: sizes.each(p.Ends), After: make([]int, len(p.After)*long)}
	for i := range b.After {
		b.After[i] = p.After[i/long]
	}
	return b
}

// each is the matrix with every column once for every size, times its probability.
func (s Sizes) each(rows [][]float64) [][]float64 {
	wide := table(len(rows), len(rows[0])*len(s))
	for x, row := range rows {
		for k, y := range row {
			for size, p := range s {
				wide[x][k*len(s)+size] = y * p
			}
		}
	}
	return wide
}

// Markov replaces each event by one for every size; a batch of batches is a sum
// of independent sizes.
func (b Batches) Markov() (Markov, bool) {
	of, ok := AsMarkov(b.Of)
	if !ok {
		return Markov{}, false
	}
	m := Markov{D0: of.D0}
	for _, e := range of.Events {
		for size, p := range b.Sizes.times(e.Size) {
			if p > 0 {
				m.add(e.Rates, p, size+1, e.Class)
			}
		}
	}
	return m, true
}

// add adds p times the rates to the event of that size and class.
func (m *Markov) add(rates [][]float64, p float64, size int, class string) {
	i := slices.IndexFunc(m.Events, func(e Event) bool { return e.Size == size && e.Class == class })
	if i < 0 {
		i = len(m.Events)
		m.Events = append(m.Events, Event{table(len(rates), len(rates)), size, class})
	}
	for x, row := range rates {
		for y, rate := range row {
			m.Events[i].Rates[x][y] += p * rate
		}
	}
}

// times is the law of the sum of n independent sizes.
func (s Sizes) times(n int) Sizes {
	sum := s.trimmed()
	for range n - 1 {
		next := make(Sizes, len(sum)+len(s))
		for i, p := range sum {
			for j, q := range s {
				next[i+j+1] += p * q
			}
		}
		sum = next.trimmed()
	}
	return sum
}

// String returns the arrivals as a Go literal.
func (b Batches) String() string {
	sizes := make([]string, len(b.Sizes))
	for i, p := range b.Sizes {
		sizes[i] = fmt.Sprint(p)
	}
	return fmt.Sprintf("Batches{%v, Sizes{%s}}", b.Of, strings.Join(sizes, ", "))
}

// Together reports whether a process brings several jobs at once.
func Together(p Process) bool {
	switch x := p.(type) {
	case Batches:
		return len(x.Sizes.trimmed()) > 1 || Together(x.Of)
	case Superposition:
		return slices.ContainsFunc(x, Together)
	}
	return false
}
