package interval_test

import (
	"context"
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestRunsOfFixedLengthTellTheirInterval: who follows a run hears its mean wait, with the
// interval if that is known, and the answer is bit-identical to that of a run that nobody follows.
// Who follows takes his time here, so that short runs take long.
func TestRunsOfFixedLengthTellTheirInterval(t *testing.T) {
	light := mjq.Servers(3).Poisson(0.8).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 2, 0.5, mjq.ExpMean(1))
	heavy := mjq.Servers(3).Poisson(0.8).Class("a", 1, 1, mjq.LomaxScaleShape(2, 3.5))
	for _, c := range []struct {
		name        string
		m           mjq.Model
		method      mjq.Method
		told, known bool // the mean is told on the way, with an interval
	}{
		{"forward", light, mjq.Forward{Jobs: 20_000, Replications: 16}, true, true},
		{"forward, close controls", light, mjq.Forward{Jobs: 20_000, Replications: 16, Controls: mjq.CloseControls}, true, true},
		{"simulation", light, mjq.Simulation{Jobs: 20_000, Replications: 16}, true, true},
		{"backward", light, mjq.Backward{Samples: 1024, AgreeTogether: 64}, true, true},
		{"unbiased", light, mjq.Unbiased{Samples: 400}, true, true},
		{"certified", light, mjq.Certified{Samples: 400}, true, true},
		{"paths too short", light.AtLoad(0.95), mjq.Forward{Jobs: 300, Replications: 64}, true, false},
		{"power tails", heavy, mjq.Forward{Jobs: 20_000, Replications: 16}, false, false},
		{"batches", light, mjq.Simulation{Jobs: 20_000, BatchMeans: 16}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var mean result.Estimate
			told, steps := 0, 0
			follow := mjq.Progress(func(s mjq.Step) {
				if s.Result != nil {
					mean = s.Result.All.Waiting.Mean
					told++
				}
				if steps++; steps <= 12 {
					time.Sleep(60 * time.Millisecond)
				}
			})
			ctx := context.Background()
			followed := mjq.Must(c.m.Solve(ctx, c.method, follow, mjq.Workers(1), mjq.NoCache()))
			alone := mjq.Must(c.m.Solve(ctx, c.method, mjq.NoCache()))
			if got := told > 0; got != c.told {
				t.Errorf("told %d times, want some: %v", told, c.told)
			}
			last := followed.All.Waiting.Mean
			if c.told && c.known != (mean.HalfWidth > 0) {
				t.Errorf("told %v, want an interval: %v", mean, c.known)
			}
			if c.known && !(math.Abs(mean.Value-last.Value) <= 3*mean.HalfWidth) {
				t.Errorf("told %v on the way to %v", mean, last)
			}
			if c.told && !c.known && last.HalfWidth > 0 {
				t.Errorf("without an interval on the way to %v", last)
			}
			if a, b := digits(t, followed), digits(t, alone); a != b {
				t.Errorf("followed:\n%s\nalone:\n%s", a, b)
			}
		})
	}
}

// digits are those of a result, without the times that it took.
func digits(t *testing.T, r *result.Result) string {
	t.Helper()
	r.Run.Elapsed, r.Run.ElapsedLimit, r.Run.StepsPerSec = 0, 0, 0
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
