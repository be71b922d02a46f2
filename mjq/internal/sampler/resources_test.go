package sampler_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/recurrence"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

// workedExample decodes the steps of an example of group E.
func workedExample(t *testing.T, name string) (steps []map[string]any) {
	t.Helper()
	for _, s := range oracle.Values(t, "E", name)[0].Value.([]any) {
		steps = append(steps, s.(map[string]any))
	}
	return steps
}

func floats(x any) (list []float64) {
	for _, v := range x.([]any) {
		list = append(list, v.(float64))
	}
	return list
}

func whole(x any, less float64) (list []int32) {
	for _, v := range floats(x) {
		list = append(list, int32(v-less))
	}
	return list
}

func TestWorkedExampleOfTypes(t *testing.T) {
	y, now := recurrence.NewTyped([]int{4, 2}), 0.0
	y.AsPrinted = true
	for i, s := range workedExample(t, "mmjsre") {
		wait := y.Step(now, whole(s["alpha"], 0), s["sigma"].(float64), make([]float64, 2)) - now
		now += s["tau"].(float64)
		next := [][]float64{y.Coordinates(nil, 0, now), y.Coordinates(nil, 1, now)}
		want := s["W_next"].([]any)
		if wait != s["wait"] || !slices.Equal(next[0], floats(want[0])) || !slices.Equal(next[1], floats(want[1])) {
			t.Errorf("job %d waits %v and leaves %v, want %v and %v", i, wait, next, s["wait"], want)
		}
	}
}

func TestWorkedExamplesOfSpecificServers(t *testing.T) {
	positions, named := recurrence.NewPositions(4), recurrence.NewNamed(4)
	positions.AsPrinted, named.AsPrinted = true, true
	for _, x := range []struct {
		name, next  string
		step        func(t float64, given []int32, others int32, service float64) (start, waste float64)
		coordinates func(dst []float64, t float64) []float64
	}{
		{"smjsre", "W_next", positions.Step, positions.Coordinates},
		{"smjsre_identity", "V_next", named.Step, named.Coordinates},
	} {
		now := 0.0
		for i, s := range workedExample(t, x.name) {
			start, _ := x.step(now, whole(s["S"], 1), int32(s["alpha"].(float64)), s["sigma"].(float64))
			wait := start - now
			now += s["tau"].(float64)
			if next := x.coordinates(nil, now); wait != s["wait"] || !slices.Equal(next, floats(s[x.next])) {
				t.Errorf("%s job %d waits %v and leaves %v, want %v and %v", x.name, i, wait, next, s["wait"], s[x.next])
			}
		}
	}
}

// TestOvertaking is the counterexample of the notes: as printed, the third job
// starts before the second.
func TestOvertaking(t *testing.T) {
	types := mjq.Resources("a", 2).Resources("b", 1).
		Needing("both a", mjq.Needs{"a": 2}, 0.4, mjq.ExpMean(1)).
		Needing("an a", mjq.Needs{"a": 1}, 0.3, mjq.ExpMean(1)).
		Needing("b", mjq.Needs{"b": 1}, 0.3, mjq.ExpMean(1))
	names := mjq.Servers(3).Class("any", 1, 0.5, mjq.ExpMean(1)).Specific("three", mjq.Pick{Named: []int{3}}, 0.5, mjq.ExpMean(1))
	for _, x := range []struct {
		c               mjq.Model
		jobs            []mjq.Job
		strict, printed []float64
	}{
		{types, []mjq.Job{{Class: "both a", Service: 4, Gap: 1}, {Class: "an a", Service: 2, Gap: 0}, {Class: "b", Service: 1, Gap: 1}}, []float64{0, 3, 3}, []float64{0, 3, 0}},
		{names, []mjq.Job{{Class: "three", Service: 5, Gap: 1}, {Class: "three", Service: 2, Gap: 0}, {Class: "any", Service: 1, Gap: 1}}, []float64{0, 4, 4}, []float64{0, 4, 0}},
	} {
		if got := mjq.Must(x.c.Waits(x.jobs...)); !slices.Equal(got, x.strict) {
			t.Errorf("%v: strict waits %v, want %v", x.c, got, x.strict)
		}
		if got := mjq.Must(x.c.AsPrinted().Waits(x.jobs...)); !slices.Equal(got, x.printed) {
			t.Errorf("%v: waits as printed %v, want %v", x.c, got, x.printed)
		}
	}
	_, err := workload.FiveClassExponential().RandomAssignment().Waits(mjq.Job{Class: "T1", Service: -1, Gap: 0}, mjq.Job{Class: "T3", Service: 1, Gap: 1})
	for _, part := range []string{"job 1: the service time -1", "draws servers at random", `job 2: there is no class "T3"`} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("the error %v does not say %q", err, part)
		}
	}
	if waits, err := workload.FiveClassExponential().Policy(mjq.FirstFit()).Waits(mjq.Job{Class: "T1", Service: 1, Gap: 0}); err == nil || !strings.Contains(err.Error(), "policy FirstFit: it takes first come first served only") {
		t.Errorf("under FirstFit: %v, %v", waits, err)
	}
}

