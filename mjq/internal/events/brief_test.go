package events

import (
	"context"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
)

// TestBriefly interrupts replications of a thousand classes: it has their means and
// distributions, to the digit, and leaves out how well replications know the distributions of classes.
func TestBriefly(t *testing.T) {
	classes := make([]stream.Class, briefClasses)
	for i := range classes {
		classes[i] = stream.Class{Need: 1, Prob: 1. / briefClasses, Service: law.ExpMean(1)}
	}
	plan := &Plan{System: compiled.System{Servers: 4, Classes: len(classes), Input: stream.NewFrom(1, arrival.Poisson(3), classes)}, Replications: 4, Batches: 1, WarmUp: 100, Length: 20_000, Level: 0.95, Workers: 1}
	whole := plan.Run(context.Background(), nil)
	ctx, cancel := context.WithCancel(context.Background())
	long := *plan
	long.Replications = 1000
	cut := long.Run(ctx, func(done, _ float64) {
		if done > 4*20_100 {
			cancel()
		}
	})
	if cut.Batches != whole.Batches {
		t.Fatalf("%d replications were kept", cut.Batches)
	}
	for c := range whole.Classes {
		a, b := &whole.Classes[c].Waiting, &cut.Classes[c].Waiting
		if a.Mean != b.Mean || a.Dist.Quantile(0.5) != b.Dist.Quantile(0.5) {
			t.Fatalf("class %d waits %v, and %v where the run was interrupted", c, a.Mean, b.Mean)
		}
		if a.Precision.Groups != 4 || b.Precision.Groups != 0 {
			t.Fatalf("class %d: precision of %d groups, and of %d where the run was interrupted", c, a.Precision.Groups, b.Precision.Groups)
		}
	}
	if cut.All.Waiting.Precision.Groups != 4 {
		t.Error("nothing is known of the distribution of all jobs")
	}
}
