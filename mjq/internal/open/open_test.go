package open

import (
	"context"
	"errors"
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/mam"
)

// mixed has an exponential, an Erlang and a cyclic phase-type class.
func mixed() states.System {
	return states.System{Servers: 5, Classes: []states.Class{
		{Need: 1, Prob: 0.5, Alpha: []float64{1}, A: [][]float64{{-1}}},
		{Need: 2, Prob: 0.3, Alpha: []float64{1, 0}, A: [][]float64{{-2, 2}, {0, -2}}},
		{Need: 4, Prob: 0.2, Alpha: []float64{0.4, 0.6}, A: [][]float64{{-3, 1}, {0.5, -1}}},
	}}
}

func solve(t *testing.T, sys states.System, lambda float64) *Solution {
	t.Helper()
	x, err := states.NewIndex(sys.Compile())
	if err != nil {
		t.Fatal(err)
	}
	s, err := Solve(context.Background(), x, sys.Servers, lambda, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRates: from every state of every level the rates add up to those of the
// phases and of the arrivals.
func TestRates(t *testing.T) {
	s := solve(t, mixed(), 0.8)
	for n, l := range slices.Concat(s.boundary, []*level{s.far}) {
		for i, node := range l.nodes {
			out, in := 0.0, 0.0
			for _, e := range slices.Concat(l.down.row(i), l.local.row(i)) {
				out += e.rate
			}
			for _, e := range l.up.row(i) {
				in += e.rate
			}
			if math.Abs(out-s.rate(node)) > 1e-12 || math.Abs(in-0.8) > 1e-12 {
				t.Fatalf("level %d, node %v: %v by service, want %v; %v by arrival", n, s.of(node), out, s.rate(node), in)
			}
		}
	}
	if s.Residual > 1e-13 {
		t.Errorf("residual %.2g", s.Residual)
	}
}

// TestTransforms: E e^{-sW} + s ∫ e^{-st} P(W > t) dt = 1, the two being summed
// from different states, and the mean is the integral at s = 0.
func TestTransforms(t *testing.T) {
	s := solve(t, mixed(), 0.8)
	w := NewWaits(context.Background(), s)
	tr := w.Transform()
	for _, at := range []complex128{1, 0.01, complex(0.3, 4), complex(2, -60)} {
		tr.At(at)
		for c := range tr.Waiting {
			if sum := tr.Waiting[c] + at*tr.Survival[c]; cmplx.Abs(sum-1) > 1e-12 {
				t.Errorf("s = %v, kind %d: %v, want 1", at, c, sum)
			}
		}
	}
	tr.At(1e-14)
	for c, k := range s.Kinds() {
		if got := real(tr.Survival[c]); math.Abs(got-k.Mean) > 1e-10*k.Mean {
			t.Errorf("kind %d: mean %.12g by transform, %.12g by Little's law", c, got, k.Mean)
		}
	}
}

func TestUnstable(t *testing.T) {
	x, _ := states.NewIndex(mixed().Compile())
	var unstable *mam.Unstable
	if _, err := Solve(context.Background(), x, 5, 3, nil); !errors.As(err, &unstable) {
		t.Errorf("beyond the limit: %v", err)
	}
}

// TestFarLevels: those that are taken as geometric are what R makes of the last one
// before, one by one.
func TestFarLevels(t *testing.T) {
	for _, lambda := range []float64{0.1, 0.8} {
		s := solve(t, mixed(), lambda)
		got := s.Levels(700)
		x := s.pi[s.most]
		for n := s.most + 1; n < len(got); n++ {
			next := make([]float64, len(x))
			s.rTimes(x, next)
			if want := floats.Sum(next); want > 1e-290 && math.Abs(got[n]-want) > 1e-11*want {
				t.Fatalf("λ = %v: P(N = %d) = %.15g, want %.15g", lambda, n, got[n], want)
			}
			x = next
		}
	}
}
