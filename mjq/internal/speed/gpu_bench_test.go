//go:build cuda

package speed

import (
	"context"
	"fmt"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/workload"
)

// BenchmarkOnGPU times the samplers on both processors, in steps of the
// recurrence per second. The windows are fixed, so that all do the same work, and
// long enough for the queues to forget that they started empty. The first two
// queues are those of kernels/cuda/dense.py.
func BenchmarkOnGPU(b *testing.B) {
	if _, err := mjq.Devices(); err != nil {
		b.Skip(err)
	}
	oneAndMany := mjq.Servers(256).Poisson(12).Class("1", 1, 0.99, mjq.ExpMean(1)).Class("256", 256, 0.01, mjq.ExpMean(1))
	models := []struct {
		name string
		m    mjq.Model
	}{
		{"five classes", workload.FiveClassExponential().AtRate(1.4)},
		{"1 and 256", oneAndMany},
		{"bounded Pareto", workload.FiveClassBoundedPareto().AtRate(1.4)},
	}
	for _, c := range models {
		mjq.Must(c.m.Stability(background))
		for _, on := range []mjq.Processor{mjq.CPU, mjq.GPU} {
			for _, n := range []int{1_000, 10_000, 100_000} {
				if on == mjq.CPU && n > 1_000 {
					continue // the cores are as busy with few
				}
				b.Run(fmt.Sprintf("backward/%s/%v/%d", c.name, on, n), func(b *testing.B) {
					rate(b, func() (int64, float64) {
						r := mjq.Must(c.m.Solve(context.Background(), mjq.Backward{Samples: n, Window: 1000, MaxWindow: 1000, Device: on}))
						return r.Run.Steps, r.All.Waiting.Mean.Value
					})
				})
				b.Run(fmt.Sprintf("forward/%s/%v/%d", c.name, on, n), func(b *testing.B) {
					rate(b, func() (int64, float64) {
						r := mjq.Must(c.m.Solve(context.Background(), mjq.Forward{Replications: n, WarmUp: 1000, Jobs: 1000, Device: on}))
						return r.Run.Steps, r.All.Waiting.Mean.Value
					})
				})
			}
		}
	}
}

// BenchmarkCertifiedOnGPU times certified samples beside those of the cores. The bound,
// which the cores find for both, is part of it.
func BenchmarkCertifiedOnGPU(b *testing.B) {
	if _, err := mjq.Devices(); err != nil {
		b.Skip(err)
	}
	const eps = 1e-6
	for name, m := range map[string]mjq.Model{
		"five classes": workload.FiveClassExponential().AtRate(1.4),
		"1 and 256":    workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(10.224),
	} {
		mjq.Must(m.Stability(background))
		for _, on := range []mjq.Processor{mjq.CPU, mjq.GPU} {
			for _, n := range []int{1_000, 10_000, 100_000} {
				if on == mjq.CPU && n > 1_000 {
					continue // the cores are as busy with few
				}
				b.Run(fmt.Sprintf("%s/%v/%d", name, on, n), func(b *testing.B) {
					rate(b, func() (int64, float64) {
						r := mjq.Must(m.Solve(context.Background(), mjq.Certified{Samples: n, Device: on}))
						return r.Run.Steps, r.All.Waiting.Mean.Value
					})
				})
			}
		}
	}
}

// BenchmarkTypesOnGPU times queues with types of resources, of few groups and of
// many, which lie in sorted arrays whatever their number.
func BenchmarkTypesOnGPU(b *testing.B) {
	if _, err := mjq.Devices(); err != nil {
		b.Skip(err)
	}
	for name, c := range map[string]mjq.Model{
		"20 cpus":   training(1.5),
		"2048 cpus": mjq.Resources("cpu", 2048).Resources("gpu", 64).Poisson(400).Needing("batch", mjq.Needs{"cpu": 1}, 0.9, mjq.ExpMean(1)).Needing("train", mjq.Needs{"cpu": 16, "gpu": 1}, 0.1, mjq.ExpMean(1)),
	} {
		mjq.Must(c.Stability(background))
		for _, on := range []mjq.Processor{mjq.CPU, mjq.GPU} {
			for _, n := range []int{1_000, 10_000} {
				if on == mjq.CPU && n > 1_000 {
					continue
				}
				b.Run(fmt.Sprintf("%s/%v/%d", name, on, n), func(b *testing.B) {
					rate(b, func() (int64, float64) {
						r := mjq.Must(c.Solve(context.Background(), mjq.Backward{Samples: n, Window: 1000, MaxWindow: 1000, Device: on}))
						return r.Run.Steps, r.All.Waiting.Mean.Value
					})
				})
			}
		}
	}
}

// rate reports what the runs did per second, and the mean wait they saw.
func rate(b *testing.B, run func() (steps int64, mean float64)) {
	var steps int64
	var mean float64
	for b.Loop() {
		n, m := run()
		steps += n
		mean = m
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
	b.ReportMetric(mean, "mean-wait")
}
