package speed

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/recurrence"
	"github.com/mjqueue/mjq/mjq/internal/recurrence/fast"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

var background = context.Background()

// BenchmarkEngine prints, for the papers' three workloads on one core, the
// nanoseconds a job of the stream alone and of the recurrence alone, medians of
// blocks of 4096 jobs so that another's use of the machine falls out, and how many times faster the run-length recurrence is than the
// dense sorted vector on the same jobs in the same run.
//
//	go test ./mjq/internal/tests/speed -run xx -bench Engine
func BenchmarkEngine(b *testing.B) {
	for _, c := range []struct {
		name string
		m    mjq.Model
	}{
		{"FiveClasses/rate=1.4", workload.FiveClassExponential().Poisson(1.4)},
		{"OneAnd256/load=0.9", workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(18.4033)},
		{"CellB/rate=2.0", workload.BorgCellB().Poisson(2)},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkEngine(b, c.m) })
	}
}

func benchmarkEngine(b *testing.B, m mjq.Model) {
	const block, piece, warm = 256, 4096, 1 << 17
	sys := problem.New(m.Spec()).System(1, 1)
	reader := sys.Input.Reader(0)
	runs := fast.NewRuns(m.Spec().Servers)
	jobs := make([]stream.Job, block)
	var inStream, inStep []float64
	groups := 0
	for at := 0; at < warm+b.N; at += piece {
		if at == warm {
			b.ResetTimer()
			inStream, inStep, groups = nil, nil, 0
		}
		var filling, stepping time.Duration
		for i := at; i < at+piece; i += block {
			started := time.Now()
			reader.Fill(jobs, int64(i))
			filled := time.Now()
			runs.Shift(runs.Take(0, jobs))
			stepping += time.Since(filled)
			filling += filled.Sub(started)
		}
		inStream = append(inStream, float64(filling.Nanoseconds())/piece)
		inStep = append(inStep, float64(stepping.Nanoseconds())/piece)
		groups += runs.InService()
	}
	b.StopTimer()
	median := func(x []float64) float64 { return slices.Sorted(slices.Values(x))[len(x)/2] }
	b.ReportMetric(median(inStream), "stream-ns/job")
	b.ReportMetric(median(inStep), "step-ns/job")
	b.ReportMetric(float64(groups)/float64(len(inStep)), "groups")
	b.ReportMetric(denseTime(m.Spec().Servers, jobs)/median(inStep), "dense/runs")
}

// denseTime is the nanoseconds a job of the dense twin on the given jobs,
// repeated for at least a tenth of a second.
func denseTime(servers int, jobs []stream.Job) float64 {
	dense, n, started := recurrence.NewDense(servers), 0, time.Now()
	for time.Since(started) < 100*time.Millisecond {
		for i := range jobs {
			dense.Arrive(int(jobs[i].Need), jobs[i].Service)
			dense.Pass(jobs[i].Gap)
		}
		n += len(jobs)
	}
	return float64(time.Since(started).Nanoseconds()) / float64(n)
}

// BenchmarkServers runs the five-class mix with all needs and the servers
// multiplied alike: the same groups in service, on 20 to a million servers. The
// cost of a step, a median as above, must not grow with s.
func BenchmarkServers(b *testing.B) {
	for _, servers := range []int{20, 200, 2000, 20_000, 200_000, 1_000_000} {
		b.Run(fmt.Sprintf("s=%d", servers), func(b *testing.B) {
			model := mjq.Servers(servers).Poisson(1.4)
			for _, c := range workload.FiveClassExponential().Spec().Classes {
				model = model.Class(c.Name, c.Need*servers/20, c.Prob, c.Service)
			}
			p := priced(model, max(20, b.N/8192), false)
			b.ReportMetric(p.stream, "stream-ns/job")
			b.ReportMetric(p.step, "step-ns/job")
		})
	}
}

