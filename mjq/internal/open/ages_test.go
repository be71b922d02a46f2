package open

import (
	"context"
	"encoding/json"
	"math"
	"math/cmplx"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/mam"
)

// value is an entry of the file of exact values: truncated chains by another
// program.
type value struct {
	ID, Model, Policy, Quantity string
	Servers                     int
	Classes                     []struct {
		Need              int
		Rate, Probability float64
	}
	Stages []struct {
		Need, Next  int
		Rate, Entry float64
	}
	D0               [][]float64
	D                [][][]float64
	Class            int
	Value, Tolerance float64
}

// system is that of the value.
func (v *value) system() states.System {
	s := states.System{Servers: v.Servers}
	for _, c := range v.Classes {
		prob := c.Probability
		if v.Model == "markedMAP" {
			prob = 1 / float64(len(v.Classes))
		}
		s.Classes = append(s.Classes, states.Class{Need: c.Need, Prob: prob, Alpha: []float64{1}, A: [][]float64{{-c.Rate}}})
	}
	for need := 1; need <= 2 && len(v.Stages) > 0; need++ { // the file has both needs, in this order
		c := states.Class{Need: need}
		first := len(v.Stages)
		for i, stage := range v.Stages {
			if stage.Need == need {
				first = min(first, i)
				c.Prob += stage.Entry
				c.Alpha, c.A = append(c.Alpha, stage.Entry), append(c.A, make([]float64, 2))
				c.A[i-first][i-first] = -stage.Rate
				if stage.Next >= 0 {
					c.A[i-first][stage.Next-first] = stage.Rate
				}
			}
		}
		for i := range c.Alpha {
			c.Alpha[i] /= c.Prob
		}
		s.Classes = append(s.Classes, c)
	}
	return s
}

// process is the arrivals of the value.
func (v *value) process() Arrivals {
	a := Arrivals{D0: v.D0}
	for k, rates := range v.D {
		e := Event{rates, k + 1, -1}
		if v.Model == "markedMAP" {
			e = Event{rates, 1, k}
		}
		a.Events = append(a.Events, e)
	}
	return a
}

