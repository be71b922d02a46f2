package gpu

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/kernels/cuda/emulate"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
)

// TestManyChains takes more chains than a block, a launch or a warp holds, and
// numbers of them that fill neither.
func TestManyChains(t *testing.T) {
	sys := systems()["five classes"]
	for _, n := range []int{1, 31, 33, 1000, 100_000} {
		here, there := both(t, sys, func(sys sampling.System) *sampling.BackwardResult {
			b := sampling.Backward{System: sys, Samples: n, Window: 4, MaxWindow: 8, Batch: 256, Level: 0.95}
			return b.Run(context.Background(), nil)
		})
		if there.Failed != nil || here.Done != there.Done || here.Steps != there.Steps || here.Unsettled != there.Unsettled {
			t.Fatalf("%d chains: %d samples in %d steps, %d on the device in %d (%v)", n, here.Done, here.Steps, there.Done, there.Steps, there.Failed)
		}
		compare(t, "five classes", here.Classes, there.Classes)
	}
}

// TestSmallMemory makes waves of few chains: the same samples.
func TestSmallMemory(t *testing.T) {
	sys := systems()["1 and 256"]
	run := func() *sampling.BackwardResult {
		b := sampling.Backward{System: sys, Samples: 100, Window: 600, MaxWindow: 1200, Batch: 10, Level: 0.95}
		return b.Run(context.Background(), nil)
	}
	here := run()
	s := sampler(t, &sys, 1_300_000)
	if s.Room() < 10 || s.Room() > 60 {
		t.Fatalf("room for %d chains; the test wants a few waves", s.Room())
	}
	sys.Device = s
	there := run()
	if there.Failed != nil || here.Done != there.Done || !near(here.All.Waiting.X, there.All.Waiting.X) {
		t.Errorf("%d samples of mean %v, on the device %d of %v (%v)", here.Done, here.All.Waiting.X, there.Done, there.All.Waiting.X, there.Failed)
	}
	c := sampling.Certified{System: sys, Samples: 100, Window: 600, Eps: 0.01, Level: 0.95, Majorant: sampling.Majorant{Theta: 1, Block: 32}}
	there = c.Run(context.Background(), nil)
	c.Device = nil
	here = c.Run(context.Background(), nil)
	if there.Failed != nil || here.Done != there.Done || here.Steps != there.Steps || !near(here.All.Waiting.X, there.All.Waiting.X) {
		t.Errorf("%d certified samples of mean %v, on the device %d of %v (%v)", here.Done, here.All.Waiting.X, there.Done, there.All.Waiting.X, there.Failed)
	}
	b := sampling.Backward{System: sys, Samples: 1000, Window: 10, MaxWindow: 10, Batch: 1000, Level: 0.95}
	if res := b.Run(context.Background(), nil); res.Failed == nil || !strings.Contains(res.Failed.Error(), "AgreeTogether 1000") || res.Done != 0 {
		t.Errorf("a batch that does not fit gives %v", res.Failed)
	}
	p := sampling.Pile{System: sys, Replications: 4096, WarmUp: 10, Jobs: 10, MaxJobs: 1000, RelErr: 1, Level: 0.95}
	if res := p.Run(context.Background(), nil); res.Failed == nil || !strings.Contains(res.Failed.Error(), "MiB") {
		t.Errorf("towers that do not fit give %v", res.Failed)
	}
}

