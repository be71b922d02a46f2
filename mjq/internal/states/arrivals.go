package states

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/mam"
)

// Arrivals is a Markovian arrival process, classes by their places in a system: a chain
// changes phase at the rates of D0 without an arrival, and at those of the events with one.
type Arrivals struct {
	D0     [][]float64
	Events []Event
	// Drawn are the probabilities of the classes of jobs that the events leave open;
	// nil if those of all jobs.
	Drawn []float64
}

// Event is a kind of transition that brings jobs.
type Event struct {
	Rates [][]float64
	Size  int // jobs at once
	Class int // of them all; Open leaves each to the probabilities
}

// Open is the class of jobs whose class is drawn.
const Open = -1

// ClassRates are the rates of arrival of the classes. Drawn must be given.
func (a *Arrivals) ClassRates() []float64 {
	out, pi := make([]float64, len(a.Drawn)), a.Phases()
	for _, e := range a.Events {
		flow := 0.0
		for i, row := range e.Rates {
			flow += pi[i] * floats.Sum(row) * float64(e.Size)
		}
		for c, p := range a.Drawn {
			if e.Class == Open {
				out[c] += flow * p
			} else if e.Class == c {
				out[c] += flow
			}
		}
	}
	return out
}

// Phases is the stationary law of the phase; NaN without one.
func (a *Arrivals) Phases() []float64 {
	n := len(a.D0)
	q := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			rate := a.D0[i][j]
			for _, e := range a.Events {
				rate += e.Rates[i][j]
			}
			if i != j {
				q.Set(i, j, rate)
				q.Set(i, i, q.At(i, i)-rate)
			}
		}
	}
	pi, err := mam.GTH(q)
	if err != nil {
		pi = make([]float64, n)
		floats.AddConst(math.NaN(), pi)
	}
	return pi
}
