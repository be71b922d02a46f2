package open

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/mam"
)

func index(t testing.TB, sys states.System) *states.Index {
	t.Helper()
	x, err := states.NewIndex(sys.Compile())
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func large(t testing.TB, sys states.System, lambda float64) *Solution {
	t.Helper()
	s, err := SolveLarge(context.Background(), index(t, sys), sys.Servers, lambda, 1e9, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fiveClasses is the mix of workload.FiveClassExponential, with Erlang services if phases is
// more than 1.
func fiveClasses(servers, phases int) states.System {
	sys := states.System{Servers: servers}
	needs, means := []int{1, 2, 5, 10, 15}, []float64{0.5, 0.83, 1.25, 3.33, 10}
	for i, p := range []float64{0.5, 0.1, 0.2, 0.19, 0.01} {
		c := states.Class{Need: needs[i], Prob: p, Alpha: make([]float64, phases)}
		c.Alpha[0] = 1
		rate := float64(phases) / means[i]
		for k := range phases {
			row := make([]float64, phases)
			if row[k] = -rate; k+1 < phases {
				row[k+1] = rate
			}
			c.A = append(c.A, row)
		}
		sys.Classes = append(sys.Classes, c)
	}
	return sys
}

// randomSystem has up to four classes of exponential, Erlang and hyperexponential
// services, and one whose phases lead around.
func randomSystem(r *rand.Rand) states.System {
	sys := states.System{Servers: 2 + r.IntN(9)}
	sum := 0.0
	for range 1 + r.IntN(4) {
		c := states.Class{Need: 1 + r.IntN(sys.Servers), Prob: 0.1 + r.Float64()}
		m := math.Exp(3*r.Float64() - 1.5)
		switch r.IntN(5) {
		default:
			c.Alpha, c.A = []float64{1}, [][]float64{{-1 / m}}
		case 1:
			c.Alpha, c.A = []float64{1, 0}, [][]float64{{-2 / m, 2 / m}, {0, -2 / m}}
		case 2:
			p := 0.02 + 0.3*r.Float64()
			c.Alpha, c.A = []float64{p, 1 - p}, [][]float64{{-p / m, 0}, {0, -2 / m}}
		case 3:
			c.Alpha, c.A = []float64{0.5, 0.5}, [][]float64{{-1 / m, 0.5 / m}, {1 / m, -3 / m}}
		}
		sum += c.Prob
		sys.Classes = append(sys.Classes, c)
	}
	for i := range sys.Classes {
		sys.Classes[i].Prob /= sum
	}
	return sys
}

// TestLargeAgainstDense: on random models from light load to 0.999 the two solvers agree
// to within the bound of the one, in mean and second moments of waits, and idle servers.
func TestLargeAgainstDense(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 0; n < oracle.Sized(3, 10); {
		sys := randomSystem(r)
		x := index(t, sys)
		if x.States() > 60 {
			continue
		}
		n++
		little := solve(t, sys, 1e-3)
		for _, load := range []float64{0.1, 0.7, 0.9, 0.99, 0.999} {
			lambda := load / (1000 * little.qbd.Load)
			want, got := solve(t, sys, lambda), large(t, sys, lambda)
			if got.Error > 1e-7 {
				t.Errorf("model %d, load %v: the bound is %.2g", n, load, got.Error)
			}
			compareSolutions(t, got, want)
		}
	}
}

// compareSolutions: jobs to within the bound, the rest to ten times that.
func compareSolutions(t *testing.T, got, want *Solution) {
	t.Helper()
	close := func(what string, a, b, tolerance float64) {
		t.Helper()
		if !(math.Abs(a-b) <= tolerance*math.Abs(b)+1e-12) {
			t.Errorf("%d phases, λ = %.4g: %s %.14g, want %.14g to within %.2g", len(want.blocked), want.lambda, what, a, b, tolerance)
		}
	}
	m, n := got.Moments(), want.Moments()
	close("jobs", m.Jobs[0], n.Jobs[0], got.Error+1e-12)
	close("E[N(N-1)]", m.Jobs[1], n.Jobs[1], 10*got.Error+1e-12)
	close("waste", m.WastedHOL, n.WastedHOL, 10*got.Error+1e-12)
	kinds := want.Kinds()
	for i, k := range got.Kinds() {
		close("mean wait", k.Mean, kinds[i].Mean, 10*got.Error+1e-12)
		close("second moment", k.Second, kinds[i].Second, 20*got.Error+1e-12)
		close("P(W = 0)", k.Zero, kinds[i].Zero, 10*got.Error+1e-12)
	}
	for n, p := range want.Levels(60) {
		close("P(N = n)", got.Levels(60)[n], p, 100*got.Error+1e-12)
	}
}

// TestLargeFiveClasses: 292 phases by both, up to 0.99 of the limit.
func TestLargeFiveClasses(t *testing.T) {
	for _, lambda := range []float64{1.4, 0.5, 1.78}[:oracle.Sized(2, 3)] {
		compareSolutions(t, large(t, fiveClasses(20, 1), lambda), solve(t, fiveClasses(20, 1), lambda))
	}
}

// TestLargeUnstable: beyond the limit there is no law.
func TestLargeUnstable(t *testing.T) {
	var unstable *mam.Unstable
	for _, lambda := range []float64{1.85, 3} { // the limit is 1.80086
		if _, err := SolveLarge(context.Background(), index(t, fiveClasses(20, 1)), 20, lambda, 1e9, nil); !errors.As(err, &unstable) {
			t.Errorf("λ = %v: %v", lambda, err)
		}
	}
}

// TestLargeStops: it ends with its context, and where its memory does.
func TestLargeStops(t *testing.T) {
	x := index(t, fiveClasses(40, 1))
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := SolveLarge(ctx, x, 40, 3.5, 1e9, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	var big *chain.TooLarge
	if _, err := SolveLarge(context.Background(), index(t, fiveClasses(30, 1)), 30, 2.6, 5e6, nil); !errors.As(err, &big) || big.Bytes <= 5e6 {
		t.Errorf("5 MB: %v", err)
	}
}
