package open

import (
	"context"
	"math"
	"math/cmplx"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// erlang is a service of some phases in a row, of mean 1.
func erlang(phases int) (alpha []float64, a [][]float64) {
	alpha = make([]float64, phases)
	alpha[0] = 1
	rate := float64(phases)
	for i := range phases {
		row := make([]float64, phases)
		row[i] = -rate
		if i+1 < phases {
			row[i+1] = rate
		}
		a = append(a, row)
	}
	return alpha, a
}

func single(alpha []float64, a [][]float64) states.System {
	return states.System{Servers: 1, Classes: []states.Class{{Need: 1, Prob: 1, Alpha: alpha, A: a}}}
}

// inverted prepares the inversion of a system, and counts the points that it evaluates.
func inverted(t *testing.T, sys states.System, lambda float64) (v *inversion, points *int) {
	t.Helper()
	s := solve(t, sys, lambda)
	w := NewWaits(context.Background(), s)
	v = &inversion{ctx: context.Background(), theta: lambda * (1/s.qbd.Caudal - 1), shortest: math.Inf(1)}
	if Onward(w.Index) {
		v.families = families()
	}
	for c, class := range sys.Classes {
		service := Service{Kind: c, Alpha: class.Alpha, A: class.A, Mean: s.Plan.Kinds[c].Mean}
		v.services = append(v.services, service)
		v.theta, v.shortest = min(v.theta, service.decay()), min(v.shortest, service.Mean)
	}
	count := &counted{w.Transform(), 0}
	v.transforms = []transform{count}
	return v, &count.points
}

type counted struct {
	transform
	points int
}

func (c *counted) at(s complex128) (survival, waiting []complex128) {
	c.points++
	return c.transform.at(s)
}

// TestContour: exponentials, and what decays as it swings, all over a span.
func TestContour(t *testing.T) {
	const start = 0.3
	for _, c := range []struct {
		shape *shape
		most  float64
	}{{&wide, 0.4}, {&upright, 1.1}} {
		s := c.shape.hyperbola(start)
		s.values = [][]complex128{make([]complex128, len(s.points))}
		for part := 0.0; part <= 1; part += 0.25 {
			for size := 1e-4; size < 1e5; size *= 1.7 {
				z := cmplx.Rect(size, part*c.most)
				for k, p := range s.points {
					s.values[0][k] = (1/(p+z) + 1/(p+cmplx.Conj(z))) / 2
				}
				for x := start; x <= c.shape.spread*start*1.0001; x *= math.Pow(c.shape.spread, 0.1) {
					if got, want := s.at(0, x), real(cmplx.Exp(-z*complex(x, 0))); math.Abs(got-want) > 1e-11 {
						t.Errorf("e^{-zx} for z = %v and x = %v is %v, want %v", z, x, got, want)
					}
				}
			}
		}
	}
}

// TestSpansAgainstEuler holds what the spans give against the other algorithm.
func TestSpansAgainstEuler(t *testing.T) {
	five := exponential(20, []int{1, 2, 5, 10, 15}, []float64{0.6, 0.2, 0.1, 0.05, 0.05}, []float64{1, 0.5, 0.3, 0.2, 0.1})
	stiff := exponential(6, []int{1, 2, 5}, []float64{0.6, 0.2, 0.2}, []float64{100, 1, 0.01})
	for name, c := range map[string]struct {
		sys    states.System
		lambda float64
		most   int
	}{
		"five":  {five, 0.9, 330},
		"stiff": {stiff, 0.02, 500},
		"E3":    {single(erlang(3)), 0.8, 330},
	} {
		v, points := inverted(t, c.sys, c.lambda)
		var args []float64
		for x := nearest * v.shortest; x < 20/v.theta; x *= 1.5 {
			args = append(args, x)
		}
		got := v.tilted(args)
		if *points > c.most {
			t.Errorf("%s: %d points", name, *points)
		}
		for l, want := range v.euler(args) {
			for i := range want {
				if math.Abs(got[l][i]-want[i]) > agreed {
					t.Errorf("%s: e^{θx} P(X > x) of law %d is %v for x = %v, want %v", name, l, got[l][i], args[i], want[i])
				}
			}
		}
	}
}

// TestSpansThatMiss: the singularities of a service of 100 phases in a row lie around
// the contours, and those of a cycle are not looked for. The Euler algorithm takes over.
func TestSpansThatMiss(t *testing.T) {
	for name, sys := range map[string]states.System{"E100": single(erlang(100)), "cycle": cyclic()} {
		v, _ := inverted(t, sys, 0.5)
		args := []float64{0.1, 0.4, 0.77, 1.2, 1.7}
		for l, want := range v.euler(args) {
			for i, got := range v.tilted(args)[l] {
				if got != want[i] {
					t.Errorf("%s: e^{θx} P(X > x) of law %d is %v for x = %v, want %v", name, l, got, args[i], want[i])
				}
			}
		}
	}
}

// TestFarSpanIsHeldWhereItBegins: that of a service of five phases in a row is right in its
// middle and not where it begins, with the span before and without.
func TestFarSpanIsHeldWhereItBegins(t *testing.T) {
	alpha, a := erlang(5)
	v, _ := inverted(t, states.System{Servers: 3, Classes: []states.Class{
		{Need: 1, Prob: 0.5, Alpha: alpha, A: a}, {Need: 2, Prob: 0.5, Alpha: []float64{1}, A: [][]float64{{-1}}}}}, 0.9)
	f := v.families[0]
	alone, before := v.span(f, 2), v.span(f, 1)
	if before == nil || alone != nil || v.span(f, 2) != nil {
		t.Errorf("the span before is held: %v; that after it: %v, and alone: %v", before != nil, f.spans[2] != nil, alone != nil)
	}
}

// TestCurvesOfTwoExponentials: M/H2/1 of rates far apart, whose wait is a mixture of two
// exponentials and 0.
func TestCurvesOfTwoExponentials(t *testing.T) {
	for _, fast := range []float64{200, 1e4, 1e6} {
		const p, slow, lambda = 0.9, 0.5, 2.0
		sys := single([]float64{p, 1 - p}, [][]float64{{-fast, 0}, {0, -slow}})
		rho := lambda * (p/fast + (1-p)/slow)
		b, c := fast+slow-lambda, fast*slow*(1-rho)
		far := c / ((b + math.Sqrt(b*b-4*c)) / 2)
		near := b - far
		weight := func(r, other float64) float64 { return (1 - rho) * (fast - r) * (slow - r) / ((other - r) * r) }
		s := solve(t, sys, lambda)
		services := []Service{{Alpha: sys.Classes[0].Alpha, A: sys.Classes[0].A, Mean: rho / lambda}}
		waiting, _, _ := NewWaits(context.Background(), s).Curves(context.Background(), services, 2)
		for x := 1e-4; x < 200; x *= 1.6 {
			want := weight(far, near)*math.Exp(-far*x) + weight(near, far)*math.Exp(-near*x)
			if got := beyond(waiting[0], x); math.Abs(got-want) > 5e-10*math.Exp(-far*x) {
				t.Errorf("fast %v: P(W > %v) = %.12g, want %.12g: %.2g", fast, x, got, want, got-want)
			}
		}
	}
}

// noise is a transform of which rounding has left nothing.
type noise struct{ points int }

func (n *noise) at(complex128) (survival, waiting []complex128) {
	n.points++
	x := math.Mod(float64(n.points)*math.Phi, 1)
	return []complex128{complex(x, 0)}, []complex128{complex(1-x, 0)}
}

// TestNoise: where transforms are noise the inversion ends with an error, after so many points.
func TestNoise(t *testing.T) {
	alpha, a := erlang(2)
	n := &noise{}
	waiting, _, err := invertAll(context.Background(), []Service{{Alpha: alpha, A: a, Mean: 1}}, []float64{0.5}, 0.3, true, 1, func() transform { return n })
	if waiting != nil || err == nil || n.points > mostSpent {
		t.Errorf("%v, %v after %d points", waiting, err, n.points)
	}
}
