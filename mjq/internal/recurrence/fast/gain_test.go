package fast

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/recurrence"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// BenchmarkGain prints how many times faster than the plain recurrence a step and a
// job of Take are, on the same exponential jobs by turns, as the median of the ratios
// of pieces of 4096 jobs. The headers of this package quote it.
//
//	go test ./mjq/internal/recurrence/fast -run xx -bench Gain -benchtime 1x
func BenchmarkGain(b *testing.B) {
	for _, c := range []struct {
		name    string
		servers int
		needs   []int32
	}{
		{"few", 20, []int32{1, 2, 5, 10, 15}}, {"some", 60, []int32{1, 2, 4}}, {"many", 256, []int32{1}}, {"thousands", 4096, []int32{1, 2}},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkGain(b, c.servers, c.needs) })
	}
}

func benchmarkGain(b *testing.B, servers int, needs []int32) {
	const piece = 4096
	rng := rand.New(rand.NewPCG(1, 1))
	mean := 0.0
	for _, n := range needs {
		mean += float64(n) / float64(len(needs))
	}
	jobs := make([]stream.Job, piece)
	for i := range jobs {
		jobs[i] = stream.Job{Need: needs[rng.IntN(len(needs))], Service: rng.ExpFloat64(), Gap: rng.ExpFloat64() * mean / float64(servers) / 0.7}
	}
	plain, step, take := recurrence.NewRuns(servers), NewRuns(servers), NewRuns(servers)
	var steps, takes []float64
	groups := 0
	for at := range 400 * b.N {
		started := time.Now()
		now := 0.0
		for i := range jobs {
			plain.Step(now, jobs[i].Need, jobs[i].Service)
			now += jobs[i].Gap
		}
		plain.Shift(now)
		after := time.Now()
		now = 0
		for i := range jobs {
			step.Step(now, jobs[i].Need, jobs[i].Service)
			now += jobs[i].Gap
		}
		step.Shift(now)
		last := time.Now()
		take.Shift(take.Take(0, jobs))
		if at >= 50 { // warm by now
			twin := float64(after.Sub(started))
			steps, takes = append(steps, twin/float64(last.Sub(after))), append(takes, twin/float64(time.Since(last)))
			groups += plain.InService()
		}
	}
	median := func(x []float64) float64 { return slices.Sorted(slices.Values(x))[len(x)/2] }
	b.ReportMetric(median(steps), "plain/step")
	b.ReportMetric(median(takes), "plain/take")
	b.ReportMetric(float64(groups)/float64(len(steps)), "groups")
}
