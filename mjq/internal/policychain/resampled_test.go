package policychain

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/classic"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

func resampling(levels ...[]string) policy.Priority {
	return policy.Priority{Levels: levels, Preempts: policy.Resampled}
}

// known is a system whose policy knows the services.
func known(s System) System {
	for i, c := range s.Classes {
		s.Known = append(s.Known, policy.Class{Name: fmt.Sprint(i), Need: c.Need, Service: law.PhaseType(c.Alpha, c.A)})
	}
	return s
}

// TestResampledOnOneServer: one server has a closed form (Gaver 1962).
func TestResampledOnOneServer(t *testing.T) {
	for name, low := range map[string]law.Law{"Erlang": law.ErlangMeanPhases(0.8, 3), "hyperexponential": law.HyperExpMeans(0.3, 2, 0.7), "exponential": law.ExpMean(0.9)} {
		services := []law.Law{law.ErlangMeanPhases(0.7, 2), low}
		sys := System{Servers: 1, Rate: 0.9}
		var want []classic.PriorityClass
		for i, s := range services {
			alpha, a, _ := law.Phases(s)
			prob := []float64{0.4, 0.6}[i]
			sys.Classes = append(sys.Classes, states.Class{Need: 1, Prob: prob, Alpha: alpha, A: a})
			want = append(want, classic.PriorityClass{Rate: sys.Rate * prob, Level: i, Service: s})
		}
		q, err := New(known(sys), resampling([]string{"0"}, []string{"1"}))
		if err != nil {
			t.Fatal(err)
		}
		m, err := q.SolveWithin(context.Background(), Options{Tolerance: 1e-9})
		if err != nil {
			t.Fatal(name, err)
		}
		for i, c := range classic.Restart(want, true) {
			for what, x := range map[string][2]float64{"wait": {m.Classes[i].Wait, c.Wait}, "lost": {m.Classes[i].Lost, c.Lost}, "at once": {m.Classes[i].AtOnce, c.AtOnce}} {
				if !(math.Abs(x[0]-x[1]) < 1e-7*math.Max(1, x[1])) {
					t.Errorf("%s, class %d: %s %v, want %v", name, i, what, x[0], x[1])
				}
			}
		}
	}
}

// TestResampledForgets: exponential services that begin again are those that go on, as far as jobs count.
func TestResampledForgets(t *testing.T) {
	exponential := func(need int, prob, mean float64) states.Class {
		return states.Class{Need: need, Prob: prob, Alpha: []float64{1}, A: [][]float64{{-1 / mean}}}
	}
	sys := System{Servers: 3, Rate: 1.1, Classes: []states.Class{exponential(2, 0.4, 0.8), exponential(1, 0.6, 1)}}
	solve := func(how policy.Preemption) *Measures {
		p := resampling([]string{"0"}, []string{"1"})
		p.Preempts = how
		q, err := New(known(sys), p)
		if err != nil {
			t.Fatal(err)
		}
		m, err := q.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	anew, on := solve(policy.Resampled), solve(policy.Resume)
	if math.Abs(anew.Jobs-on.Jobs) > 1e-7 || math.Abs(anew.Utilisation-on.Utilisation) > 1e-8 {
		t.Errorf("%v jobs and %v busy, resumed %v and %v", anew.Jobs, anew.Utilisation, on.Jobs, on.Utilisation)
	}
	c := anew.Classes[1] // a try that is not stopped is shorter than others
	if kept := c.Response - c.Wait; !(kept < 1) || !(c.Lost > 0) || math.Abs(kept+c.Lost-1) > 1e-7 {
		t.Errorf("%v of the services are kept, %v is lost", kept, c.Lost)
	}
}

// TestResampledFaults: several laws at a level that is stopped would belong into the state.
func TestResampledFaults(t *testing.T) {
	sys := System{Servers: 2, Rate: 0.5, Classes: []states.Class{
		{Need: 1, Prob: 0.4, Alpha: []float64{1}, A: [][]float64{{-1}}}, {Need: 1, Prob: 0.3, Alpha: []float64{1}, A: [][]float64{{-2}}}, {Need: 1, Prob: 0.3, Alpha: []float64{1}, A: [][]float64{{-3}}}}}
	if _, err := New(known(sys), resampling([]string{"0"}, []string{"1", "2"})); err == nil || !strings.Contains(err.Error(), "give them one law") {
		t.Error(err)
	}
	if _, err := New(known(sys), resampling([]string{"0", "1"}, []string{"2"})); err != nil {
		t.Error(err)
	}
}