// TestBadLaunches asks the driver for what no device does.
func TestBadLaunches(t *testing.T) {
	d := device(t, 1000)
	for name, err := range map[string]error{
		"no kernel":        d.Launch("mjq_nothing", 1, 32, 0),
		"too many threads": d.Launch("mjq_jobs", 1, 2048, 8192, 0, 0, 0, 0, 0),
		"no block":         d.Launch("mjq_jobs", 0, 32, 8192, 0, 0, 0, 0, 0),
		"shared memory":    d.Launch("mjq_jobs", 1, 32, 1<<20, 0, 0, 0, 0, 0),
		"few arguments":    d.Launch("mjq_jobs", 1, 32, 8192, 0),
		"wild address":     d.Download(make([]byte, 8), 4096),
		"memory":           func() error { _, err := d.Alloc(2000); return err }(),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if free, total, err := d.Memory(); free != 1000 || total != 1000 || err != nil {
		t.Errorf("memory: %d of %d, %v", free, total, err)
	}
}

// unknown is a law that the kernels have not.
type unknown struct{ law.Exponential }

func TestUnknownLaw(t *testing.T) {
	sys := system(2, 1, law.ExpMean(1), class(1, 1, unknown{law.ExpMean(1)}))
	if _, err := New(device(t, plenty), &sys); err == nil || !strings.Contains(err.Error(), "no form for a GPU") {
		t.Errorf("an unknown law gives %v", err)
	}
}

// failing is a device that fails at its n-th launch.
type failing struct {
	Driver
	n int
}

func (f *failing) Launch(kernel string, blocks, threads, shared int, args ...uint64) error {
	if f.n--; f.n < 0 {
		return errors.New("unspecified launch failure")
	}
	return f.Driver.Launch(kernel, blocks, threads, shared, args...)
}

// TestDeviceFails keeps the waves before the failure and reports it; all memory
// is given back.
func TestDeviceFails(t *testing.T) {
	sys := systems()["five classes"]
	d := &failing{device(t, 4_000_000), 7}
	free, _, _ := d.Memory()
	s, err := New(d, &sys)
	if err != nil {
		t.Fatal(err)
	}
	sys.Device = s
	b := sampling.Backward{System: sys, Samples: 100_000, Window: 10, MaxWindow: 10, Batch: 100, Level: 0.95}
	res := b.Run(context.Background(), nil)
	if res.Failed == nil || !strings.Contains(res.Failed.Error(), "unspecified launch failure") || res.Done == 0 || res.Done == 100_000 {
		t.Errorf("%d samples, then %v", res.Done, res.Failed)
	}
	d.n = 20
	c := sampling.Certified{System: sys, Samples: 1_000_000, Window: 300, Eps: 0.01, Level: 0.95, Majorant: sampling.Majorant{Theta: 1, Block: 32}}
	res = c.Run(context.Background(), nil)
	if res.Failed == nil || !strings.Contains(res.Failed.Error(), "unspecified launch failure") || res.Done == 1_000_000 {
		t.Errorf("%d certified samples, then %v", res.Done, res.Failed)
	}
	s.Close()
	if now, _, _ := d.Memory(); now != free {
		t.Errorf("%d bytes were not given back", free-now)
	}
}

// TestInterrupted stops each sampler in the middle.
func TestInterrupted(t *testing.T) {
	sys, types := systems()["five classes"], typedSystems()["cpu and gpu"]
	sys.Device, types.Device = sampler(t, &sys, plenty), sampler(t, &types, plenty)
	for name, run := range map[string]func(context.Context) (int, error){
		"backward": func(ctx context.Context) (int, error) {
			r := (&sampling.Backward{System: sys, Samples: 50, Window: 1 << 40, MaxWindow: 1 << 40, Batch: 50, Level: 0.95}).Run(ctx, nil)
			return r.Done, r.Failed
		},
		"certified": func(ctx context.Context) (int, error) {
			c := &sampling.Certified{System: sys, Samples: 50, Window: 1 << 40, Eps: 1e-6, Level: 0.95, Majorant: sampling.Majorant{Theta: 1, Block: 32}}
			r := c.Run(ctx, nil)
			return r.Done, r.Failed
		},
		"certified, in the pile": func(ctx context.Context) (int, error) {
			c := &sampling.Certified{System: sys, Samples: 50, Window: 300, Eps: 1e-6, Level: 0.95, Majorant: sampling.Majorant{Theta: 1, Block: 1 << 40}}
			r := c.Run(ctx, nil)
			return r.Done, r.Failed
		},
		"forward": func(ctx context.Context) (int, error) {
			r := (&sampling.Forward{System: sys, Replications: 50, Jobs: 1 << 40, Level: 0.95}).Run(ctx, nil)
			return r.Done, r.Failed
		},
		"backward with types": func(ctx context.Context) (int, error) {
			r := (&sampling.Backward{System: types, Samples: 50, Window: 1 << 40, MaxWindow: 1 << 40, Batch: 50, Level: 0.95}).Run(ctx, nil)
			return r.Done, r.Failed
		},
		"pile": func(ctx context.Context) (int, error) {
			p := &sampling.Pile{System: sys, Replications: 50, Jobs: 1 << 40, MaxJobs: 1 << 60, RelErr: 1, Level: 0.95}
			return int(p.Run(ctx, nil).Steps), nil
		},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 150*time.Millisecond)
		started := time.Now()
		done, err := run(ctx)
		cancel()
		if took := time.Since(started); done != 0 || err != nil || took < 100*time.Millisecond || took > 10*time.Second {
			t.Errorf("%s: %d done after %v, %v", name, done, took, err)
		}
	}
}

