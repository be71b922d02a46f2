package speed

import (
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/recurrence/fast"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/workload"
)

// BenchmarkEventList prints the nanoseconds a job of the event list and how
// many times as long it takes as the recurrence on the same jobs in the same
// run, the drawing of the jobs left out of both.
//
//	go test ./mjq/internal/tests/speed -run xx -bench EventList
func BenchmarkEventList(b *testing.B) {
	for _, c := range []struct {
		name string
		m    mjq.Model
	}{
		{"FiveClasses/rate=1.4", workload.FiveClassExponential().Poisson(1.4)},
		{"OneAnd256/load=0.9", workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(18.4033)},
		{"CellB/rate=2.0", workload.BorgCellB().Poisson(2)},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkEventList(b, c.m) })
	}
}

// drawn are jobs drawn beforehand, over and over.
type drawn []stream.Job

func (d drawn) Fill(dst []stream.Job, first int64) { copy(dst, d[first%int64(len(d)):]) }

func benchmarkEventList(b *testing.B, m mjq.Model) {
	const jobs, warm = 1 << 18, 1 << 17
	in := make(drawn, jobs)
	problem.New(m.Spec()).System(1, 1).Input.Reader(0).Fill(in, 0)
	sim, input, runs := events.New(compiled.System{Servers: m.Spec().Servers}), events.Input(in), fast.NewRuns(m.Spec().Servers)
	now := 0.0
	steps := func(from, to int) {
		for i := from; i < to; i++ {
			runs.Step(now, in[i].Need, in[i].Service)
			now += in[i].Gap
			if i&255 == 255 {
				runs.Shift(now)
				now = 0
			}
		}
	}
	var inEvents, inSteps time.Duration
	count := 0
	b.ResetTimer()
	for ; count < b.N; count += jobs - warm {
		sim.Reset(input)
		sim.Until(warm)
		started := time.Now()
		sim.Until(jobs)
		inEvents += time.Since(started)
		runs.Reset(0)
		now = 0
		steps(0, warm)
		started = time.Now()
		steps(warm, jobs)
		inSteps += time.Since(started)
	}
	b.StopTimer()
	b.ReportMetric(float64(inEvents.Nanoseconds())/float64(count), "events-ns/job")
	b.ReportMetric(float64(inSteps.Nanoseconds())/float64(count), "step-ns/job")
	b.ReportMetric(float64(inEvents)/float64(inSteps), "events/runs")
}
