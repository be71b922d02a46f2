package estimate

import (
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

// TestNoneWaited: what no job met has no interval, or that of 3/N; what is exact stays so,
// and so does what jobs of the other class met.
func TestNoneWaited(t *testing.T) {
	drawn := func(value, half float64) result.Estimate {
		return result.Estimate{Value: value, HalfWidth: half, Level: 0.95, N: 10}
	}
	class := func(name string, need int, wait result.Estimate, within float64) result.ClassResult {
		c := result.ClassResult{Name: name, Need: need}
		c.Waiting = result.Metric{Mean: wait, Variance: wait, ServiceLevel: drawn(within, 0), Dist: result.Distribution{Zero: 150, Total: 300}}
		c.Response.Mean, c.Response.ServiceLevel, c.Slowdown.Mean = drawn(2, 0.5), drawn(0.5, 0.1), drawn(1, 0)
		return c
	}
	r := &result.Result{Level: 0.95, Classes: []result.ClassResult{class("idle", 1, drawn(0, 0), 1), class("busy", 2, drawn(3, 0.25), 0.9)},
		All: class("all", 0, drawn(2, 0.25), 0.95), WastedHOL: drawn(0, 0), MeanJobs: result.Exact(0, "exact")}
	r.Classes[0].Preemptions, r.Classes[0].Killed, r.All.Preemptions, r.All.Killed = drawn(0, 0), drawn(0, 0), drawn(0.5, 0.1), drawn(0.1, 0.05)
	of := &Rarity{Jobs: 600, Cluster: 1, Units: 1, Heaviest: 1}
	r.Classes[0].Prob, r.Classes[1].Prob, r.All.Prob = 0.5, 0.5, 1
	FewEvents(r, of)
	NoneWaited(r, of, "Do more.")
	if c := &r.Classes[0]; math.Abs(c.Preemptions.HalfWidth-math.Log(20)/300) > 1e-12 || math.Abs(c.Killed.HalfWidth-math.Log(20)/300) > 1e-12 {
		t.Errorf("of a class that the policy spared: preemptions %v, killed %v", c.Preemptions, c.Killed)
	}
	idle, busy := &r.Classes[0], &r.Classes[1]
	if e := idle.Waiting.Mean; e.Value != 0 || !math.IsNaN(e.HalfWidth) || !math.IsNaN(idle.Waiting.Variance.HalfWidth) || !math.IsNaN(idle.Slowdown.Mean.HalfWidth) {
		t.Errorf("nobody waits: %v, variance %v, slowdown %v", e, idle.Waiting.Variance, idle.Slowdown.Mean)
	}
	if e := idle.Waiting.ServiceLevel; e.Value != 1 || math.Abs(e.HalfWidth-math.Log(20)/300) > 1e-12 {
		t.Errorf("P(W = 0) is %v, want 1 ± 3/300", e)
	}
	if idle.Response.Mean != drawn(2, 0.5) || busy.Waiting.Mean != drawn(3, 0.25) || busy.Slowdown.Mean != drawn(1, 0) || busy.Waiting.ServiceLevel != drawn(0.9, 0) || idle.Response.ServiceLevel.Value != 0.5 || idle.Response.ServiceLevel.HalfWidth < 0.1 {
		t.Errorf("what has been seen is changed: %+v", r.Classes)
	}
	if !math.IsNaN(r.WastedHOL.HalfWidth) || r.MeanJobs != result.Exact(0, "exact") {
		t.Errorf("waste %v, jobs %v", r.WastedHOL, r.MeanJobs)
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "of idle has no interval: none of the 300") || !strings.Contains(r.Notes[0], "below 0.01 with confidence 95 %. Do more.") {
		t.Errorf("notes %q", r.Notes)
	}
	alike := &result.Result{Level: 0.95, Classes: []result.ClassResult{class("a", 1, drawn(1, 0.5), 0.5), class("b", 1, drawn(1, 0.5), 0.5)}, WastedHOL: drawn(0, 0)}
	if NoneWaited(alike, of, ""); alike.WastedHOL != drawn(0, 0) || alike.Notes != nil {
		t.Errorf("jobs of one need waste none: %v, notes %q", alike.WastedHOL, alike.Notes)
	}
}
