//go:build cuda

package gpu

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/sampling"
)

// chainsToTime are the numbers of chains, ascending: those that $MJQ_GPU_CHAINS lists, or up to what
// a large device takes at once.
func chainsToTime() []int { return listed("MJQ_GPU_CHAINS", 1_000, 16_384, 131_072) }

// jobsToTime is how many jobs a chain takes: $MJQ_GPU_JOBS, or 1000.
func jobsToTime() int64 { return int64(listed("MJQ_GPU_JOBS", 1000)[0]) }

func listed(name string, usual ...int) (list []int) {
	for _, word := range strings.Fields(os.Getenv(name)) {
		if n, err := strconv.Atoi(word); err == nil && n > 0 {
			list = append(list, n)
		}
	}
	if list == nil {
		return usual
	}
	return list
}

// timed are the samplers, each of which runs n chains and says how many steps it took.
var timed = []struct {
	name string
	run  func(ctx context.Context, sys sampling.System, n int, jobs int64) (steps int64, err error)
}{
	{"forward", func(ctx context.Context, sys sampling.System, n int, jobs int64) (int64, error) {
		r := (&sampling.Forward{System: sys, Replications: n, WarmUp: jobs / 2, Jobs: jobs / 2, Level: 0.95}).Run(ctx, nil)
		return r.Steps, r.Failed
	}},
	{"controlled", func(ctx context.Context, sys sampling.System, n int, jobs int64) (int64, error) {
		r := (&sampling.Forward{System: sys, Replications: n, WarmUp: jobs / 2, Jobs: jobs / 2, Controlled: true, Level: 0.95}).Run(ctx, nil)
		return r.Steps, r.Failed
	}},
	{"backward", func(ctx context.Context, sys sampling.System, n int, jobs int64) (int64, error) {
		r := (&sampling.Backward{System: sys, Samples: n, Window: jobs, MaxWindow: jobs, Batch: 32, Level: 0.95}).Run(ctx, nil)
		return r.Steps, r.Failed
	}},
	{"certified", func(ctx context.Context, sys sampling.System, n int, jobs int64) (int64, error) {
		r := (&sampling.Certified{System: sys, Samples: n, Window: jobs, Eps: 1e-6, Level: 0.95, Majorant: sampling.Majorant{Theta: 0.8, Block: 300}}).Run(ctx, nil)
		return r.Steps, r.Failed
	}},
	{"followed", func(ctx context.Context, sys sampling.System, n int, jobs int64) (int64, error) {
		sys.Light = true
		r := (&sampling.Unbiased{System: sys, Samples: n, Window: jobs / 2, Follow: jobs / 2, Level: 0.95}).Run(ctx, nil)
		return r.Steps, r.Failed
	}},
	{"pile", func(ctx context.Context, sys sampling.System, n int, jobs int64) (int64, error) {
		p := sampling.Pile{System: sys, Replications: n, WarmUp: jobs / 2, Jobs: jobs / 2, MaxJobs: int64(n) * jobs, RelErr: 1e-9, Level: 0.95}
		p.MeanWork = make([]float64, len(sys.Needs))
		r := p.Run(ctx, nil)
		return r.Steps, r.Failed
	}},
}

// rowTime is how long a row may take; one that takes longer says so.
const rowTime = 3 * time.Second

// steps runs a sampler once and reports its steps a second: "steps/s" counts all that an answer
// takes, "kernel-steps/s" the launches alone.
func steps(b *testing.B, d *only, sys sampling.System, run func(context.Context, sampling.System, int, int64) (int64, error), n int, jobs int64) {
	var all int64
	d.took = 0
	for b.Loop() {
		ctx, cancel := context.WithTimeout(context.Background(), rowTime)
		more, err := run(ctx, sys, n, jobs)
		late := ctx.Err() != nil
		cancel()
		if err != nil {
			b.Fatal(err)
		}
		if late {
			b.Skipf("not done in %v", rowTime)
		}
		all += more
	}
	b.ReportMetric(float64(all)/b.Elapsed().Seconds(), "steps/s")
	if sys.Device != nil {
		b.ReportMetric(float64(all)/d.took.Seconds(), "kernel-steps/s")
	}
}

// BenchmarkKernels prints the steps of the recurrence a second of every sampler, on the device
// and for the same work on all cores, by the number of chains, the smallest first.
//
//	MJQ_GPU_CHAINS='1000 100000' go test -tags cuda ./mjq/internal/gpu -run xx -bench Kernels -benchtime 1x
func BenchmarkKernels(b *testing.B) {
	d := onDriver(b)
	queues := systems()
	for name, sys := range map[string]sampling.System{"types, few": typedSystems()["cpu and gpu"], "types, many": typedSystems()["many"]} {
		queues[name] = sys
	}
	for i, n := range chainsToTime() {
		for _, by := range timed {
			for _, name := range []string{"five classes", "1 and 256", "types, few", "types, many"} {
				for _, on := range []string{"GPU", "CPU"} {
					sys := queues[name]
					sys.Workers = runtime.GOMAXPROCS(0)
					if by.name == "certified" && !sys.Alike() || on == "CPU" && i > 0 {
						continue // no bound is known; and the cores are as busy with few chains
					}
					b.Run(fmt.Sprintf("%d/%s/%s/%s", n, by.name, name, on), func(b *testing.B) {
						if on == "GPU" {
							s, err := New(d, &sys)
							if err != nil {
								b.Skip(err)
							}
							defer s.Close()
							if by.name == "pile" && n > s.Room() {
								b.Skip("towers stay on the device together")
							}
							sys.Device = s
						}
						steps(b, d, sys, by.run, n, jobsToTime())
					})
				}
			}
		}
	}
}

// BenchmarkBlocks prints the same for forward runs of 4096 chains with control variates, which is
// how many a run to a target takes at once, by among how many warps of a multiprocessor they are
// shared out.
func BenchmarkBlocks(b *testing.B) {
	d := onDriver(b)
	for _, name := range []string{"five classes", "1 and 256", "types, few", "types, many"} {
		for _, apart := range []int{1, 4, 8, 16, 32} {
			b.Run(fmt.Sprintf("%d/%s", apart, name), func(b *testing.B) {
				sys := systems()[name]
				if typed, ok := typedSystems()[map[string]string{"types, few": "cpu and gpu", "types, many": "many"}[name]]; ok {
					sys = typed
				}
				s, err := New(d, &sys)
				if err != nil {
					b.Skip(err)
				}
				defer s.Close()
				s.plan.apart = apart
				sys.Device = s
				steps(b, d, sys, timed[1].run, min(4096, chainsToTime()[len(chainsToTime())-1]), 20*jobsToTime())
			})
		}
	}
}
