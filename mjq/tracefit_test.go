package mjq

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/trace"
	"gonum.org/v1/gonum/mat"
)

// rawMoments are E[X], E[X²], E[X³] of a phase-type law by solving with its
// generator, or of Deterministic(x).
func rawMoments(t *testing.T, l Law) [3]float64 {
	t.Helper()
	if d, ok := l.(law.Deterministic); ok {
		return [3]float64{d.X, d.X * d.X, d.X * d.X * d.X}
	}
	alpha, rows, ok := law.Phases(l)
	if !ok {
		t.Fatalf("%v has no phases", l)
	}
	a := mat.NewDense(len(rows), len(rows), nil)
	for i, row := range rows {
		a.SetRow(i, row)
	}
	p := mam.PH{Alpha: alpha, A: a}
	return [3]float64{p.Moment(1), p.Moment(2), p.Moment(3)}
}

// Laws whose moments the books have: a fit to them has these moments, and where
// the family is one of fewest phases it is the law itself.
func TestFitThreeMomentsKnown(t *testing.T) {
	for _, c := range []struct {
		what       string
		m1, m2, m3 float64
		want       string // begins the fit; "" for any
	}{
		{"exponential of mean 3", 3, 18, 162, "ExpMean(3)"},
		{"Erlang-4 of mean 2", 2, 5, 15, "ErlangMeanPhases(2, 4)"},
		{"Erlang-50 of mean 1", 1, 51. / 50, 51. * 52 / 2500, "ErlangMeanPhases(1, 50)"},
		{"hyperexponential, 0.9 of mean 1 and 0.1 of 10", 1.9, 2 * 10.9, 6 * 100.9, "Cox2("},
		{"Cox, 2 then 5 with probability 0.3", 3.5, 8 + 0.3*2*(2*5+25), 48 + 0.3*(3*8*5+3*2*50+750), "Cox2("},
		{"uniform on [0, 2]", 1, 4. / 3, 2, "PhaseType("},
		{"lognormal of mean 1 and SCV 2", 1, 3, 27, "Cox2("},
		{"always 7", 7, 49, 343, "Deterministic(7)"},
	} {
		l, err := trace.FitThreeMoments(c.m1, c.m2, c.m3)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if err := l.Validate(); err != nil || !strings.HasPrefix(l.String(), c.want) {
			t.Errorf("%s: %v, want %s; %v", c.what, l, c.want, err)
		}
		for k, got := range rawMoments(t, l) {
			if want := []float64{c.m1, c.m2, c.m3}[k]; !(math.Abs(got/want-1) < 1e-9) {
				t.Errorf("%s: moment %d of %v is %v, want %v", c.what, k+1, l, got, want)
			}
		}
	}
}

// A hyperexponential law has three parameters and so has the Cox law of its
// three moments: they are one law (here both survivals, by their own formulas).
func TestFitThreeMomentsIsHyperExp(t *testing.T) {
	h := HyperExpMeans(1, 10, 0.9)
	l := Must(trace.FitThreeMoments(1.9, 21.8, 605.4))
	for _, x := range []float64{0.1, 1, 5, 20, 100} {
		if a, b := l.Survival(x), h.Survival(x); math.Abs(a/b-1) > 1e-7 {
			t.Errorf("P(X > %v) = %v, want %v", x, a, b)
		}
	}
}

func TestFitThreeMomentsFaults(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		m1, m2, m3 float64
		says       string
	}{
		{0, 1, 1, "give positive"}, {-1, 1, 1, "give positive"}, {nan, 1, 1, "give positive"}, {1, inf, inf, "give positive"},
		{1, 0.5, 1, "no law"}, {1, 2, 3, "no law"}, {1, 1.01, 1.0301, "m2 must be at least 1.02"}, {1, 2, 4.04, "m3 between 4.08"},
	} {
		if l, err := trace.FitThreeMoments(c.m1, c.m2, c.m3); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, %v, %v: %v, error %v does not say %q", c.m1, c.m2, c.m3, l, err, c.says)
		}
	}
}

