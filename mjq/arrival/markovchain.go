package arrival

import (
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/mam"
)

// state is the state of an arrival: the phase after it, its class, and how many
// jobs of its batch are still to come.
type state struct {
	phase int
	class string
	more  int
}

// states lists the states that arrivals enter, batch after batch.
func (m Markov) states() map[state]int {
	at := map[state]int{}
	for _, e := range m.Events {
		for k := range m.D0 {
			if !enters(e.Rates, k) {
				continue
			}
			for more := e.Size - 1; more >= 0 && len(at) <= MostStates; more-- {
				if _, is := at[state{k, e.Class, more}]; !is {
					at[state{k, e.Class, more}] = len(at)
				}
			}
		}
	}
	return at
}

// enters reports whether an event may lead to phase k.
func enters(rates [][]float64, k int) bool {
	for _, row := range rates {
		if row[k] > 0 {
			return true
		}
	}
	return false
}

// Chain has a state for every phase that an arrival may lead to, for every class,
// and for every place in a batch.
func (m Markov) Chain() Chain {
	at := m.states()
	n := len(at)
	c := Chain{Move: table(n, n)}
	p := &Phases{D0: clone(m.D0), Into: table(len(m.D0), n), After: make([]int, n)}
	for _, e := range m.Events {
		if e.Class != "" && c.Class == nil {
			c.Class = make([]string, n)
		}
		for x, row := range e.Rates {
			for k, rate := range row {
				if rate > 0 {
					p.Into[x][at[state{k, e.Class, e.Size - 1}]] += rate
				}
			}
		}
	}
	p.close()
	for s, i := range at {
		p.After[i] = s.phase
		if c.Class != nil {
			c.Class[i] = s.class
		}
		if s.more == 0 {
			copy(c.Move[i], p.Ends[s.phase])
			continue
		}
		if c.Still == nil {
			c.Still = make([]bool, n)
		}
		c.Still[i] = true
		c.Move[i][at[state{s.phase, s.class, s.more - 1}]] = 1
	}
	c.Start, _ = mam.GTH(dense(c.Move))
	if len(p.D0) == 1 {
		c.Gap = law.ExpRate(-p.D0[0][0])
	} else {
		c.Phases = p
	}
	return c
}

// close makes the rates of leaving the sum of the others, which they may miss by
// rounding, and finds where the phases end.
func (p *Phases) close() {
	for x, row := range p.D0 {
		out := 0.0
		for y, rate := range row {
			if y != x {
				out += rate
			}
		}
		for _, rate := range p.Into[x] {
			out += rate
		}
		row[x] = -out
	}
	ends, _, _, _ := mam.Absorption(dense(p.D0), dense(p.Into))
	p.Ends = rowsOf(ends)
}
