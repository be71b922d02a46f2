package closed

import (
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/law"
)

func near(t *testing.T, what string, got, want, rel float64) {
	t.Helper()
	if !(math.Abs(got-want) <= rel*math.Abs(want)) {
		t.Errorf("%s: %.14g, want %.14g", what, got, want)
	}
}

// TestBrillGreenLimits compares the queue with those that it becomes when one
// class all but vanishes: M/M/2 for class 1 alone, M/M/1 for class 2 alone.
func TestBrillGreenLimits(t *testing.T) {
	const none = 1e-9
	for _, rho := range []float64{0.1, 0.5, 0.9} {
		q, err := NewBrillGreen(2*rho*3, none, 3)
		if err != nil {
			t.Fatal(err)
		}
		wait := 2 * rho * rho / (1 + rho) // Erlang C of two servers
		q1, err := NewBrillGreen(none, rho*3, 3)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []float64{0, 0.3, 2} {
			near(t, "M/M/2", 1+q.Waiting1(x), 1+wait*math.Exp(-6*(1-rho)*x), 1e-8)
			near(t, "M/M/1", 1+q1.Waiting2(x), 1+rho*math.Exp(-3*(1-rho)*x), 1e-8)
		}
		near(t, "mean M/M/2", q.MeanWaiting1(), wait/(6*(1-rho)), 1e-6)
	}
}

// TestBrillGreenMixes scales time, and looks at the tail over many mixes: it
// must fall from at most 1, class 2 above class 1, and follow its mean.
func TestBrillGreenMixes(t *testing.T) {
	for _, p2 := range []float64{0.01, 0.2, 0.5, 0.8, 0.99} {
		for _, load := range []float64{0.01, 0.3, 0.7, 0.99} {
			p1 := 1 - p2
			rate := load * 2 / (4*p2 - 2*p2*p2 + p1*p1)
			q, err := NewBrillGreen(p1*rate, p2*rate, 1)
			if err != nil {
				t.Fatal(err)
			}
			slow, _ := NewBrillGreen(p1*rate/5, p2*rate/5, 0.2)
			near(t, "in other units", slow.Waiting2(5), q.Waiting2(1), 1e-10)
			near(t, "free server", 1-q.Waiting1(0), q.Idle+q.Half, 1e-10)
			near(t, "both free", 1-q.Waiting2(0), q.Idle, 1e-10)
			last := 1.0
			for x := 0.0; x < 20; x += 0.5 {
				w1, w2 := q.Waiting1(x), q.Waiting2(x)
				if !(w1 > 0 && w1 <= w2*(1+1e-12) && w2 < last) {
					t.Errorf("λ1 = %v, λ2 = %v: tails %v and %v at %v after %v", p1*rate, p2*rate, w1, w2, x, last)
				}
				last = w2
			}
			if q.MeanWaiting1() > q.MeanWaiting2() {
				t.Errorf("class 1 waits longer")
			}
		}
	}
	if _, err := NewBrillGreen(4.6, 4.6, 8); err == nil || !strings.Contains(err.Error(), "9.14286") {
		t.Errorf("beyond the limit: %v", err)
	}
	if _, err := NewBrillGreen(-1, 0, math.NaN()); err == nil || strings.Count(err.Error(), "positive") != 3 {
		t.Errorf("three faults: %v", err)
	}
}

// transform is E exp(-sW) by Pollaczek and Khinchine.
func transform(streams []ParetoStream, s float64) float64 {
	rho, excess := 0.0, 0.0
	for _, p := range streams {
		l := law.Lomax{Shape: p.Shape, Scale: p.Scale}
		rho += p.Rate * l.Mean()
		excess += p.Rate * (1 - l.Laplace(s)) / s
	}
	return (1 - rho) / (1 - excess)
}

// TestParetoTransform integrates the tail against exp(-sx) and compares with the
// transform: whole, broken, nearly whole and half shapes, one stream and two,
// scales that differ, loads up to 0.999.
func TestParetoTransform(t *testing.T) {
	for _, streams := range [][]ParetoStream{
		{{0.8, 3, 1}}, {{0.4, 2, 2}}, {{1, 3.5, 1}}, {{1.2, 3 + 1e-6, 1}}, {{1.2, 4 - 2e-4, 1}}, {{0.2, 1.3, 1}},
		{{2.4975, 3.5, 1}}, {{0.8, 7.25, 4}}, {{0.832, 3.5, 1}, {0.208, 4.1, 1}}, {{0.5, 2.5, 0.1}, {0.3, 6, 10}},
	} {
		q, err := NewParetoServer(streams...)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "P(W > 0)", q.Waiting(0), q.Load, 1e-11+1e-13/(1-q.Load))
		for _, s := range []float64{0.3, 5} {
			// ∫ exp(-sx) P(W > x) dx = ∫ g(r)/(r+s) dr would reuse the density, so
			// integrate the tail: x = y/s with trapezoids in ln y.
			sum, h := 0.0, 1.0/16
			for u := -40.0; u < 4; u += h {
				y := math.Exp(u)
				if w := y * math.Exp(-y); w > 1e-14 {
					sum += h * w * q.Waiting(y/s)
				}
			}
			near(t, "transform", sum, 1-transform(streams, s), 1e-8)
		}
	}
}

func TestParetoFaults(t *testing.T) {
	for _, c := range []struct {
		streams []ParetoStream
		text    string
	}{{nil, "no stream"}, {[]ParetoStream{{-1, 1, 0}}, "rate is -1|shape is 1|scale is 0"}, {[]ParetoStream{{2, 2, 1}}, "load is 2"}} {
		_, err := NewParetoServer(c.streams...)
		for _, text := range strings.Split(c.text, "|") {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%v: %v does not mention %q", c.streams, err, text)
			}
		}
	}
	if q, _ := NewParetoServer(ParetoStream{0.1, 1.5, 1}); !math.IsInf(q.MeanWaiting(), 1) {
		t.Error("the mean wait without a second moment is finite")
	}
}
