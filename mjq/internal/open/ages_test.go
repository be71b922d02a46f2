package open

import (
	"context"
	"math"
	"math/cmplx"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/mam"
)

func aged(t testing.TB, sys states.System, a states.Arrivals) *Ages {
	t.Helper()
	x, err := states.NewIndex(sys.Compile())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range sys.Classes {
		a.Drawn = append(a.Drawn, c.Prob)
	}
	s, err := SolveAges(context.Background(), x, sys.Servers, a, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	if size := SizeOfAges(x, a); len(s.up.list)+len(s.down.list) > size.Phases || s.Residual > 1e-11 {
		t.Errorf("%d phases where %v are the most; residual %.2g", len(s.up.list)+len(s.down.list), size, s.Residual)
	}
	return s
}

func counts(t *testing.T, sys states.System, a states.Arrivals) *Counts {
	t.Helper()
	x, err := states.NewIndex(sys.Compile())
	if err != nil {
		t.Fatal(err)
	}
	s, err := SolveCounts(context.Background(), x, sys.Servers, a, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var (
	onoff = states.Arrivals{D0: [][]float64{{-0.5, 0.2}, {0.3, -1.5}}, Events: []states.Event{{Rates: [][]float64{{0.3, 0}, {0, 1.2}}, Size: 1, Class: states.Open}}}
	// bursts has batches, marked and not.
	bursts = states.Arrivals{D0: [][]float64{{-0.4, 0.2}, {0.1, -0.5}}, Events: []states.Event{
		{Rates: [][]float64{{0.1, 0}, {0, 0.1}}, Size: 3, Class: states.Open}, {Rates: [][]float64{{0.05, 0.02}, {0.1, 0}}, Size: 2, Class: 1}, {Rates: [][]float64{{0, 0.03}, {0.1, 0.1}}, Size: 1, Class: 2}}}
)

// TestAgesOfPoisson: Poisson arrivals, also as those of two phases that do not
// matter, have the waits that the number of jobs gives, to 1e-12.
func TestAgesOfPoisson(t *testing.T) {
	s := solve(t, mixed(), 0.8)
	plain := states.Arrivals{D0: [][]float64{{-0.8}}, Events: []states.Event{{Rates: [][]float64{{0.8}}, Size: 1, Class: states.Open}}}
	two := states.Arrivals{D0: [][]float64{{-1.1, 0.3}, {0.5, -1.3}}, Events: []states.Event{{Rates: [][]float64{{0.2, 0.6}, {0.8, 0}}, Size: 1, Class: states.Open}}}
	marked := states.Arrivals{D0: [][]float64{{-0.8}}, Events: []states.Event{{Rates: [][]float64{{0.4}}, Size: 1, Class: 0}, {Rates: [][]float64{{0.24}}, Size: 1, Class: 1}, {Rates: [][]float64{{0.16}}, Size: 1, Class: 2}}}
	for what, a := range map[string]states.Arrivals{"plain": plain, "two phases": two, "marked": marked} {
		g := aged(t, mixed(), a)
		classes, err := g.Classes()
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range s.Kinds() {
			c := classes[i]
			for _, pair := range [][2]float64{{c.Mean, k.Mean}, {c.Second, k.Second}, {c.Zero, k.Zero}} {
				if math.Abs(pair[0]-pair[1]) > 1e-12*(1+pair[1]) {
					t.Errorf("%s, class %d: %.15g by ages, %.15g by jobs", what, i, pair[0], pair[1])
				}
			}
		}
		o, m := g.Idleness(), s.Moments()
		for _, pair := range [][2]float64{{o.Idle, m.Idle}, {o.WastedHOL, m.WastedHOL}, {o.Empty, m.Empty}} {
			if math.Abs(pair[0]-pair[1]) > 1e-12 {
				t.Errorf("%s: %v and %v of the servers", what, o, m)
			}
		}
	}
}

// TestAgesOfOneServer: MAP/PH/1 by package mam.
func TestAgesOfOneServer(t *testing.T) {
	alpha, a := []float64{0.3, 0.7}, [][]float64{{-4, 3}, {0.8, -2}}
	g := aged(t, states.System{Servers: 1, Classes: []states.Class{{Need: 1, Prob: 1, Alpha: alpha, A: a}}}, onoff)
	q := mam.Queue{Arrivals: mam.MMPP2(0.3, 1.2, 0.2, 0.3), Service: mam.PH{Alpha: alpha, A: mat.NewDense(2, 2, []float64{-4, 3, 0.8, -2})}}
	want, err := q.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	c, err := g.Classes()
	if err != nil || math.Abs(c[0].Mean/want.MeanWaiting-1) > 1e-12 {
		t.Errorf("mean wait %.15g, want %.15g; %v", c[0].Mean, want.MeanWaiting, err)
	}
}

// TestTransformsOfAges: as TestTransforms, for batches of classes.
func TestTransformsOfAges(t *testing.T) {
	g := aged(t, mixed(), bursts)
	classes, err := g.Classes()
	if err != nil {
		t.Fatal(err)
	}
	r := newResolvent(g.fluid.K, g.enter)
	tr := &ageTransform{g, r, r.scratch(), make([]complex128, 3), make([]complex128, 3)}
	for _, s := range []complex128{1, 0.01, complex(0.3, 4), complex(2, -60)} {
		survival, waiting := tr.at(s)
		for c := range waiting {
			if sum := waiting[c] + s*survival[c]; cmplx.Abs(sum-1) > 1e-11 {
				t.Errorf("s = %v, class %d: %v, want 1", s, c, sum)
			}
		}
	}
	survival, _ := tr.at(1e-14)
	for c, w := range classes {
		if got := real(survival[c]); math.Abs(got-w.Mean) > 1e-9*w.Mean {
			t.Errorf("class %d: mean %.12g by transform, %.12g by moments", c, got, w.Mean)
		}
	}
}

// TestCountsOfBatches: Little's law holds between jobs in line, which the levels
// count, and the ages at which jobs start; and jobs in the system with it.
func TestCountsOfBatches(t *testing.T) {
	open := states.Arrivals{D0: bursts.D0}
	for _, e := range bursts.Events {
		open.Events = append(open.Events, states.Event{Rates: e.Rates, Size: e.Size, Class: states.Open})
	}
	for _, a := range []states.Arrivals{onoff, open} {
		c, g := counts(t, mixed(), a), aged(t, mixed(), a)
		classes, err := g.Classes()
		if err != nil {
			t.Fatal(err)
		}
		wait := 0.0
		for _, w := range classes {
			wait += w.Rate * w.Mean
		}
		jobs, queue := c.Factorials()
		if math.Abs(queue[0]/wait-1) > 1e-11 {
			t.Errorf("%.14g jobs in line, %.14g by Little's law", queue[0], wait)
		}
		var sum, mean, second float64
		for n, p := range c.Levels(4000) {
			sum += p
			mean += float64(n) * p
			second += float64(n) * float64(n-1) * p
		}
		if math.Abs(sum-1) > 1e-11 || math.Abs(mean/jobs[0]-1) > 1e-9 || math.Abs(second/jobs[1]-1) > 1e-7 {
			t.Errorf("the levels have mass %v, mean %v and second moment %v; want 1, %v", sum, mean, second, jobs)
		}
		if o := g.Idleness(); math.Abs(c.Levels(1)[0]/o.Nobody-1) > 1e-11 {
			t.Errorf("nobody with probability %v and %v", c.Levels(1)[0], o.Nobody)
		}
	}
}

// TestCountsOfPoisson: the levels of Poisson arrivals, from Solve.
func TestCountsOfPoisson(t *testing.T) {
	s := solve(t, mixed(), 0.8)
	c := counts(t, mixed(), states.Arrivals{D0: [][]float64{{-0.8}}, Events: []states.Event{{Rates: [][]float64{{0.8}}, Size: 1, Class: states.Open}}})
	jobs, queue := c.Factorials()
	for k, want := range s.Moments().Jobs {
		if math.Abs(jobs[k]/want-1) > 1e-11 || math.Abs(queue[k]/s.Moments().Queue[k]-1) > 1e-11 {
			t.Errorf("moment %d: %.14g, want %.14g", k+1, jobs[k], want)
		}
	}
	for n, want := range s.Levels(50) {
		if got := c.Levels(50)[n]; math.Abs(got/want-1) > 1e-11 {
			t.Errorf("P(N = %d) = %.14g, want %.14g", n, got, want)
		}
	}
}
