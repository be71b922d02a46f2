package gpu

import (
	"context"
	"maps"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/sampling"
)

// TestPathsAreTheSame compares what is looked at along paths: unbiased samples, followed
// or not, and controlled runs, in every kind of queue.
func TestPathsAreTheSame(t *testing.T) {
	all := systems()
	maps.Copy(all, typedSystems())
	for name, sys := range all {
		sys.Light = true // so that there are all controls
		for _, follow := range []int64{0, 900} {
			here, there := both(t, sys, func(sys sampling.System) *sampling.UnbiasedResult {
				return (&sampling.Unbiased{System: sys, Samples: 60, Window: 300, Follow: follow, Level: 0.95}).Run(context.Background(), nil)
			})
			if there.Failed != nil {
				t.Fatal(there.Failed)
			}
			if here.Done != there.Done || here.Steps != there.Steps || here.MaxWindow != there.MaxWindow {
				t.Errorf("%s: %d samples, %d steps, windows up to %d; on the device %d, %d, %d", name, here.Done, here.Steps, here.MaxWindow, there.Done, there.Steps, there.MaxWindow)
			}
			for c := range here.Classes {
				if a, b := here.Classes[c], there.Classes[c]; !near(a.X, b.X) || !near(a.Y, b.Y) || !near(a.XX, b.XX) {
					t.Errorf("%s, class %d: moments %v; on the device %v", name, c, a, b)
				}
			}
			if !near(here.HOL.X, there.HOL.X) {
				t.Errorf("%s: waste %v; on the device %v", name, here.HOL, there.HOL)
			}
			sameFit(t, name, here.Fit, there.Fit)
		}
		here, there := both(t, sys, func(sys sampling.System) *sampling.ForwardResult {
			return (&sampling.Forward{System: sys, Replications: 9, WarmUp: 77, Jobs: 5001, Controlled: true, Level: 0.95}).Run(context.Background(), nil)
		})
		if there.Failed != nil {
			t.Fatal(there.Failed)
		}
		compare(t, name, here.Classes, there.Classes)
		sameFit(t, name, here.Fit, there.Fit)
	}
}

// TestFollowedIsTheSame compares certified samples that are followed.
func TestFollowedIsTheSame(t *testing.T) {
	for name, sys := range systems() {
		sys.Light = true
		here, there := both(t, sys, func(sys sampling.System) *sampling.BackwardResult {
			c := &sampling.Certified{System: sys, Samples: 40, Window: 400, Follow: 3333, Eps: 1e-3, Level: 0.95, Majorant: sampling.Majorant{Theta: 1, Block: 300}}
			return c.Run(context.Background(), nil)
		})
		if there.Failed != nil {
			t.Fatal(there.Failed)
		}
		if here.Done != there.Done || here.Steps != there.Steps || here.MaxWindow != there.MaxWindow || !near(here.HOL.X, there.HOL.X) {
			t.Errorf("%s: %d samples, %d steps, windows up to %d, waste %v; on the device %d, %d, %d, %v", name,
				here.Done, here.Steps, here.MaxWindow, here.HOL, there.Done, there.Steps, there.MaxWindow, there.HOL)
		}
		compare(t, name, here.Classes, there.Classes)
		sameFit(t, name, here.Fit, there.Fit)
	}
}

// sameFit compares estimates with control variates, which lose some digits.
func sameFit(t *testing.T, name string, here, there *sampling.Fit) {
	t.Helper()
	if (here == nil) != (there == nil) {
		t.Fatalf("%s: only one side has a fit", name)
	}
	if here == nil {
		return
	}
	for q := range here.Row.Len() {
		a, b := here.Mean(q, 0.95, ""), there.Mean(q, 0.95, "")
		if d := math.Abs(a.Value - b.Value); d > 1e-7*(1+math.Abs(a.Value)) || math.Abs(a.HalfWidth-b.HalfWidth) > 1e-6*(1+a.HalfWidth) {
			t.Errorf("%s: quantity %d is %v, on the device %v", name, q, a, b)
		}
	}
}
