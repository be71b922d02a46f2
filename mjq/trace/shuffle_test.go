package trace_test

import (
	"math"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/trace"
)

// TestShuffle: the shuffled logs have the same jobs and the same interarrival times, in another
// order of one of them alone, and the order is that of the seed.
func TestShuffle(t *testing.T) {
	log := dailyLog(5, 6, 0.2, 1)
	services := func(x *trace.Trace) (all []float64) {
		for _, j := range x.Jobs {
			all = append(all, j.Service)
		}
		return all
	}
	gaps := func(x *trace.Trace) (all []float64) {
		for i := range x.Jobs[1:] {
			all = append(all, x.Jobs[i+1].Arrival-x.Jobs[i].Arrival)
		}
		return all
	}
	near := func(a, b []float64) bool {
		return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-6 })
	}
	jobs, times := log.ShuffleJobs(3), log.ShuffleGaps(3)
	if !near(gaps(jobs), gaps(log)) || near(services(jobs), services(log)) {
		t.Error("ShuffleJobs moves arrivals, or no job")
	}
	if near(gaps(times), gaps(log)) || !near(services(times), services(log)) {
		t.Error("ShuffleGaps moves jobs, or no arrival")
	}
	for name, pair := range map[string][2][]float64{"services": {services(jobs), services(log)}, "gaps": {gaps(times), gaps(log)}} {
		if !near(slices.Sorted(slices.Values(pair[0])), slices.Sorted(slices.Values(pair[1]))) {
			t.Errorf("%s are others than in the log", name)
		}
	}
	if !slices.Equal(services(log.ShuffleJobs(3)), services(jobs)) || slices.Equal(services(log.ShuffleJobs(4)), services(jobs)) {
		t.Error("the order is not that of the seed")
	}
	if empty := trace.New("empty", nil); len(empty.ShuffleGaps(1).Jobs)+len(empty.ShuffleJobs(1).Jobs) != 0 {
		t.Error("an empty log has jobs")
	}
}
