package open

import (
	"context"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

func largeWaits(t testing.TB, s *Solution) *LargeWaits {
	t.Helper()
	w, err := NewLargeWaits(context.Background(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestLargeTransforms: on random models up to 0.99 of the limit the transforms of the two
// solvers agree, right and left of 0, off the real axis and far out, and are the means at 0.
func TestLargeTransforms(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := 0; n < 6; {
		sys := randomSystem(r)
		if index(t, sys).States() > 60 {
			continue
		}
		n++
		limit := 1 / (1000 * solve(t, sys, 1e-3).qbd.Load)
		for _, load := range []float64{0.1, 0.7, 0.9, 0.99} {
			compareTransforms(t, large(t, sys, load*limit), solve(t, sys, load*limit))
		}
	}
	for _, lambda := range []float64{0.5, 1.4} {
		compareTransforms(t, large(t, fiveClasses(20, 1), lambda), solve(t, fiveClasses(20, 1), lambda))
	}
}

func compareTransforms(t *testing.T, got, want *Solution) {
	t.Helper()
	a, b := largeWaits(t, got).transform(), NewWaits(context.Background(), want).Transform()
	fall := want.lambda * (1/want.decay - 1)
	for _, s := range []complex128{complex(fall, 0), complex(-fall/2, 0), complex(-0.9*fall, 3*fall), complex(0.1, 1), complex(0, 10), complex(3, -100), complex(want.lambda, 0)} {
		survival, waiting := a.at(s)
		wantSurvival, wantWaiting := b.at(s)
		for c := range survival {
			d, e := cmplx.Abs(survival[c]-wantSurvival[c])*max(fall, cmplx.Abs(s)), cmplx.Abs(waiting[c]-wantWaiting[c])
			if !(d < 1e-7 && e < 1e-7) {
				t.Errorf("%d phases, λ = %.4g, s = %.3g, kind %d: off by %.2g and %.2g", len(want.blocked), want.lambda, s, c, d, e)
			}
		}
	}
	survival, _ := a.at(1e-14)
	for c, k := range got.Kinds() {
		if mean := real(survival[c]); math.Abs(mean-k.Mean) > (20*got.Error+1e-11)*k.Mean {
			t.Errorf("%d phases, λ = %.4g, kind %d: mean %.12g by transform, %.12g by Little's law", len(want.blocked), want.lambda, c, mean, k.Mean)
		}
	}
}

// servicesOf are those of the classes of a system.
func servicesOf(sys states.System, x *states.Index) (out []Service) {
	for i, c := range sys.Classes {
		out = append(out, Service{Kind: x.Of[i], Alpha: c.Alpha, A: c.A, Mean: x.Kinds[x.Of[i]].Mean})
	}
	return out
}

// TestLargeCurves: the distributions of both solvers agree, far out too.
func TestLargeCurves(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := 0; n < oracle.Sized(2, 4); {
		sys := randomSystem(r)
		if x := index(t, sys); x.States() > 60 || !Onward(x) {
			continue
		}
		n++
		limit := 1 / (1000 * solve(t, sys, 1e-3).qbd.Load)
		for _, load := range []float64{0.1, 0.99} {
			compareCurves(t, sys, load*limit)
		}
	}
	for _, lambda := range []float64{1.4, 1.78}[:oracle.Sized(1, 2)] {
		compareCurves(t, fiveClasses(20, 1), lambda)
	}
}

func compareCurves(t *testing.T, sys states.System, lambda float64) {
	t.Helper()
	ctx, services := context.Background(), servicesOf(sys, index(t, sys))
	waiting, response, _ := largeWaits(t, large(t, sys, lambda)).Curves(ctx, services, 2)
	wantWaiting, wantResponse, _ := NewWaits(ctx, solve(t, sys, lambda)).Curves(ctx, services, 2)
	for c := range services {
		for _, x := range []float64{0.01, 0.3, 1, 3, 10, 100, 1000} {
			if a, b := waiting[c].Survival(x), wantWaiting[c].Survival(x); !(math.Abs(a-b) <= 1e-9) {
				t.Errorf("λ = %.4g, class %d: P(W > %v) = %.12g, want %.12g", lambda, c, x, a, b)
			}
			if a, b := response[c].Survival(x), wantResponse[c].Survival(x); !(math.Abs(a-b) <= 1e-9) {
				t.Errorf("λ = %.4g, class %d: P(R > %v) = %.12g, want %.12g", lambda, c, x, a, b)
			}
		}
		if x := wantWaiting[c].Quantile(1 - 1e-6); math.Abs(waiting[c].Survival(x)/wantWaiting[c].Survival(x)-1) > 1e-8 {
			t.Errorf("λ = %.4g, class %d: P(W > %v) = %.12g", lambda, c, x, waiting[c].Survival(x))
		}
	}
}

// TestLargeCurvesErlang: with one class of one server each and exponential services
// P(W > x) = C e^{-(sμ-λ)x}, C being Erlang's.
func TestLargeCurvesErlang(t *testing.T) {
	for _, servers := range []int{1, 3, 12} {
		sys := states.System{Servers: servers, Classes: []states.Class{{Need: 1, Prob: 1, Alpha: []float64{1}, A: [][]float64{{-2}}}}}
		for _, load := range []float64{0.2, 0.9} {
			lambda := 2 * load * float64(servers)
			waiting, _, _ := largeWaits(t, large(t, sys, lambda)).Curves(context.Background(), servicesOf(sys, index(t, sys)), 1)
			blocked := 1.0 // Erlang's loss, by its recurrence
			for k := 1; k <= servers; k++ {
				a := lambda / 2 * blocked
				blocked = a / (float64(k) + a)
			}
			c := blocked / (1 - load*(1-blocked))
			for _, x := range []float64{0, 0.1, 1, 5} {
				if got, want := waiting[0].Survival(x), c*math.Exp(-2*float64(servers)*(1-load)*x); math.Abs(got-want) > 1e-10 {
					t.Errorf("%d servers at %v: P(W > %v) = %.13g, want %.13g", servers, load, x, got, want)
				}
			}
		}
	}
}

// TestLargeCurvesStop: they end with their context, and report before.
func TestLargeCurvesStop(t *testing.T) {
	sys := fiveClasses(20, 1)
	s := large(t, sys, 1.4)
	ctx, cancel := context.WithCancel(context.Background())
	var ended time.Time
	w, err := NewLargeWaits(ctx, s, func(done, total float64) {
		if done > 0.4*total && ended.IsZero() {
			ended = time.Now()
			cancel()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Curves(ctx, servicesOf(sys, index(t, sys)), 1)
	if late := time.Since(ended); ended.IsZero() || late > oracle.Soon {
		t.Errorf("ended %v late", late)
	}
}