// TestResourcesFaults wants all faults at once.
func TestResourcesFaults(t *testing.T) {
	for _, x := range []struct {
		err   error
		parts []string
	}{
		{fault(mjq.Resources("cpu", 4).Resources("gpu", 0).Resources("cpu", 2).Resources("", 7).Poisson(-1).
			Needing("a", mjq.Needs{"cpu": 5, "disk": 1}, 0.5, mjq.ExpMean(1)).
			Needing("b", mjq.Needs{"cpu": -1}, 0.2, nil).Needing("c", mjq.Needs{}, 0.2, mjq.ExpMean(1)), mjq.Resources("cpu", 4).Resources("gpu", 0).Resources("cpu", 2).Resources("", 7).Poisson(-1).
			Needing("a", mjq.Needs{"cpu": 5, "disk": 1}, 0.5, mjq.ExpMean(1)).
			Needing("b", mjq.Needs{"cpu": -1}, 0.2, nil).Needing("c", mjq.Needs{}, 0.2, mjq.ExpMean(1)).Err()),
			[]string{`"gpu" has 0 units`, `"cpu" is given twice`, "type 4 of the resources has no name", "Poisson(-1)", "needs 5 cpu of 4",
				`"disk", which is not among the resources cpu, gpu`, "needs -1 cpu", "no law given", `"c": needs nothing`, "sum to 0.9"}},
		{fault(mjq.Servers(2).Needing("x", mjq.Needs{"cpu": 1}, 1, mjq.ExpMean(1)), mjq.Servers(2).Needing("x", mjq.Needs{"cpu": 1}, 1, mjq.ExpMean(1)).Err()), []string{`"cpu", which is not among the resources`}},
		{fault(mjq.Resources("cpu", 2).Class("x", 1, 1, mjq.ExpMean(1)), mjq.Resources("cpu", 2).Class("x", 1, 1, mjq.ExpMean(1)).Err()), []string{"needs are given by name"}},
		{fault(mjq.Servers(3).Class("wide", 4, 0.2, mjq.ExpMean(1)).Specific("x", mjq.Pick{Any: 1, Named: []int{0, 2, 2}}, 0.2, mjq.ExpMean(1)).
			Specific("y", mjq.Pick{Random: 1, Named: []int{1}}, 0.2, mjq.ExpMean(1)).Specific("z", mjq.Pick{}, 0.2, mjq.ExpMean(1)).
			Specific("w", mjq.Pick{Any: -1}, 0.1, mjq.ExpMean(1)), mjq.Servers(3).Class("wide", 4, 0.2, mjq.ExpMean(1)).Specific("x", mjq.Pick{Any: 1, Named: []int{0, 2, 2}}, 0.2, mjq.ExpMean(1)).
			Specific("y", mjq.Pick{Random: 1, Named: []int{1}}, 0.2, mjq.ExpMean(1)).Specific("z", mjq.Pick{}, 0.2, mjq.ExpMean(1)).
			Specific("w", mjq.Pick{Any: -1}, 0.1, mjq.ExpMean(1)).Err()),
			[]string{`"wide": need 4 exceeds the 3 servers`, "names server 0", "names server 2 twice", "random servers and for named ones",
				`"z": Pick asks for no server`, "-1 any", "sum to 0.9"}},
	} {
		for _, part := range x.parts {
			if x.err == nil || !strings.Contains(x.err.Error(), part) {
				t.Errorf("the error does not say %q:\n%v", part, x.err)
			}
		}
	}
}

func fault(_ mjq.Model, err error) error { return err }

// pinned mixes named servers and any.
func pinned() mjq.Model {
	return mjq.Servers(4).Poisson(0.8).Class("any", 2, 0.6, mjq.ExpMean(1)).
		Specific("licence", mjq.Pick{Any: 1, Named: []int{1}}, 0.4, mjq.ExpMean(1))
}

func TestNotMonotoneIsRefused(t *testing.T) {
	ctx := context.Background()
	_, err := pinned().Solve(ctx, mjq.Backward{})
	_, err2 := pinned().Solve(ctx, mjq.Unbiased{})
	for _, e := range []error{err, err2} {
		if e == nil || !strings.Contains(e.Error(), "mjq.Forward{}") {
			t.Errorf("named servers and any: %v", e)
		}
	}
	r := mjq.Must(pinned().Solve(ctx, mjq.Forward{Jobs: 2000, Replications: 4}))
	if !strings.Contains(strings.Join(r.Notes, " "), "not monotone") {
		t.Errorf("no warning in the notes %q", r.Notes)
	}
}

