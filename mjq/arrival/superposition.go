package arrival

import (
	"fmt"
	"math"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
)

// Superposition is the arrivals of several independent processes together. Each
// must be [Markovian]: its phases are the combinations of theirs.
type Superposition []Process

// Validate wants processes that are valid and Markov, and few enough phases.
func (s Superposition) Validate() error {
	var f check.Faults
	f.That(len(s) > 0, "there is no process to superpose; give one")
	phases := 1.0
	for i, p := range s {
		if p == nil {
			f.Add("process %d is missing; give one", i+1)
			continue
		}
		if err := p.Validate(); err != nil {
			f.Add("process %d: %w", i+1, err)
			continue
		}
		m, ok := AsMarkov(p)
		f.That(ok, "process %d, %s, has no finite phases; give gaps of phase type, a MAP, or batches of one, and for a profile put the superposition into its Of", i+1, check.Shorten(p.String()))
		phases *= math.Max(1, float64(len(m.D0)))
	}
	f.That(phases <= MostStates, "together there are %v phases; at most %d can be kept, so give fewer", phases, MostStates)
	if len(f.List()) == 0 {
		m, _ := s.Markov()
		f.Join(m.Validate())
	}
	return f.Err(check.Shorten(s.String()))
}

// Rate is the sum of the rates.
func (s Superposition) Rate() (rate float64) {
	for _, p := range s {
		rate += p.Rate()
	}
	return rate
}

// AtRate multiplies all rates by one number.
func (s Superposition) AtRate(rate float64) Process {
	c := rate / s.Rate()
	scaled := make(Superposition, len(s))
	for i, p := range s {
		scaled[i] = p.AtRate(c * p.Rate())
	}
	return scaled
}

// Chain is that of Markov.
func (s Superposition) Chain() Chain {
	m, _ := s.Markov()
	return m.Chain()
}

// Markov is the process on the combinations of phases, those of the last process
// changing fastest. ok is false if a process has none.
func (s Superposition) Markov() (m Markov, ok bool) {
	for i, p := range s {
		next, ok := AsMarkov(p)
		switch {
		case !ok || i > 0 && len(m.D0)*len(next.D0) > MostStates:
			return Markov{}, false
		case i == 0:
			m = next
		default:
			m = m.beside(next)
		}
	}
	return m, len(s) > 0
}

// beside are the Kronecker sums of the matrices of two processes.
func (m Markov) beside(o Markov) Markov {
	n, k := len(m.D0), len(o.D0)
	first := func(rows [][]float64) [][]float64 { return spread(rows, n*k, k, 1) }
	second := func(rows [][]float64) [][]float64 { return spread(rows, n*k, 1, n) }
	both := Markov{D0: first(m.D0)}
	for i, row := range second(o.D0) {
		for j, rate := range row {
			both.D0[i][j] += rate
		}
	}
	for _, e := range m.Events {
		both.add(first(e.Rates), 1, e.Size, e.Class)
	}
	for _, e := range o.Events {
		both.add(second(e.Rates), 1, e.Size, e.Class)
	}
	return both
}

// spread is the matrix of the given size that changes the digit of weight step of
// the phase as rows say, and nothing else: a Kronecker product with identities.
func spread(rows [][]float64, size, step, above int) [][]float64 {
	m := table(size, size)
	for high := range above {
		for i, row := range rows {
			for j, rate := range row {
				for low := range step {
					m[(high*len(rows)+i)*step+low][(high*len(rows)+j)*step+low] = rate
				}
			}
		}
	}
	return m
}

// String returns the arrivals as a Go literal.
func (s Superposition) String() string {
	parts := make([]string, len(s))
	for i, p := range s {
		parts[i] = fmt.Sprint(p)
	}
	return "Superposition{" + strings.Join(parts, ", ") + "}"
}
