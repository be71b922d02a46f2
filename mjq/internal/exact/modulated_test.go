package exact

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/mam"
)

func closeTo(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*max(1, math.Abs(want))) {
		t.Errorf("%s: %.12g, want %.12g", what, got, want)
	}
}

// TestModulatedConstant: a chain that gives the same servers in all states is M/M/c.
func TestModulatedConstant(t *testing.T) {
	q := modulated{2.1, 1, []int{3, 3}, mat.NewDense(2, 2, []float64{-1, 1, 0.3, -0.3})}
	s, err := q.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	wait := mam.ErlangC(3, 2.1) / (3 - 2.1)
	closeTo(t, "jobs", s.Jobs, 2.1*(wait+1), 1e-12)
	closeTo(t, "running", s.Running, 2.1, 1e-12)
	closeTo(t, "decay", s.Decay, 0.7, 1e-12)
	closeTo(t, "empty", s.Levels[0], 1/(1+2.1+2.1*2.1/2+2.1*2.1*2.1/6/(1-0.7)), 1e-12)
}

// TestModulatedBreakdowns: a single server that breaks down and is mended (White and Christie,
// Operations Research 6, 1958) is M/G/1 in the times from start to end, breakdowns
// included; who finds it empty may first wait for it to be mended, an exceptional first
// service (Welch, Operations Research 12, 1964).
func TestModulatedBreakdowns(t *testing.T) {
	lambda, mu, fail, mend := 0.4, 1.0, 0.2, 0.5
	q := modulated{lambda, mu, []int{1, 0}, mat.NewDense(2, 2, []float64{-fail, fail, mend, -mend})}
	s, err := q.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	mean := (1 + fail/mend) / mu
	second := 2*mean*mean + 2*fail/(mu*mend*mend)
	// It works when the last job leaves; this is whether it is broken at the next arrival.
	broken := fail / (fail + mend) * (1 - lambda/(lambda+fail+mend))
	first := broken/mend + mean
	firstSecond := broken*2/(mend*mend) + 2*broken/mend*mean + second
	p0 := (1 - lambda*mean) / (1 - lambda*mean + lambda*first)
	d := 1 - lambda*(mean-first)
	sojourn := first/d + lambda*(firstSecond-second)/(2*d) + lambda*second/(2*(1-lambda*mean))
	closeTo(t, "jobs", s.Jobs, lambda*sojourn, 1e-10)
	closeTo(t, "running", s.Running, lambda/mu, 1e-12)
	closeTo(t, "empty", s.Levels[0], p0, 1e-10)
	q.Arrival = 0.75
	var unstable *mam.Unstable
	if _, err := q.Solve(context.Background()); !errors.As(err, &unstable) {
		t.Errorf("beyond the capacity: %v", err)
	}
}

// TestModulatedAgainstSimulation: three states and a simulation that shares no code.
func TestModulatedAgainstSimulation(t *testing.T) {
	g := mat.NewDense(3, 3, []float64{-0.5, 0.3, 0.2, 0.4, -0.4, 0, 0.1, 0.6, -0.7})
	q := modulated{1.1, 0.8, []int{0, 2, 5}, g}
	s, err := q.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var means []float64
	for rep := range uint64(16) {
		rng := rand.New(rand.NewPCG(7, rep))
		jobs, state, area, square, total := 0, 0, 0.0, 0.0, 0.0
		for range 400_000 {
			serve := q.Service * float64(min(jobs, q.Servers[state]))
			change := -g.At(state, state)
			all := q.Arrival + serve + change
			dt := rng.ExpFloat64() / all
			area, square, total = area+dt*float64(jobs), square+dt*float64(jobs*jobs), total+dt
			switch u := rng.Float64() * all; {
			case u < q.Arrival:
				jobs++
			case u < q.Arrival+serve:
				jobs--
			default:
				u -= q.Arrival + serve
				for next := range 3 {
					if next == state {
						continue
					}
					if u -= g.At(state, next); u < 0 {
						state = next
						break
					}
				}
			}
		}
		means = append(means, area/total)
	}
	mean, spread := 0.0, 0.0
	for _, x := range means {
		mean += x / 16
	}
	for _, x := range means {
		spread += (x - mean) * (x - mean)
	}
	if z := (mean - s.Jobs) / math.Sqrt(spread/15/16); !(math.Abs(z) < 4) {
		t.Errorf("simulated %v, exact %v, z = %.1f", mean, s.Jobs, z)
	}
}
