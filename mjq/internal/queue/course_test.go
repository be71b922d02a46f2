package queue

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/states"
)

// birthDeath follows a queue of s servers by the classical Runge-Kutta method, and
// calls visit with the probabilities of n jobs after every step.
func birthDeath(p []float64, s int, mu float64, rate func(t float64) float64, step float64, steps int, visit func(t float64, p []float64)) {
	slope := func(p []float64, l float64) []float64 {
		d := make([]float64, len(p))
		for n := range p {
			out := mu * float64(min(n, s))
			if n+1 < len(p) {
				d[n] -= l * p[n]
				d[n+1] += l * p[n]
			}
			d[n] -= out * p[n]
			if n > 0 {
				d[n-1] += out * p[n]
			}
		}
		return d
	}
	along := func(p, d []float64, h float64) []float64 {
		q := make([]float64, len(p))
		for n := range p {
			q[n] = p[n] + h*d[n]
		}
		return q
	}
	for k := range steps {
		l := rate((float64(k) + 0.5) * step)
		a := slope(p, l)
		b := slope(along(p, a, step/2), l)
		c := slope(along(p, b, step/2), l)
		d := slope(along(p, c, step), l)
		for n := range p {
			p[n] += step / 6 * (a[n] + 2*b[n] + 2*c[n] + d[n])
		}
		visit(float64(k+1)*step, p)
	}
}

