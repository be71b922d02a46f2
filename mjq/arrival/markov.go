package arrival

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/mam"
)

// Markov is a Markovian arrival process with marks and batches. A Markov chain changes phase at
// the rates of D0 without an arrival, and at those of its events with one. D0 and the events
// together are a generator.
type Markov struct {
	D0     [][]float64
	Events []Event

	fault error // of what a constructor was given that has other names for it
}

// Event is a kind of transition that brings jobs.
type Event struct {
	// Rates[i][j] is the rate of it, and of going to phase j, in phase i.
	Rates [][]float64
	// Size is how many jobs arrive at once.
	Size int
	// Class is the class of them all; "" leaves each to the probabilities of the
	// model.
	Class string
}

// MAP is the process whose jobs come one by one, at the rates of d1; d0 holds the
// rates of changing phase without an arrival. The matrices are copied.
func MAP(d0, d1 [][]float64) Markov { return BatchMAP(d0, d1) }

// MMPP is the Markov-modulated Poisson process: jobs arrive at rate rates[i] while
// a chain with the given generator is in phase i.
func MMPP(rates []float64, generator [][]float64) Markov {
	d0, d1 := clone(generator), table(len(rates), len(rates))
	for i, rate := range rates {
		d1[i][i] = rate
		if i < len(d0) && i < len(d0[i]) {
			d0[i][i] -= rate
		}
	}
	return Markov{D0: d0, Events: []Event{{d1, 1, ""}}, fault: modulatedFaults(rates, generator)}
}

// MarkedMAP is the process whose jobs are of class c at the rates of d[c].
func MarkedMAP(d0 [][]float64, d map[string][][]float64) Markov {
	m := Markov{D0: clone(d0)}
	for _, name := range slices.Sorted(maps.Keys(d)) {
		m.Events = append(m.Events, Event{clone(d[name]), 1, name})
	}
	return m
}

// BatchMAP is the process whose jobs come k at once at the rates of d[k-1].
func BatchMAP(d0 [][]float64, d ...[][]float64) Markov {
	m := Markov{D0: clone(d0)}
	for k, rates := range d {
		m.Events = append(m.Events, Event{clone(rates), k + 1, ""})
	}
	return m
}

func clone(rows [][]float64) [][]float64 {
	c := make([][]float64, len(rows))
	for i, row := range rows {
		c[i] = slices.Clone(row)
	}
	return c
}

// Rate is the sum of the sizes of the events, each times its rate.
func (m Markov) Rate() float64 { return m.counts().Rate() }

// counts is how jobs are counted while the phases change. The diagonal of the
// generator follows from the other rates, for the sum of all might be nothing but
// rounding.
func (m Markov) counts() mam.Counts {
	c := mam.Counts{Generator: mat.NewDense(len(m.D0), len(m.D0), nil), First: mat.NewDense(len(m.D0), len(m.D0), nil), Second: make([]float64, len(m.D0))}
	move := func(i, j int, rate float64) {
		if i != j {
			c.Generator.Set(i, j, c.Generator.At(i, j)+rate)
			c.Generator.Set(i, i, c.Generator.At(i, i)-rate)
		}
	}
	for i, row := range m.D0 {
		for j, rate := range row {
			move(i, j, rate)
		}
	}
	for _, e := range m.Events {
		for i, row := range e.Rates {
			for j, rate := range row {
				move(i, j, rate)
				c.First.Set(i, j, c.First.At(i, j)+float64(e.Size)*rate)
				c.Second[i] += float64(e.Size) * float64(e.Size) * rate
			}
		}
	}
	return c
}

// AtRate multiplies all rates.
func (m Markov) AtRate(rate float64) Process {
	c := rate / m.Rate()
	times := func(rows [][]float64) [][]float64 {
		rows = clone(rows)
		for _, row := range rows {
			for j := range row {
				row[j] *= c
			}
		}
		return rows
	}
	scaled := Markov{D0: times(m.D0)}
	for _, e := range m.Events {
		scaled.Events = append(scaled.Events, Event{times(e.Rates), e.Size, e.Class})
	}
	return scaled
}

// Markov is the process itself.
func (m Markov) Markov() (Markov, bool) { return m, true }

// Phases is the stationary law of the phase in time; Chain has it at arrivals.
func (m Markov) Phases() []float64 {
	pi, err := mam.GTH(m.counts().Generator)
	if err != nil {
		pi = make([]float64, len(m.D0))
		for i := range pi {
			pi[i] = math.NaN()
		}
	}
	return pi
}

