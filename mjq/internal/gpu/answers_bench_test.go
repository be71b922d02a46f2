//go:build cuda

package gpu_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

// patience is how long an answer may take: $MJQ_GPU_SECONDS, or 10. What a run has by then is
// reported.
func patience() time.Duration {
	if s, err := strconv.ParseFloat(os.Getenv("MJQ_GPU_SECONDS"), 64); err == nil && s > 0 {
		return time.Duration(s * float64(time.Second))
	}
	return 10 * time.Second
}

// replications is how many an answer on the device takes: n, or fewer if $MJQ_GPU_CHAINS ends
// with a smaller number, as it does where the device is emulated.
func replications(n int) int {
	if words := strings.Fields(os.Getenv("MJQ_GPU_CHAINS")); len(words) > 0 {
		if most, err := strconv.Atoi(words[len(words)-1]); err == nil {
			return min(n, most)
		}
	}
	return n
}

// both are the device and all cores.
var both = []mjq.Processor{mjq.GPU, mjq.CPU}

// onEach runs a benchmark on each of the processors, for at most a given time.
func onEach(b *testing.B, processors []mjq.Processor, name string, most time.Duration, run func(b *testing.B, ctx context.Context, on mjq.Processor)) {
	if _, err := mjq.Devices(); err != nil {
		b.Skip(err)
	}
	for _, on := range processors {
		b.Run(name+"/"+map[bool]string{true: "GPU", false: "CPU"}[on == mjq.GPU], func(b *testing.B) {
			for b.Loop() {
				ctx, cancel := context.WithTimeout(context.Background(), most)
				run(b, ctx, on)
				cancel()
			}
		})
	}
}

// report says how near an answer has come to its truth, which is NaN where nobody knows it, and
// how long it would have taken to 1 %.
func report(b *testing.B, r *result.Result, err error, truth float64) {
	if r == nil {
		without(b, err)
		return
	}
	mean, seconds := r.All.Waiting.Mean, r.Run.Elapsed.Seconds()
	b.ReportMetric(float64(r.Run.Steps), "steps")
	if !mean.Known() {
		b.Skipf("no sample yet after %.1f s: %v", seconds, err)
	}
	b.ReportMetric(float64(r.Run.Samples), "samples")
	b.ReportMetric(mean.Value, "mean-wait")
	b.ReportMetric(100*mean.RelErr(), "half-width-%")
	b.ReportMetric(seconds, "s")
	b.ReportMetric(seconds*math.Pow(mean.RelErr()/0.01, 2), "s-to-1%")
	if !math.IsNaN(truth) {
		b.ReportMetric((mean.Value-truth)/mean.HalfWidth, "half-widths-off")
	}
}

// without says why there is no answer: for want of time, or through a fault.
func without(b *testing.B, err error) {
	if errors.Is(err, context.DeadlineExceeded) {
		b.Skip(err)
	}
	b.Error(err)
}

// BenchmarkOnePercentOnGPU takes the mean wait of three queues to 1 %, by forward runs with
// control variates: on the device of as many replications as suit it, on the cores by default.
//
//	go test -tags cuda ./mjq/internal/gpu -run xx -bench OnePercentOnGPU -benchtime 1x
func BenchmarkOnePercentOnGPU(b *testing.B) {
	for _, c := range []struct {
		name  string
		m     mjq.Model
		truth float64
	}{
		{"five classes", workload.FiveClassExponential().Poisson(1.4), math.NaN()},
		{"1 and 256 at .9", workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(18.4033), 330.6},
		{"Cell B at .9", workload.BorgCellB().Poisson(0.9), math.NaN()},
	} {
		m := c.m.WithLimit(mjq.Must(c.m.Stability(context.Background())))
		onEach(b, both, c.name, patience(), func(b *testing.B, ctx context.Context, on mjq.Processor) {
			how := mjq.Forward{Controls: mjq.PlainControls, Device: on}
			if on == mjq.GPU {
				how.Replications = replications(16384)
			}
			r, err := m.Solve(ctx, how, mjq.RelErr(0.01))
			report(b, r, err, c.truth)
		})
	}
}

// BenchmarkPapersOnGPU draws what two tables of the MJSRE paper show: certified samples of its
// Table 1, beside the exact means, and the stability limit of its Figure 3, which is 1.80086.
//
//	go test -tags cuda ./mjq/internal/gpu -run xx -bench PapersOnGPU -benchtime 1x
func BenchmarkPapersOnGPU(b *testing.B) {
	onEach(b, both, "Figure 3", patience()/2, func(b *testing.B, ctx context.Context, on mjq.Processor) {
		how := mjq.Pile{Device: on}
		if on == mjq.GPU {
			how.Replications = replications(65536)
		}
		s, err := workload.FiveClassExponential().Stability(ctx, how, mjq.RelErr(0.0005), mjq.MaxJobs(2_000_000_000))
		if s == nil {
			without(b, err)
			return
		}
		b.ReportMetric(s.Rate, "limit")
		b.ReportMetric(s.HalfWidth, "half-width")
		b.ReportMetric((s.Rate-1.80086)/s.HalfWidth, "half-widths-off")
	})
	for load := 0.1; load < 0.95; load += 0.1 {
		m := workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(math.Round(load*20.448071665897*1e4) / 1e4)
		truth := mjq.Must(m.Solve(context.Background(), mjq.Exact{MomentsOnly: true})).All.Waiting.Mean.Value
		processors := both[:1]
		if tenth := math.Round(10 * load); tenth == 5 || tenth == 7 || tenth == 9 {
			processors = both
		}
		onEach(b, processors, fmt.Sprintf("Table 1 at %.1f", load), 2*patience()/5, func(b *testing.B, ctx context.Context, on mjq.Processor) {
			how := mjq.Certified{Device: on, PathLength: int(4e4 * load / ((1 - load) * (1 - load)))}
			r, err := m.Solve(ctx, how, mjq.RelErr(0.01), mjq.Seed(4))
			report(b, r, err, truth)
		})
	}
}