// BenchmarkSamplers prints samples a second of backward sampling on all cores,
// the steps a sample takes, and which part of them is left of what doubling
// would take without the merging of windows (Remark 2 of the paper).
func BenchmarkSamplers(b *testing.B) {
	for _, c := range []struct {
		name string
		m    mjq.Model
	}{
		{"FiveClasses/rate=1.4", workload.FiveClassExponential().Poisson(1.4)},
		{"OneAnd256/load=0.5", workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(10.224)},
		{"OneAnd256/load=0.8", workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(16.3585)},
	} {
		b.Run(c.name, func(b *testing.B) {
			mjq.Must(c.m.Stability(background))
			samples, steps, naive := 0, 0.0, 0.0
			b.ResetTimer()
			for i := 0; i < b.N; i++ {
				r := mjq.Must(c.m.Solve(background, mjq.Backward{Samples: 256}, mjq.Seed(uint64(i))))
				samples += r.Run.Samples
				steps += float64(r.Run.Steps)
				naive += float64(r.Run.Samples) * float64(2*r.Run.MaxWindow-r.Run.Window)
			}
			b.ReportMetric(float64(samples)/b.Elapsed().Seconds(), "samples/s")
			b.ReportMetric(steps/float64(samples), "steps/sample")
			b.ReportMetric(steps/naive, "merged/naive")
		})
	}
}

// BenchmarkCertified draws certified samples, the search for the bound included,
// and reports the steps of a sample and the proven decay θ beside the true one.
func BenchmarkCertified(b *testing.B) {
	for _, c := range []struct {
		name string
		m    mjq.Model
		n    int
	}{
		{"FiveClasses/rate=1.4", workload.FiveClassExponential().Poisson(1.4), 4000},
		{"OneAnd256/load=0.5", workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(10.224), 200},
		{"OneAnd256/load=0.9", workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(18.4033), 4},
	} {
		b.Run(c.name, func(b *testing.B) {
			truth := c.m.Rate() * (1/mjq.Must(c.m.Solve(background, mjq.Exact{MomentsOnly: true})).Jobs.Decay - 1)
			b.ResetTimer()
			var last *result.Result
			for b.Loop() {
				last = mjq.Must(c.m.Solve(background, mjq.Certified{Samples: c.n}))
			}
			b.ReportMetric(float64(c.n)/last.Run.Elapsed.Seconds(), "samples/s")
			b.ReportMetric(float64(last.Run.Steps)/float64(c.n), "steps/sample")
			b.ReportMetric(last.Run.Theta, "theta")
			b.ReportMetric(truth, "true-decay")
		})
	}
}

// BenchmarkExact solves the open queue on one core: the processor time of moments alone
// (moments-s) and with the distributions of waiting and response times (all-s), and their
// ratio, medians of as many runs of both in turn.
//
//	go test ./mjq/internal/tests/speed -run xx -bench Exact -benchtime 9x
func BenchmarkExact(b *testing.B) {
	for _, c := range []struct {
		name string
		m    mjq.Model
	}{
		{"FiveClasses/rate=1.4", workload.FiveClassExponential().Poisson(1.4)},
		{"OneAnd256/load=0.9", workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(18.4033)},
		{"FiveClasses/MMPP", workload.FiveClassExponential().MMPP([]float64{0.5, 1.5}, [][]float64{{-0.05, 0.05}, {0.05, -0.05}})},
	} {
		mjq.Must(c.m.Stability(background))
		b.Run(c.name, func(b *testing.B) {
			var moments, all, ratios []float64
			for b.Loop() {
				q := mjq.Options(mjq.Exact{}, mjq.Workers(1))
				moments = append(moments, used(1e9, func() { mjq.Must(c.m.Solve(background, mjq.Exact{MomentsOnly: true}, mjq.Workers(1))) }))
				all = append(all, used(1e9, func() { mjq.Must(c.m.Solve(background, q)) }))
				ratios = append(ratios, all[len(all)-1]/moments[len(moments)-1])
			}
			b.ReportMetric(middle(moments), "moments-s")
			b.ReportMetric(middle(all), "all-s")
			b.ReportMetric(middle(ratios), "all/moments")
			b.ReportMetric(0, "ns/op")
		})
	}
}
