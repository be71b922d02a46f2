package sampler_test

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

// TestCloseControlsForgetTheStart: runs of one server from empty, without a warm-up and
// not much longer than the queue remembers, wait too little, and so does their mean with
// control variates; with close ones, which know how much fuller the queue is at the end,
// it is that of the stationary queue.
func TestCloseControlsForgetTheStart(t *testing.T) {
	m := mjq.Servers(1).Poisson(0.9).Class("one", 1, 1, mjq.ExpMean(1))
	const exact = 9.0 // ρ/(1-ρ)
	run := func(controls mjq.Controls) result.Estimate {
		return mjq.Must(m.Solve(context.Background(), mjq.Forward{Jobs: 4000, WarmUp: mjq.None, Replications: 500, Controls: controls}, mjq.Seed(7))).All.Waiting.Mean
	}
	if e := run(mjq.PlainControls); e.Value > exact-e.HalfWidth {
		t.Errorf("without the ends: %v; the start should be seen", e)
	}
	if e := run(mjq.CloseControls); math.Abs(e.Value-exact) > 1.5*e.HalfWidth || e.HalfWidth > 0.1 {
		t.Errorf("close: %v, want %v", e, exact)
	}
}

// TestCloseControlsKnowRareJobs: the mean wait of 1 and 256 at 0.9 of the limit, where one
// job in a thousand takes all servers, to a hundredth from runs that without controls know
// it to a fifth.
func TestCloseControlsKnowRareJobs(t *testing.T) {
	m := workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(18.4033)
	const exact = 330.586356 // by Exact; Table 1 of the paper prints 330.59
	jobs := oracle.Sized(150_000, 1_000_000)
	within := 0.01 * exact * math.Sqrt(1_000_000/float64(jobs))
	e := mjq.Must(m.Solve(context.Background(), mjq.Forward{Controls: mjq.CloseControls, Jobs: jobs}, mjq.Seed(3))).All.Waiting.Mean
	if math.Abs(e.Value-exact) > 1.5*e.HalfWidth || e.HalfWidth > within {
		t.Errorf("%v, want %v within %.1f", e, exact, within)
	}
}