// TestSanitised runs every kernel under the compiler's checks for addresses and
// undefined behaviour, which see an access past shared or global memory.
func TestSanitised(t *testing.T) {
	oracle.Long(t, "the same samplers on the CPU; this needs a C++ compiler")
	path, err := emulate.Build(t.TempDir(), "-Og", "-fsanitize=address,undefined", "-fno-sanitize-recover", "-Wno-stringop-overflow")
	if err != nil {
		t.Fatal(err)
	}
	all := systems()
	maps.Copy(all, typedSystems())
	for name, sys := range all {
		d, err := emulate.Open(path, plenty)
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(d, &sys)
		if err != nil {
			t.Fatal(err)
		}
		err = small(s, sys.Alike())
		s.Close()
		if err = errors.Join(err, d.Close()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// small runs every kernel of a queue on few chains.
func small(s *Sampler, plain bool) error {
	const n = 67
	ctx := context.Background()
	reps, from := make([]uint64, n), make([]int64, n)
	for i := range from {
		from[i] = -int64(300 + i)
	}
	met, err := s.Backward(ctx, reps, 600, nil)
	if err == nil {
		_, err = s.Backward(ctx, reps, 1200, met.Rows[:n])
	}
	for _, window := range []int64{100, 700} {
		if err == nil && plain {
			_, err = s.Certified(ctx, reps, window, 300, 3)
		}
	}
	for _, parts := range []int{0, 5} {
		if err == nil {
			_, err = s.Forward(ctx, 5, n, 100, 900, parts)
		}
	}
	for _, pairs := range []bool{false, true} {
		if err == nil {
			_, err = s.Paths(ctx, &sampling.Paths{Reps: reps, From: from, By: 50, Follow: 300, Pairs: pairs}, func(int, *sampling.Look) {})
		}
	}
	if err == nil {
		_, err = s.Pile(ctx, n, 100, 900)
	}
	return err
}

// TestLayout checks that every number of groups leaves room in shared memory
// for whole warps.
func TestLayout(t *testing.T) {
	for slots := 1; slots <= 3000; slots++ {
		s := Sampler{slots: slots, plan: layout(slots%2, slots)}
		if s.plan.threads < 32 || s.plan.threads%32 != 0 || s.shared(s.plan.threads, 2) > sharedBytes {
			t.Fatalf("%d groups: %d threads, %d bytes", slots, s.plan.threads, s.shared(s.plan.threads, 2))
		}
	}
	if q := nextQuota(1000, launchTime*10); q >= 1000 {
		t.Errorf("after a slow launch the quota is %d", q)
	}
	if q := nextQuota(1000, 0); q != 4000 {
		t.Errorf("after a quick launch the quota is %d", q)
	}
	var _ sampling.Device = (*Sampler)(nil)
}

// multiprocessors is a device that has n of them, of which nothing else is asked.
type multiprocessors struct {
	Driver
	n int
}

func (m multiprocessors) Multiprocessors() int { return m.n }

// TestBlocksForEveryMultiprocessor: few chains make blocks of a few threads, so that every warp that
// the device runs at once has some; many chains make the blocks that the plan says.
func TestBlocksForEveryMultiprocessor(t *testing.T) {
	s := Sampler{driver: multiprocessors{n: 132}, plan: plan{threads: 128, apart: apart}}
	for chains, threads := range map[int]int{1: 1, 1000: 1, 132 * 32: 4, 132*32 + 1: 5, 132 * 8 * 31: 31, 132*8*31 + 1: 128, 135_168: 128} {
		if got := s.threads(chains); got != threads {
			t.Errorf("%d chains: blocks of %d threads, should be %d", chains, got, threads)
		}
	}
}
