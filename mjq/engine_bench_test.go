package mjq

import (
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/internal/workload"
)

// BenchmarkEngine prints, for the papers' three workloads on one core, the
// nanoseconds a job of the stream alone, of the recurrence alone and of both
// together, and how many times faster the run-length recurrence is than the
// dense sorted vector on the same jobs in the same run.
//
//	go test ./mjq -run xx -bench Engine
func BenchmarkEngine(b *testing.B) {
	for _, c := range []struct {
		name string
		m    *Model
	}{
		{"FiveClasses/rate=1.4", Must(FiveClassExponential().Poisson(1.4).Build())},
		{"OneAnd256/load=0.9", Must(OneOrAll(256, 0.001, 1, 0.025).Poisson(18.4033).Build())},
		{"CellB/rate=2.0", Must(BorgCellB().Poisson(2).Build())},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkEngine(b, c.m) })
	}
}

func benchmarkEngine(b *testing.B, m *Model) {
	const block, warm = 256, 1 << 17
	sys := m.system(1, 1)
	reader := sys.Input.Reader(0)
	runs := workload.NewRuns(m.servers)
	jobs := make([]stream.Job, block)
	now := 0.0
	step := func() {
		for i := range jobs {
			runs.Step(now, jobs[i].Need, jobs[i].Service)
			now += jobs[i].Gap
		}
		runs.Shift(now)
		now = 0
	}
	for at := int64(0); at < warm; at += block {
		reader.Fill(jobs, at)
		step()
	}
	var inStream, inStep time.Duration
	groups, count := 0, 0
	b.ResetTimer()
	for i := 0; i < b.N; i += block {
		started := time.Now()
		reader.Fill(jobs, int64(warm+i))
		filled := time.Now()
		step()
		inStep += time.Since(filled)
		inStream += filled.Sub(started)
		groups += runs.InService()
		count++
	}
	b.StopTimer()
	done := float64(count * block)
	b.ReportMetric(float64(inStream.Nanoseconds())/done, "stream-ns/job")
	b.ReportMetric(float64(inStep.Nanoseconds())/done, "step-ns/job")
	b.ReportMetric(float64(groups)/float64(count), "groups")
	b.ReportMetric(denseTime(m.servers, jobs)/(float64(inStep.Nanoseconds())/done), "dense/runs")
}

// denseTime is the nanoseconds a job of the dense twin on the given jobs,
// repeated for at least a tenth of a second.
func denseTime(servers int, jobs []stream.Job) float64 {
	dense, n, started := workload.NewDense(servers), 0, time.Now()
	for time.Since(started) < 100*time.Millisecond {
		for i := range jobs {
			dense.Arrive(int(jobs[i].Need), jobs[i].Service)
			dense.Pass(jobs[i].Gap)
		}
		n += len(jobs)
	}
	return float64(time.Since(started).Nanoseconds()) / float64(n)
}
