package gpu

import (
	"context"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/sampling"
)

// impatient is a device that gives launches quotas of its own: short ones, which
// end within blocks of jobs.
type impatient struct {
	Driver
	launches int
}

func (d *impatient) Launch(kernel string, blocks, threads, shared int, args ...uint64) error {
	at := 8 // where the quota is among the arguments
	if strings.HasPrefix(kernel, "mjq_forward") || strings.HasPrefix(kernel, "mjq_account") {
		at = 9
	}
	d.launches++
	args[at] = 1 + uint64(d.launches*d.launches)%97
	return d.Driver.Launch(kernel, blocks, threads, shared, args...)
}

// TestPausesDoNotShow cuts runs into launches of a few jobs each: the same bits as
// in long launches, and the same samples as on the cores.
func TestPausesDoNotShow(t *testing.T) {
	all := systems()
	maps.Copy(all, typedSystems())
	for name, sys := range all {
		here, there := both(t, sys, someOfAll)
		d := &impatient{Driver: open(t, plenty)}
		s, err := New(d, &sys)
		if err != nil {
			t.Fatal(err)
		}
		sys.Device = s
		paused := someOfAll(sys)
		s.Close()
		if d.launches < 40 {
			t.Errorf("%s: only %d launches", name, d.launches)
		}
		for i := range here {
			if !near(here[i], there[i]) || there[i] != paused[i] {
				t.Errorf("%s: number %d is %v, on the device %v, with pauses %v", name, i, here[i], there[i], paused[i])
			}
		}
	}
}

// someOfAll are some numbers from every sampler.
func someOfAll(sys sampling.System) []float64 {
	ctx := context.Background()
	backward := (&sampling.Backward{System: sys, Samples: 9, Window: 300, MaxWindow: 600, Batch: 3, Level: 0.95}).Run(ctx, nil)
	forward := (&sampling.Forward{System: sys, Replications: 9, WarmUp: 70, Jobs: 500, Level: 0.95}).Run(ctx, nil)
	pile := (&sampling.Pile{System: sys, MeanWork: make([]float64, len(sys.Needs)), Replications: 40, WarmUp: 300, Jobs: 300, MaxJobs: 30_000, RelErr: 1e-9, Level: 0.95}).Run(ctx, nil)
	controlled := (&sampling.Forward{System: sys, Replications: 4, WarmUp: 70, Jobs: 1500, Controlled: true, Level: 0.95}).Run(ctx, nil)
	unbiased := (&sampling.Unbiased{System: sys, Samples: 9, Window: 300, Follow: 200, Level: 0.95}).Run(ctx, nil)
	results := []float64{float64(unbiased.Steps), unbiased.All.X, unbiased.All.Y, controlled.HOL.Value, controlled.Fit.Mean(controlled.Fit.Row.All(sampling.Waiting), 0.95, "").Value,
		float64(backward.Steps), backward.All.Waiting.X, backward.HOL.X, forward.All.MeanW.Value, forward.HOL.Value, pile.Gamma.Value}
	if sys.Alike() {
		c := &sampling.Certified{System: sys, Samples: 9, Window: 400, Eps: 1e-3, Level: 0.95, Majorant: sampling.Majorant{Theta: 1, Block: 300}}
		certified := c.Run(ctx, nil)
		c.Follow = 700
		followed := c.Run(ctx, nil)
		results = append(results, float64(followed.Steps), followed.All.Waiting.X, followed.All.Waiting.Y)
		results = append(results, float64(certified.Steps), float64(certified.MaxWindow), certified.All.Waiting.X, certified.HOL.X)
	}
	return results
}

// until ends a context at its n-th launch of a forward run, each of 1500 jobs.
type until struct {
	Driver
	n   int
	end context.CancelFunc
}

func (d *until) Launch(kernel string, blocks, threads, shared int, args ...uint64) error {
	if d.n--; d.n == 0 {
		d.end()
	}
	args[9] = 1500
	return d.Driver.Launch(kernel, blocks, threads, shared, args...)
}

// TestInterruptedPathsCount: a forward run that ends before its paths do is a run of shorter ones,
// with the numbers of all jobs until then. Before a first part of the path it has none.
func TestInterruptedPathsCount(t *testing.T) {
	sys := systems()["five classes"]
	run := func(n int, jobs int64, controlled bool, launches int) (*sampling.Forward, *sampling.ForwardResult) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		sys := sys
		if launches > 0 {
			s, err := New(&until{device(t, plenty), launches, cancel}, &sys)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(s.Close)
			sys.Device = s
		}
		f := &sampling.Forward{System: sys, Replications: n, WarmUp: 300, Jobs: jobs, Controlled: controlled, Level: 0.95}
		return f, f.Run(ctx, nil)
	}
	for n, controlled := range map[int]bool{20: false, 19: true, 600: true} { // 600 learn of every second part only
		f, there := run(n, 20_000, controlled, 2)
		if there.Failed != nil || there.Done != n || f.Jobs != 2700 || there.Steps != int64(n)*(300+f.Jobs) {
			t.Fatalf("%d replications of %d jobs in %d steps (%v)", there.Done, f.Jobs, there.Steps, there.Failed)
		}
		_, here := run(n, f.Jobs, false, 0)
		compare(t, "five classes", here.Classes, there.Classes)
		if !sameEstimate(here.HOL, there.HOL) {
			t.Errorf("waste %v here, %v on the device", here.HOL, there.HOL)
		}
		if controlled {
			with, without := there.Fit.Mean(there.Fit.Row.All(sampling.Waiting), 0.95, ""), there.All.MeanW
			if math.Abs(with.Value-without.Value) > with.HalfWidth+without.HalfWidth {
				t.Errorf("a mean wait of %v with controls, %v without", with, without)
			}
		}
	}
	if f, there := run(20, 1<<40, false, 3); there.Failed != nil || there.Done != 0 {
		t.Errorf("%d replications of %d jobs count (%v)", there.Done, f.Jobs, there.Failed)
	}
}
