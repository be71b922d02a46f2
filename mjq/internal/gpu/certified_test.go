package gpu

import (
	"context"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestCertifiedIsTheSame compares certified samples. The bound's numbers are made
// up, so that some windows suffice and some have to be doubled, up to several
// times; windows and blocks end within blocks of jobs and at their ends.
func TestCertifiedIsTheSame(t *testing.T) {
	for name, sys := range systems() {
		for _, c := range []sampling.Certified{
			{Samples: 1, Window: 256, Majorant: sampling.Majorant{Theta: 0.3, Block: 32}},
			{Samples: 67, Window: 700, Majorant: sampling.Majorant{Theta: 0.8, Block: 300}},
			{Samples: 130, Window: 10, Majorant: sampling.Majorant{Theta: 5, Block: 1}},
			{Samples: 33, Window: 2048, Majorant: sampling.Majorant{Theta: 0.05, Block: 512}},
		} {
			c.Eps, c.Level = 1e-6, 0.95
			here, there := both(t, sys, func(sys sampling.System) *sampling.BackwardResult {
				c.System = sys
				return c.Run(context.Background(), nil)
			})
			if there.Failed != nil {
				t.Fatal(there.Failed)
			}
			if here.Done != c.Samples || there.Done != here.Done || here.Steps != there.Steps || here.MinWindow != there.MinWindow || here.MaxWindow != there.MaxWindow {
				t.Errorf("%s: %d samples, %d steps, windows %d to %d; on the device %d, %d, %d to %d", name,
					here.Done, here.Steps, here.MinWindow, here.MaxWindow, there.Done, there.Steps, there.MinWindow, there.MaxWindow)
			}
			compare(t, name, here.Classes, there.Classes)
			if !near(here.HOL.X, there.HOL.X) {
				t.Errorf("%s: waste %v; on the device %v", name, here.HOL.X, there.HOL.X)
			}
		}
	}
}

// TestCertifiedWindowBySample compares sample by sample: what each met, how wide
// its window was and how many steps it took.
func TestCertifiedWindowBySample(t *testing.T) {
	sys := systems()["five classes"]
	s := sampler(t, &sys, plenty)
	wide := 0
	for i := range 40 {
		c := sampling.Certified{System: sys, Samples: i + 1, Window: 300, Eps: 1e-3, Level: 0.95, Majorant: sampling.Majorant{Theta: 0.5, Block: 77}}
		here := c.Run(context.Background(), nil)
		c.Device = s
		there := c.Run(context.Background(), nil)
		if here.Steps != there.Steps || here.MaxWindow != there.MaxWindow || !near(here.All.Waiting.X, there.All.Waiting.X) || !near(here.All.Waiting.Y, there.All.Waiting.Y) {
			t.Fatalf("with %d samples: %d steps, window %d, mean %v; on the device %d, %d, %v", i+1,
				here.Steps, here.MaxWindow, here.All.Waiting.X, there.Steps, there.MaxWindow, there.All.Waiting.X)
		}
		if here.MaxWindow > here.MinWindow {
			wide++
		}
	}
	if wide == 0 {
		t.Error("all windows are as wide as the first; the test wants some that are not")
	}
}

// TestManyPairs takes more pairs of chains than a block or a warp holds, most of
// which need a second window and some a third.
func TestManyPairs(t *testing.T) {
	sys := systems()["a server"]
	for _, n := range []int{31, 33, 1000, 20_000} {
		here, there := both(t, sys, func(sys sampling.System) *sampling.BackwardResult {
			c := sampling.Certified{System: sys, Samples: n, Window: 256, Eps: 0.1, Level: 0.95, Majorant: sampling.Majorant{Theta: 0.03, Block: 1}}
			return c.Run(context.Background(), nil)
		})
		if there.Failed != nil || here.Done != n || there.Done != n || here.Steps != there.Steps || here.MaxWindow != there.MaxWindow || here.MaxWindow == here.MinWindow {
			t.Fatalf("%d samples in %d steps, windows %d to %d; on the device %d in %d, to %d (%v)",
				here.Done, here.Steps, here.MinWindow, here.MaxWindow, there.Done, there.Steps, there.MaxWindow, there.Failed)
		}
		compare(t, "a server", here.Classes, there.Classes)
	}
}

// TestCertifiedToATarget stops at the same sample as on the cores.
func TestCertifiedToATarget(t *testing.T) {
	sys := systems()["a server"]
	here, there := both(t, sys, func(sys sampling.System) *sampling.BackwardResult {
		c := sampling.Certified{System: sys, Samples: 10_000, Window: 512, Eps: 1e-3, Level: 0.95, Majorant: sampling.Majorant{Theta: 0.2, Block: 32},
			Enough: func(done int, mean func() result.Estimate) bool { return done >= 100 && mean().RelErr() < 0.1 }}
		return c.Run(context.Background(), nil)
	})
	if here.Done == 10_000 || here.Done < 100 || here.Done != there.Done || here.Steps != there.Steps || !near(here.All.Waiting.X, there.All.Waiting.X) {
		t.Errorf("%d samples in %d steps; on the device %d in %d (%v)", here.Done, here.Steps, there.Done, there.Steps, there.Failed)
	}
}
