package mjq

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestBrillGreen holds the closed form against tails from the law of the Markov
// chain, and rates and weights against those of another program.
func TestBrillGreen(t *testing.T) {
	q := Must(BrillGreen(1, 1, 4))
	for _, v := range references(t, "D1", "tail_P(W>x)") {
		want := numbers(v.Value)
		for i, x := range numbers(v.Parameters["x"]) {
			got := map[string]float64{"class1": q.Waiting1(x), "class2": q.Waiting2(x), "generic": q.Waiting(x)}[v.Parameters["who"].(string)]
			relative(t, fmt.Sprint(v.Parameters["who"], " at ", x), got, want[i], 1e-9)
		}
	}
	exact := references(t, "D1", "closed_form")[0].Value.(map[string]any)
	for name, have := range map[string][3]complex128{"rates": q.Rates, "class1_weights": q.Weights1, "class2_weights": q.Weights2} {
		for i, want := range numbers(exact[name]) {
			relative(t, name, real(have[i]), want, 1e-12)
			relative(t, name+", imaginary part", 1+imag(have[i]), 1, 1e-15)
		}
	}
	if _, err := BrillGreen(8, 8, 8); err == nil || !strings.Contains(err.Error(), "stability limit 9.14286") {
		t.Errorf("an unstable queue: %v", err)
	}
}

// TestMPareto1 holds (15) and its mixture against values of high precision.
func TestMPareto1(t *testing.T) {
	for _, v := range references(t, "D2", "MG1_ParetoII_tail") {
		p := v.Parameters
		rho, shape, scale, x := p["rho"].(float64), p["alpha"].(float64), p["beta"].(float64), p["x"].(float64)
		q := Must(MPareto1(ParetoStream{Rate: rho * (shape - 1) / scale, Shape: shape, Scale: scale}))
		relative(t, fmt.Sprintf("ρ = %v, x = %v", rho, x), q.Waiting(x), v.Value.(float64), 1e-11)
	}
	for _, v := range references(t, "D2", "MG1_mixture_tail_fig2") {
		p, shapes := v.Parameters, numbers(v.Parameters["alpha"])
		scale := p["beta"].(float64)
		q := Must(MPareto1(ParetoStream{Rate: p["lambda1"].(float64), Shape: shapes[0], Scale: scale}, ParetoStream{Rate: p["lambda2"].(float64), Shape: shapes[1], Scale: scale}))
		relative(t, fmt.Sprintf("mixture at %v", p["x"]), q.Waiting(p["x"].(float64)), v.Value.(float64), 1e-10)
	}
	// Shape 3 by (15) with Ei, checked by inversion of the transform.
	relative(t, "whole shape", Must(MPareto1(ParetoStream{Rate: 0.8, Shape: 3, Scale: 1})).Waiting(1), 0.166376691654, 1e-11)
	if _, err := MPareto1(ParetoStream{Rate: 3, Shape: 3, Scale: 1}); err == nil || !strings.Contains(err.Error(), "load is 1.5") {
		t.Errorf("an overloaded server: %v", err)
	}
}

// TestDominatedBrillGreen draws Figure 1 of Golovin's paper.
func TestDominatedBrillGreen(t *testing.T) {
	m := Must(Servers(2).Poisson(2).Class("one", 1, 0.5, ExpRate(4)).Class("two", 2, 0.5, ExpRate(4)).Build())
	r := Must(m.Sample().Dominated().N(100_000).Run(context.Background()))
	for _, v := range references(t, "D1", "tail_P(W>x)") {
		w := map[string]*Metric{"class1": &r.Classes[0].Waiting, "class2": &r.Classes[1].Waiting, "generic": &r.All.Waiting}[v.Parameters["who"].(string)]
		tail(t, v.Parameters["who"].(string), w, numbers(v.Parameters["x"]), numbers(v.Value))
	}
	q := Must(BrillGreen(1, 1, 4))
	within(t, "class 1", r.Classes[0].Waiting.Mean, q.MeanWaiting1(), 4.5)
	within(t, "class 2", r.Classes[1].Waiting.Mean, q.MeanWaiting2(), 4.5)
}

// TestDominatedPareto is M/G/1 with heavy tails, exact tails by (15): one class
// of the stream alone, then two classes whose laws differ.
func TestDominatedPareto(t *testing.T) {
	x := []float64{0, 0.1, 1, 10}
	one := Must(Servers(1).Poisson(2.25).Class("job", 1, 1, Lomax(3.5, 1)).Build())
	two := Must(Servers(1).Poisson(1.04).Class("a", 1, 0.8, Lomax(3.5, 1)).Class("b", 1, 0.2, Lomax(4.1, 1)).Build())
	for m, q := range map[*Model]*MPareto1Queue{
		one: Must(MPareto1(ParetoStream{Rate: 2.25, Shape: 3.5, Scale: 1})), two: Must(MPareto1(ParetoStream{Rate: 0.832, Shape: 3.5, Scale: 1}, ParetoStream{Rate: 0.208, Shape: 4.1, Scale: 1}))} {
		r := Must(m.Sample().Dominated().N(20_000).Run(context.Background()))
		var want []float64
		for _, v := range x {
			want = append(want, q.Waiting(v))
		}
		tail(t, "M/Pareto/1", &r.All.Waiting, x, want)
		within(t, "its mean", r.All.Waiting.Mean, q.MeanWaiting(), 4.5)
	}
}

// TestDominatedCertified compares with certified samples where both apply.
func TestDominatedCertified(t *testing.T) {
	classes := []Class{{Name: "a", Need: 1, Prob: 0.6, Service: ExpMean(0.5)}, {Name: "b", Need: 3, Prob: 0.4, Service: ExpMean(0.4)}}
	m := Must(Servers(4).Poisson(1.8).Classes(classes...).Build())
	exact := Must(m.Sample().Dominated().N(40_000).Run(context.Background()))
	other := Must(m.Sample().Certified(1e-6).N(10_000).Seed(2).Run(context.Background()))
	for i := range classes {
		a, b := exact.Classes[i].Waiting, other.Classes[i].Waiting
		for what, e := range map[string][2]Estimate{"mean": {a.Mean, b.Mean}, "variance": {a.Variance, b.Variance}, "CDF": {a.CDF(1), b.CDF(1)}} {
			if se := math.Hypot(e[0].HalfWidth, e[1].HalfWidth) / 1.96; math.Abs(e[0].Value-e[1].Value) > 4.5*se || se > 0.1*e[0].Value {
				t.Errorf("%s of %s: %v exact, %v certified", what, classes[i].Name, e[0], e[1])
			}
		}
	}
}