// The classes of a trace each get the moments of their sample, or a word on why
// not, in Fits and in the notes of a result.
func TestTraceModelThreeMoments(t *testing.T) {
	var jobs []trace.Job
	for i := range 400 {
		at := float64(i) + 0.3*math.Sin(float64(i)) + float64(i%7)
		jobs = append(jobs, trace.Job{Arrival: at, Need: 1, Service: -math.Log((float64(i*263%400) + 0.5) / 400)})
		jobs = append(jobs, trace.Job{Arrival: at, Need: 2, Service: 3})
		jobs = append(jobs, trace.Job{Arrival: at, Need: 3, Service: float64(i%2) * 2})     // third moment too small
		jobs = append(jobs, trace.Job{Arrival: at, Need: 4, Service: 1 + 0.1*float64(i%2)}) // nearly equal
	}
	q := trace.New("made", jobs).Model(20).ThreeMoments()
	fits := Must(q.Fits())
	names, notes := "", map[string]string{"T3": "E[X³] = 4 E[X]³", "T4": "c² = 0.002268 is below 1/50"}
	for _, f := range fits {
		names += f.Class + " "
		if want := notes[f.Class]; want != "" {
			if f.Matched != 2 || !strings.HasPrefix(f.Note, want) || math.Abs(scv(f.Law)+1-f.Moments[1]/f.Moments[0]/f.Moments[0]) > 1e-9 {
				t.Errorf("%+v; want two moments and %q", f, want)
			}
			continue
		}
		for k, got := range rawMoments(t, f.Law) {
			if !(math.Abs(got/f.Moments[k]-1) < 1e-9) {
				t.Errorf("%s: moment %d is %v, the sample has %v", f.Class, k+1, got, f.Moments[k])
			}
		}
		if f.Matched != 3 || f.Note != "" {
			t.Errorf("%+v; want three moments", f)
		}
	}
	if names != "arrivals T1 T2 T3 T4 " || fits[1].N != 400 {
		t.Errorf("fits of %s, %d of the second", names, fits[1].N)
	}
	m := FromSpec(Must(q.Spec()))
	for i, c := range m.Spec().Classes {
		if c.Service.String() != fits[i+1].Law.String() {
			t.Errorf("class %+v, fit %+v", c, fits[i+1])
		}
	}
	r := Must(m.AtRate(0.1).Solve(context.Background(), Backward{Samples: 50}))
	if len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "two moments where three were asked for: T3, T4.") {
		t.Errorf("notes %q", r.Notes)
	}
	swept := Must(Sweep(context.Background(), m, Grid{Servers: []int{20, 30}, Rates: []float64{0.1}}, Backward{Samples: 50}))
	for _, r := range swept.Results() {
		if len(r.Notes) == 0 || r.Notes[0] != Must(m.problem()).Notes[0] {
			t.Errorf("swept: notes %q", r.Notes)
		}
	}
	if two := FromSpec(Must(trace.New("made", jobs).Model(20).TwoMoments().Spec())); Must(two.problem()).Notes != nil {
		t.Errorf("two moments were asked for, and noted: %q", Must(two.problem()).Notes)
	}
}

func TestTraceModelFitsKinds(t *testing.T) {
	tr := trace.New("t", []trace.Job{{Arrival: 0, Need: 1, Service: 1}, {Arrival: 1, Need: 1, Service: 3}, {Arrival: 3, Need: 2, Service: 5}})
	for _, c := range []struct {
		q    trace.ModelBuilder
		want string
	}{
		{tr.Model(2), "arrivals 2 Empirical([]float64{1, 2}) 3; T1 2 Empirical([]float64{1, 3}) 3; T2 1 Empirical([]float64{5}) 3; "},
		{tr.Model(2).Exponential(), "arrivals 2 ExpMean(1.5) 1; T1 2 ExpMean(2) 1; T2 1 ExpMean(5) 1; "},
		{tr.Model(2).TwoMoments().PoissonArrivals(), "T1 2 ErlangMeanPhases(2, 4) 2; T2 1 Deterministic(5) 2; "},
	} {
		got := ""
		for _, f := range Must(c.q.Fits()) {
			got += fmt.Sprintf("%s %d %v %d; ", f.Class, f.N, f.Law, f.Matched)
		}
		if got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	zero := trace.New("z", []trace.Job{{Need: 1}, {Arrival: 1, Need: 1}, {Arrival: 2, Need: 9, Service: 1}})
	_, err := zero.Model(4).ThreeMoments().Spec()
	for _, part := range []string{`class "T1": the mean of its 2 times is 0`, "leave these jobs out", "take 9 servers"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v does not say %q", err, part)
		}
	}
}
