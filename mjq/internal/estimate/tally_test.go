package estimate

import (
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

// TestFill: a result has what was seen and no more, all jobs with the distribution of the
// classes by their shares.
func TestFill(t *testing.T) {
	r := &result.Result{Level: 0.9, Classes: make([]result.ClassResult, 2)}
	r.Classes[1].Killed = result.Exact(0.25, "known before")
	seen := make([]Tally, 2)
	for i := range seen {
		seen[i].Waiting = TimesOf([]Batch{{2, 4, 10}, {4, 6, 14}, {3, 9, 40}}, r.Level, "batches")
		var h Histogram
		for range 3 {
			h.Add(float64(i)) // all jobs of the first class fit
		}
		seen[i].Waiting.Dist = h.Distribution()
	}
	seen[0].Preemptions = result.Exact(0, "none")
	all := Tally{Slowdown: Times{Mean: result.Exact(3, "known"), Worth: Worth{Observations: 7}}}
	Fill(r, seen, &all, []float64{0.25, 0.75})
	for _, c := range r.Classes {
		if w := c.Waiting; w.Level != 0.9 || w.Mean.Value != 19./9 || w.Mean.Level != 0.9 || w.Mean.Method != "batches" || !(w.Effective > 0) {
			t.Errorf("waits %+v of 9 jobs that waited 19", w)
		}
		if c.Response.Mean.Known() || c.Slowdown.Mean.Known() || c.Waiting.ServiceLevel.Known() {
			t.Errorf("%+v has what nobody saw", c)
		}
	}
	if p := r.Classes[0].Preemptions; !p.Known() || p.Value != 0 {
		t.Errorf("preemptions %v, none were seen", p)
	}
	if k := r.Classes[1].Killed; k.Value != 0.25 {
		t.Errorf("%v where something was known before", k)
	}
	if got := r.All.Waiting.Dist.CDF(0); got != 0.25 {
		t.Errorf("a part %v of all does not wait, want 1/4", got)
	}
	if s := r.All.Slowdown; s.Mean.Value != 3 || s.Effective != 7 || r.All.Waiting.Mean.Known() {
		t.Errorf("all jobs %+v", r.All)
	}
}