// TestPlainModelAsResources: with one type, or none but any servers, estimates are
// those of the plain model, up to rounding, for every sampler.
func TestPlainModelAsResources(t *testing.T) {
	ctx := context.Background()
	plain := workload.FiveClassExponential().Poisson(1.2)
	types, names := mjq.Resources("server", 20).Poisson(1.2), mjq.Servers(20).Poisson(1.2)
	for _, c := range plain.Spec().Classes {
		types = types.Needing(c.Name, mjq.Needs{"server": c.Need}, c.Prob, c.Service)
		names = names.Specific(c.Name, mjq.Pick{Any: c.Need}, c.Prob, c.Service)
	}
	back, fore, none := mjq.Backward{Samples: oracle.Sized(96, 512)}, mjq.Forward{Jobs: 3000, Replications: 4}, mjq.Unbiased{Samples: 96}
	backward, forward, unbiased := mjq.Must(plain.Solve(ctx, back)), mjq.Must(plain.Solve(ctx, fore)), mjq.Must(plain.Solve(ctx, none))
	for _, c := range []mjq.Model{types, names, types.AsPrinted()} {
		for what, pair := range map[string][2]*result.Result{
			"backward": {backward, mjq.Must(c.Solve(ctx, back))},
			"forward":  {forward, mjq.Must(c.Solve(ctx, fore))},
			"unbiased": {unbiased, mjq.Must(c.Solve(ctx, none))},
		} {
			for i := range pair[0].Classes {
				a, b := pair[0].Classes[i].Waiting.Mean, pair[1].Classes[i].Waiting.Mean
				if math.Abs(a.Value-b.Value) > 1e-7*a.Value || math.Abs(a.HalfWidth-b.HalfWidth) > 1e-6*a.HalfWidth {
					t.Errorf("%v %s %s: %v, the plain model %v", c, what, pair[0].Classes[i].Name, b, a)
				}
			}
			if a, b := pair[0].WastedHOL.Value, pair[1].WastedHOL.Value; math.Abs(a-b) > 1e-7*a {
				t.Errorf("%v %s: waste %v, the plain model %v", c, what, b, a)
			}
			if len(pair[1].Resources) == 1 && math.Abs(pair[1].Resource("server").WastedHOL.Value-pair[0].WastedHOL.Value) > 1e-7 {
				t.Errorf("%s: waste by type %v, the plain model %v", what, pair[1].Resource("server").WastedHOL, pair[0].WastedHOL)
			}
		}
	}
}

// TestResourcesAreReproducible: any number of goroutines, the same bits; and what
// comes back survives gob.
func TestResourcesAreReproducible(t *testing.T) {
	ctx := context.Background()
	for _, c := range []mjq.Model{training(1.5), pinned(), workload.FiveClassExponential().Poisson(0.5).RandomAssignment()} {
		one := mjq.Must(c.Solve(ctx, mjq.Forward{Jobs: 2000, Replications: 5}, mjq.Workers(1), mjq.Seed(3)))
		two := mjq.Must(c.Solve(ctx, mjq.Forward{Jobs: 2000, Replications: 5}, mjq.Workers(4), mjq.Seed(3)))
		if one.String() != two.String() || one.All.Waiting.Mean != two.All.Waiting.Mean {
			t.Errorf("%v: one goroutine gives\n%v\nfour give\n%v", c, one, two)
		}
		var buffer bytes.Buffer
		var back result.Result
		if err := errors.Join(gob.NewEncoder(&buffer).Encode(one), gob.NewDecoder(&buffer).Decode(&back)); err != nil || back.String() != one.String() {
			t.Errorf("%v: after gob: %v\n%v", c, err, &back)
		}
	}
}

// training is a small cluster of processors and accelerators.
func training(rate float64) mjq.Model {
	return mjq.Resources("cpu", 20).Resources("gpu", 4).Poisson(rate).
		Needing("batch", mjq.Needs{"cpu": 3}, 0.6, mjq.ExpMean(1)).
		Needing("train", mjq.Needs{"cpu": 8, "gpu": 2}, 0.4, mjq.ExpMean(2))
}

func TestResourcesCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := training(1.5)
	mjq.Must(c.Stability(context.Background()))
	cancel()
	r, err := c.Solve(ctx, mjq.Forward{Jobs: 1 << 40})
	if err == nil || r == nil || r.Run.Complete {
		t.Errorf("a cancelled run gave %v and the error %v", r, err)
	}
}
