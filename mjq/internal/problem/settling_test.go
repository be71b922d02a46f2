package problem_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/problem"
)

// TestSettling: the time in which M/M/s with a room forgets its state, by the second eigenvalue of its
// chain, is about the one that runs from empty are held against, and below it in overload.
func TestSettling(t *testing.T) {
	for _, s := range []int{1, 5, 30} {
		for _, room := range []int{0, 1, 8, 60} {
			for _, load := range []float64{0.4, 0.8, 0.95, 1, 1.05, 1.3, 3} {
				rate := load * float64(s)
				m := mjq.Servers(s).Poisson(rate).Class("j", 1, 1, mjq.ExpMean(1)).Room(room)
				got, want := (&problem.Problem{Spec: m.Spec()}).Settling(math.NaN()), rate/gap(s, room, rate)
				if !(got > 0.9*want) || load < 1.2 && got > 5*want+2*rate {
					t.Errorf("%d servers, room %d, load %v: %.4g jobs, by the chain %.4g", s, room, load, got, want)
				}
			}
		}
	}
}

// gap is the rate at which the chain of jobs forgets its state.
func gap(s, room int, rate float64) float64 {
	n := s + room + 1
	chain := mat.NewSymDense(n, nil)
	for k := range n {
		served := float64(min(k, s))
		if k < n-1 {
			chain.SetSym(k, k, -served-rate)
			chain.SetSym(k, k+1, math.Sqrt(rate*float64(min(k+1, s))))
		} else {
			chain.SetSym(k, k, -served)
		}
	}
	var e mat.EigenSym
	e.Factorize(chain, false)
	return -e.Values(nil)[n-2]
}