func aged(t testing.TB, sys states.System, a Arrivals) *Ages {
	t.Helper()
	x, err := states.NewIndex(sys.Compile())
	if err != nil {
		t.Fatal(err)
	}
	var probs []float64
	for _, c := range sys.Classes {
		probs = append(probs, c.Prob)
	}
	s, err := SolveAges(context.Background(), x, sys.Servers, probs, a, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	if size := SizeOfAges(x, a); len(s.up.list)+len(s.down.list) > size.Phases || s.Residual > 1e-11 {
		t.Errorf("%d phases where %v are the most; residual %.2g", len(s.up.list)+len(s.down.list), size, s.Residual)
	}
	return s
}

func counts(t *testing.T, sys states.System, a Arrivals) *Counts {
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

// TestAgesOfValues holds waits, counts by Little's law and probabilities against
// truncated chains, to 1e-9.
func TestAgesOfValues(t *testing.T) {
	data, err := os.ReadFile("../../testdata/policy_values.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Values []value }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	known, held := map[string]*Ages{}, 0
	for i := range file.Values {
		v := &file.Values[i]
		if v.Policy != "fcfs" || v.Model != "MAP" && v.Model != "batchMAP" && v.Model != "markedMAP" {
			continue
		}
		id, _, _ := strings.Cut(v.ID, "/")
		if known[id] == nil {
			known[id] = aged(t, v.system(), v.process())
		}
		if got, ok := known[id].quantity(t, v); ok {
			held++
			if math.Abs(got-v.Value) > 2*v.Tolerance {
				t.Errorf("%s: %.13g, want %.13g", v.ID, got, v.Value)
			}
		}
	}
	if len(known) != 15 || held != 217 {
		t.Errorf("%d values of %d systems", held, len(known))
	}
}

// quantity is what a value is about.
func (s *Ages) quantity(t *testing.T, v *value) (float64, bool) {
	classes, err := s.Classes()
	if err != nil {
		t.Fatal(err)
	}
	o := s.Idleness()
	var rate, wait, work float64
	sys := v.system()
	services := make([]float64, len(classes))
	for i, c := range classes {
		plan := states.System{Servers: sys.Servers, Classes: []states.Class{{Need: 1, Prob: 1, Alpha: sys.Classes[i].Alpha, A: sys.Classes[i].A}}}.Compile()
		services[i] = plan.MeanService()
		rate += c.Rate
		wait += c.Rate * c.Mean
		work += c.Rate * services[i]
	}
	switch v.Quantity {
	case "wait":
		return wait / rate, true
	case "response":
		return (wait + work) / rate, true
	case "meanQueue":
		return wait, true
	case "meanNumber":
		return wait + work, true
	case "utilisation":
		return 1 - o.Idle/float64(v.Servers), true
	case "probEmpty":
		return o.Nobody, true
	case "arrivalRate":
		return rate, true
	case "probAllBusy":
		return s.full(), true
	case "waitByClass":
		return classes[v.Class].Mean, true
	case "responseByClass":
		return classes[v.Class].Mean + services[v.Class], true
	case "meanSquareNumber":
		if v.Model == "markedMAP" {
			return 0, false
		}
		jobs, _ := counts(t, sys, v.process()).Factorials()
		return jobs[0] + jobs[1], true
	case "startAtOnceByClass":
		if v.Model == "batchMAP" {
			return s.alone(v.Class), true
		}
		return classes[v.Class].Zero, true
	}
	return 0, false
}

// full is the probability that no server is free.
func (s *Ages) full() (p float64) {
	for i, q := range s.zero {
		if s.free[s.ages.zero.list[i].node] == 0 {
			p += q
		}
	}
	for i, q := range s.waiting {
		if s.free[s.up.list[i].node] == 0 {
			p += q
		}
	}
	return p
}

// alone is the probability that a job would start at once if it came alone when
// others come, alone or in batches: what the file has of batches.
func (s *Ages) alone(class int) float64 {
	var fits, all float64
	pi := s.arrivals.phases()
	for _, e := range s.arrivals.Events {
		for i, p := range s.zero {
			state := s.ages.zero.list[i]
			if s.Plan.Kinds[s.Of[class]].Need <= s.free[state.node] {
				fits += p * floats.Sum(e.Rates[state.phase])
			}
		}
		for j, p := range pi {
			all += p * floats.Sum(e.Rates[j])
		}
	}
	return fits / all
}

var (
	onoff = Arrivals{[][]float64{{-0.5, 0.2}, {0.3, -1.5}}, []Event{{[][]float64{{0.3, 0}, {0, 1.2}}, 1, -1}}}
	// bursts has batches, marked and not.
	bursts = Arrivals{[][]float64{{-0.4, 0.2}, {0.1, -0.5}}, []Event{
		{[][]float64{{0.1, 0}, {0, 0.1}}, 3, -1}, {[][]float64{{0.05, 0.02}, {0.1, 0}}, 2, 1}, {[][]float64{{0, 0.03}, {0.1, 0.1}}, 1, 2}}}
)

// TestAgesOfPoisson: Poisson arrivals, also as those of two phases that do not
// matter, have the waits that the number of jobs gives, to 1e-12.
func TestAgesOfPoisson(t *testing.T) {
	s := solve(t, mixed(), 0.8)
	plain := Arrivals{[][]float64{{-0.8}}, []Event{{[][]float64{{0.8}}, 1, -1}}}
	two := Arrivals{[][]float64{{-1.1, 0.3}, {0.5, -1.3}}, []Event{{[][]float64{{0.2, 0.6}, {0.8, 0}}, 1, -1}}}
	marked := Arrivals{[][]float64{{-0.8}}, []Event{{[][]float64{{0.4}}, 1, 0}, {[][]float64{{0.24}}, 1, 1}, {[][]float64{{0.16}}, 1, 2}}}
	for what, a := range map[string]Arrivals{"plain": plain, "two phases": two, "marked": marked} {
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
	open := Arrivals{bursts.D0, nil}
	for _, e := range bursts.Events {
		open.Events = append(open.Events, Event{e.Rates, e.Size, -1})
	}
	for _, a := range []Arrivals{onoff, open} {
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
	c := counts(t, mixed(), Arrivals{[][]float64{{-0.8}}, []Event{{[][]float64{{0.8}}, 1, -1}}})
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