// TestSingleServerFromEmpty: M/M/1 from empty, against differential equations.
func TestSingleServerFromEmpty(t *testing.T) {
	const width, parts, steps = 0.5, 8, 500 // steps a part
	sys := System{Servers: 1, Classes: []Class{exponential(1, 1, 1)}}
	r, err := sys.From(context.Background(), Start{}, func(float64) (float64, float64) { return 1.3, math.Inf(1) }, width, parts, Bounds{States: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	p := make([]float64, 80)
	p[0] = 1
	jobs, empty := make([]float64, parts), make([]float64, parts)
	last, lastEmpty := 0.0, 1.0
	k := 0
	birthDeath(p, 1, 1, func(float64) float64 { return 1.3 }, width/steps, steps*parts, func(_ float64, p []float64) {
		mean := 0.0
		for n, q := range p {
			mean += float64(n) * q
		}
		at := k / steps
		jobs[at] += (mean + last) / 2 / steps // the trapezium rule
		empty[at] += (p[0] + lastEmpty) / 2 / steps
		last, lastEmpty = mean, p[0]
		k++
	})
	for k, part := range r.Parts {
		a := part.Classes[0]
		for _, c := range [][2]float64{{part.Jobs, jobs[k]}, {part.Idle, empty[k]}, {a.Delayed, 1 - empty[k]}, {a.Mean, jobs[k]}, {part.Queue, jobs[k] - 1 + empty[k]}} {
			if math.Abs(c[0]-c[1]) > 2e-6 {
				t.Errorf("part %d: %v, want %v", k, c[0], c[1])
			}
		}
		if part.Cleared != 1 {
			t.Errorf("part %d: cleared %v", k, part.Cleared)
		}
	}
	if !(r.Error <= 1e-9) {
		t.Errorf("error %v", r.Error)
	}
}

// TestDaysOfSeveralServers: M(t)/M/3 over a period, against differential equations
// followed for many periods.
func TestDaysOfSeveralServers(t *testing.T) {
	const servers, mu, parts, steps = 3, 1.0, 6, 400
	rates := []float64{0.5, 4, 2.2}
	rate := func(t float64) float64 { return rates[int(t/2)%3] }
	sys := System{Servers: servers, Classes: []Class{exponential(1, 0.4, 1), exponential(1, 0.6, 1)}}
	r, err := sys.Over(context.Background(), func(from float64) (float64, float64) {
		k := int(from/2 + 1e-9)
		return rates[k%3], float64(k+1) * 2
	}, 1, parts, Bounds{States: 50_000})
	if err != nil {
		t.Fatal(err)
	}
	p := make([]float64, 150)
	p[0] = 1
	jobs, waits := make([]float64, parts), make([]float64, parts)
	var last, lastWait float64
	const days = 40
	k := 0
	birthDeath(p, servers, mu, rate, 1.0/steps, days*parts*steps, func(_ float64, p []float64) {
		mean, wait := 0.0, 0.0
		for n, q := range p {
			mean += float64(n) * q
			wait += q * max(0, float64(n-servers+1)) / (servers * mu)
		}
		if at := k/steps - (days-1)*parts; at >= 0 {
			jobs[at] += (mean + last) / 2 / steps
			waits[at] += (wait + lastWait) / 2 / steps
		}
		last, lastWait = mean, wait
		k++
	})
	for k, part := range r.Parts {
		for _, c := range [][2]float64{{part.Jobs, jobs[k]}, {part.Classes[0].Mean, waits[k]}, {part.Classes[1].Mean, waits[k]}} {
			if math.Abs(c[0]-c[1]) > 1e-5 {
				t.Errorf("part %d: %v, want %v", k, c[0], c[1])
			}
		}
	}
}

// TestLineByHand: two servers, a job of two runs, two of one wait and one of two.
// Nobody else comes, so that all can be said by hand.
func TestLineByHand(t *testing.T) {
	sys := System{Servers: 2, Classes: []Class{exponential(1, 0.5, 1), exponential(2, 0.5, 2)}}
	r, err := sys.From(context.Background(), Start{Running: []Running{{1, []float64{1}}}, Line: []int{0, 0, 1}},
		func(float64) (float64, float64) { return 1e-300, math.Inf(1) }, 3, 2, Bounds{States: 1000})
	if err != nil {
		t.Fatal(err)
	}
	// The line is clear once the first job (rate 1/2) and then both small ones (2, 1) are gone.
	cleared := func(t float64) float64 {
		a, b, c := 0.5, 2.0, 1.0
		return 1 - b*c/((b-a)*(c-a))*math.Exp(-a*t) - a*c/((a-b)*(c-b))*math.Exp(-b*t) - a*b/((a-c)*(b-c))*math.Exp(-c*t)
	}
	for k, part := range r.Parts {
		if want := cleared(3 * float64(k+1)); math.Abs(part.Cleared-want) > 1e-12 {
			t.Errorf("cleared by %d: %v, want %v", 3*(k+1), part.Cleared, want)
		}
	}
	// A job that came now would wait for 2 and then both small ones 1.5 on average, and a
	// small one then for the last one of two servers.
	c, err := sys.follow(context.Background(), Start{Running: []Running{{1, []float64{1}}}, Line: []int{0, 0, 1}}, 4, 1000)
	if err != nil {
		t.Fatal(err)
	}
	all, err := c.delays(context.Background(), 1e6)
	if err != nil {
		t.Fatal(err)
	}
	w, at := all[0], 0
	mean, variance := 2+1.5+2.0, 4+0.25+1+4.0
	if math.Abs(w.mean[at]-mean) > 1e-12 || math.Abs(w.square[at]-variance-mean*mean) > 1e-11 {
		t.Errorf("wait %v, %v; want %v, %v", w.mean[at], w.square[at], mean, variance+mean*mean)
	}
}

// TestInstant: jobs whose services take no time leave the queue as it is.
func TestInstant(t *testing.T) {
	instant := Class{Class: states.Class{Need: 1, Prob: 0.75, Alpha: []float64{0}, A: [][]float64{{-1}}}}
	steady := func(rate float64) Rates { return func(float64) (float64, float64) { return rate, math.Inf(1) } }
	with, err := (&System{Servers: 2, Classes: []Class{exponential(1, 0.25, 1), instant}}).From(context.Background(), Start{}, steady(4), 1, 3, Bounds{States: 1000})
	if err != nil {
		t.Fatal(err)
	}
	without, err := (&System{Servers: 2, Classes: []Class{exponential(1, 1, 1)}}).From(context.Background(), Start{}, steady(1), 1, 3, Bounds{States: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for k, p := range with.Parts {
		if math.Abs(p.Idle-without.Parts[k].Idle) > 1e-7 {
			t.Errorf("part %d: %v servers idle, %v without jobs that take no time", k, p.Idle, without.Parts[k].Idle)
		}
	}
}

// TestCourseTooLarge: what does not fit is said, and the end of the context stops.
func TestCourseTooLarge(t *testing.T) {
	sys := System{Servers: 8, Classes: []Class{exponential(1, 0.5, 1), exponential(3, 0.5, 2)}}
	steady := func(float64) (float64, float64) { return 2, math.Inf(1) }
	var large *chain.TooLarge
	if _, err := sys.From(context.Background(), Start{}, steady, 1, 4, Bounds{States: 20}); !errors.As(err, &large) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := sys.From(ctx, Start{}, steady, 1, 4, Bounds{States: 1e6}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// cycling is an exponential law as two phases that lead to each other, and are left at the
// same rate: so many phases are passed on average.
func cycling(need int, prob, mean, passed float64) Class {
	exit, turn := 1/mean, passed/mean
	return Class{Class: states.Class{Need: need, Prob: prob, Alpha: []float64{1, 0}, A: [][]float64{{-exit - turn, turn}, {turn, -exit - turn}}}}
}

// TestCyclingThroughTime: the waits of a law whose phases are passed again and again are those of
// its other spelling.
func TestCyclingThroughTime(t *testing.T) {
	start := Start{Running: []Running{{0, []float64{1}}, {1, []float64{1}}}, Line: []int{0, 1, 0}}
	moments := func(classes ...Class) (out []float64) {
		sys := System{Servers: 3, Classes: classes}
		at := start
		if len(classes[0].Alpha) > 1 {
			at.Running = []Running{{0, []float64{0.5, 0.5}}, {1, []float64{1, 0}}}
		}
		c, err := sys.follow(context.Background(), at, 9, 1e6)
		if err != nil {
			t.Fatal(err)
		}
		waits, err := c.delays(context.Background(), 1e9)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range waits {
			mean, square := 0.0, 0.0
			for i, p := range c.begin {
				mean += p * w.mean[i]
				square += p * w.square[i]
			}
			out = append(out, mean, square)
		}
		return out
	}
	want := moments(exponential(1, 0.7, 1), exponential(2, 0.3, 2))
	for _, passed := range []float64{10, 1e3, 1e4, 1e5} {
		for i, got := range moments(cycling(1, 0.7, 1, passed), cycling(2, 0.3, 2, passed)) {
			if math.Abs(got/want[i]-1) > 1e-9 {
				t.Errorf("%v phases passed: moment %d is %v, want %v", passed, i, got, want[i])
			}
		}
	}
}

// TestManyStartThroughTime: a job that leaves servers to many of several classes has as many states
// follow as there are numbers of them, not orders.
func TestManyStartThroughTime(t *testing.T) {
	classes := []Class{exponential(1, 0.3, 1), exponential(1, 0.3, 2), exponential(40, 0.4, 3)}
	sys := System{Servers: 40, Classes: classes}
	c, err := sys.follow(context.Background(), Start{Running: []Running{{2, []float64{1}}}}, 60, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(c.States); n > 50_000 {
		t.Errorf("%d states", n)
	}
}

// TestForgetsSlowly: a queue that has not forgotten its start after all periods is an error,
// and one that forgets slowly is followed until it has.
func TestForgetsSlowly(t *testing.T) {
	sys := System{Servers: 1, Classes: []Class{exponential(1, 1, 1)}}
	steady := func(from float64) (float64, float64) { return 0.85, math.Floor(from + 1.5) }
	r, err := sys.Over(context.Background(), steady, 1, 1, Bounds{States: 10_000, Tolerance: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	if want := 0.85 / 0.15; math.Abs(r.Parts[0].Jobs/want-1) > 1e-9 {
		t.Errorf("%v jobs, want %v", r.Parts[0].Jobs, want)
	}
	c, err := sys.follow(context.Background(), Start{}, 40, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var slow *Slow
	if err := newFlow(c, true).repeat(context.Background(), steady, 1, 20); !errors.As(err, &slow) || slow.Left < 1e-3 {
		t.Errorf("after 20 periods: %v", err)
	}
}
