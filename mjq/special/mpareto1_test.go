package special

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
)

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
		q := MPareto1(streams)
		oracle.Relative(t, "P(W > 0)", q.Waiting(0), q.Load(), 1e-11+1e-13/(1-q.Load()))
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
			oracle.Relative(t, "transform", sum, 1-transform(streams, s), 1e-8)
		}
	}
}

func TestParetoFaults(t *testing.T) {
	for _, c := range []struct {
		streams []ParetoStream
		text    string
	}{{nil, "no stream"}, {[]ParetoStream{{-1, 1, 0}}, "rate is -1|shape is 1|scale is 0"}, {[]ParetoStream{{2, 2, 1}}, "load is 2"}} {
		err := MPareto1(c.streams).Err()
		for _, text := range strings.Split(c.text, "|") {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%v: %v does not mention %q", c.streams, err, text)
			}
		}
	}
	if q := (MPareto1{{0.1, 1.5, 1}}); !math.IsInf(q.MeanWaiting(), 1) {
		t.Error("the mean wait without a second moment is finite")
	}
}

// TestMPareto1Reference holds (15) and its mixture against values of high precision.
func TestMPareto1Reference(t *testing.T) {
	for _, v := range oracle.Values(t, "D2", "MG1_ParetoII_tail") {
		p := v.Parameters
		rho, shape, scale, x := p["rho"].(float64), p["alpha"].(float64), p["beta"].(float64), p["x"].(float64)
		q := MPareto1{{Rate: rho * (shape - 1) / scale, Shape: shape, Scale: scale}}
		oracle.Relative(t, fmt.Sprintf("ρ = %v, x = %v", rho, x), q.Waiting(x), v.Value.(float64), 1e-11)
	}
	for _, v := range oracle.Values(t, "D2", "MG1_mixture_tail_fig2") {
		p, shapes := v.Parameters, numbers(v.Parameters["alpha"])
		scale := p["beta"].(float64)
		q := MPareto1{{Rate: p["lambda1"].(float64), Shape: shapes[0], Scale: scale}, {Rate: p["lambda2"].(float64), Shape: shapes[1], Scale: scale}}
		oracle.Relative(t, fmt.Sprintf("mixture at %v", p["x"]), q.Waiting(p["x"].(float64)), v.Value.(float64), 1e-10)
	}
	// Shape 3 by (15) with Ei, checked by inversion of the transform.
	oracle.Relative(t, "whole shape", MPareto1{{Rate: 0.8, Shape: 3, Scale: 1}}.Waiting(1), 0.166376691654, 1e-11)
	if err := (MPareto1{{Rate: 3, Shape: 3, Scale: 1}}).Err(); err == nil || !strings.Contains(err.Error(), "load is 1.5") {
		t.Errorf("an overloaded server: %v", err)
	}
}

// TestParetoFaultsAreNumbers: no number comes out of wrong streams.
func TestParetoFaultsAreNumbers(t *testing.T) {
	q := MPareto1{{3, 3, 1}}
	for i, v := range []float64{q.Load(), q.Waiting(1), q.Waiting(-1), q.MeanWaiting()} {
		if !math.IsNaN(v) {
			t.Errorf("number %d is %v", i, v)
		}
	}
}