// Reverse is the process seen backward in time; see [mam.MAP.Reverse]. It draws
// other times than the process from the same words, but has its laws.
func (m Markov) Reverse() Markov {
	pi := m.Phases()
	back := func(rows [][]float64) [][]float64 {
		r := table(len(pi), len(pi))
		for i := range r {
			for j := range r {
				r[i][j] = rows[j][i] * pi[j] / pi[i]
			}
		}
		return r
	}
	r := Markov{D0: back(m.D0)}
	for _, e := range m.Events {
		r.Events = append(r.Events, Event{back(e.Rates), e.Size, e.Class})
	}
	return r
}

// reached leaves out the phases that none of the given ones lead to.
func (m Markov) reached(from []float64) Markov {
	seen := make([]bool, len(from))
	var open, kept []int
	for i, p := range from {
		if p > 0 {
			seen[i], open = true, append(open, i)
		}
	}
	for len(open) > 0 {
		i := open[0]
		open, kept = open[1:], append(kept, i)
		for j := range seen {
			if !seen[j] && m.leads(i, j) {
				seen[j], open = true, append(open, j)
			}
		}
	}
	slices.Sort(kept)
	part := func(rows [][]float64) [][]float64 {
		p := table(len(kept), len(kept))
		for a, i := range kept {
			for b, j := range kept {
				p[a][b] = rows[i][j]
			}
		}
		return p
	}
	r := Markov{D0: part(m.D0)}
	for _, e := range m.Events {
		r.Events = append(r.Events, Event{part(e.Rates), e.Size, e.Class})
	}
	return r
}

// leads reports whether phase i goes to j at once.
func (m Markov) leads(i, j int) bool {
	ok := i != j && m.D0[i][j] > 0
	for _, e := range m.Events {
		ok = ok || e.Rates[i][j] > 0
	}
	return ok
}

// named is what the rates of an event are called: D1, D2 by size, D["a"] by class.
func (e Event) named() string {
	switch {
	case e.Class == "":
		return fmt.Sprintf("D%d", e.Size)
	case e.Size == 1:
		return fmt.Sprintf("D[%q]", e.Class)
	}
	return fmt.Sprintf("D%d[%q]", e.Size, e.Class)
}

// form tells which constructor has made it: "MAP", "BatchMAP", "MarkedMAP" or "".
func (m Markov) form() string {
	if len(m.Events) == 0 {
		return ""
	}
	marked, batch := true, true
	for k, e := range m.Events {
		batch = batch && e.Class == "" && e.Size == k+1
		marked = marked && e.Size == 1 && (k == 0 || cmp.Less(m.Events[k-1].Class, e.Class))
	}
	switch {
	case batch && len(m.Events) == 1:
		return "MAP"
	case batch:
		return "BatchMAP"
	case marked:
		return "MarkedMAP"
	}
	return ""
}

// String is the call of the constructor, or the literal of the type.
func (m Markov) String() string {
	var s strings.Builder
	form := m.form()
	switch form {
	case "MAP", "BatchMAP":
		fmt.Fprintf(&s, "%s(%s", form, matrix(m.D0))
		for _, e := range m.Events {
			s.WriteString(", " + matrix(e.Rates))
		}
		s.WriteString(")")
	case "MarkedMAP":
		fmt.Fprintf(&s, "MarkedMAP(%s, map[string][][]float64{", matrix(m.D0))
		for k, e := range m.Events {
			fmt.Fprintf(&s, "%s%q: %s", comma(k), e.Class, strings.TrimPrefix(matrix(e.Rates), "[][]float64"))
		}
		s.WriteString("})")
	default:
		fmt.Fprintf(&s, "Markov{%s, []Event{", matrix(m.D0))
		for k, e := range m.Events {
			fmt.Fprintf(&s, "%s{%s, %d, %q}", comma(k), matrix(e.Rates), e.Size, e.Class)
		}
		s.WriteString("}}")
	}
	return s.String()
}

func comma(k int) string {
	if k == 0 {
		return ""
	}
	return ", "
}

// matrix writes rows as a Go expression, numbers in the shortest form that reads
// back as the same.
func matrix(rows [][]float64) string {
	var s strings.Builder
	s.WriteString("[][]float64{")
	for i, row := range rows {
		s.WriteString(comma(i) + "{")
		for j, x := range row {
			fmt.Fprintf(&s, "%s%v", comma(j), x)
		}
		s.WriteString("}")
	}
	s.WriteString("}")
	return s.String()
}
