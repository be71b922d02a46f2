package trace

import (
	"math/rand/v2"
	"slices"
)

// ShuffleJobs returns the trace with its jobs in random order; the times at which jobs arrive stay.
// Waits that fall by it owe something to jobs that follow others like them. The order depends on
// the seed alone.
func (t *Trace) ShuffleJobs(seed uint64) *Trace {
	rng, jobs := rand.New(rand.NewPCG(seed, 1)), slices.Clone(t.Jobs)
	rng.Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
	for i := range jobs {
		jobs[i].Arrival = t.Jobs[i].Arrival
	}
	return t.changed("jobs in random order", jobs)
}

// ShuffleGaps returns the trace with its interarrival times in random order; the jobs keep theirs.
// Waits that fall by it owe something to busy hours and bursts. The order depends on the seed
// alone.
func (t *Trace) ShuffleGaps(seed uint64) *Trace {
	rng, jobs := rand.New(rand.NewPCG(seed, 0)), slices.Clone(t.Jobs)
	gaps := make([]float64, max(0, len(jobs)-1))
	for i := range gaps {
		gaps[i] = t.Jobs[i+1].Arrival - t.Jobs[i].Arrival
	}
	rng.Shuffle(len(gaps), func(i, j int) { gaps[i], gaps[j] = gaps[j], gaps[i] })
	for i, gap := range gaps {
		jobs[i+1].Arrival = jobs[i].Arrival + gap
	}
	return t.changed("interarrival times in random order", jobs)
}
