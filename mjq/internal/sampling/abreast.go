package sampling

import (
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/recurrence/fast"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// Replications of a queue of few servers go side by side on one goroutine; see
// fast.Abreast. What a replication gives does not depend on who stands beside it.

// few reports whether the system has few servers, for which all coordinates of the
// workload are the shortest description of it.
func (s *System) few() bool { return s.Alike() && s.Servers <= fast.MostAbreast }

// beside is how many replications of all a goroutine takes side by side: as many as
// it can if that leaves none without work.
func (s *System) beside(all int) int {
	if !s.few() {
		return 1
	}
	return max(1, min(fast.Side, all/max(1, s.Workers)))
}

// abreast is what a goroutine needs for replications side by side.
type abreast struct {
	one, all *fast.Abreast // a queue alone, and as many as can be
	readers  [fast.Side]*stream.Reader
	seen     [fast.Side][]tally // by class
	jobs     fast.Jobs
	waits    fast.Waits
}

func (s *System) newAbreast() *abreast {
	a := &abreast{one: fast.NewAbreast(s.Servers, 1), all: fast.NewAbreast(s.Servers, fast.Side)}
	for q := range a.readers {
		a.readers[q] = s.Input.Reader(0)
	}
	return a
}

// tally is where the jobs of a queue are counted, by class; it is empty.
func (a *abreast) tally(s *System, q int) []tally {
	if a.seen[q] == nil {
		a.seen[q] = newTally(s)
	}
	return a.seen[q]
}

// replicateAbreast runs the replications from first on of the parts, all together or
// one after another.
func (f *Forward) replicateAbreast(stop *atomic.Bool, a *abreast, first int, parts []forwardPart, done *atomic.Int64) bool {
	if len(parts) == fast.Side {
		return f.together(stop, a, a.all, first, parts, done)
	}
	for i := range parts {
		if !f.together(stop, a, a.one, first+i, parts[i:i+1], done) {
			return false
		}
	}
	return true
}

// together is replicate for as many replications as there are parts.
func (f *Forward) together(stop *atomic.Bool, a *abreast, queues *fast.Abreast, first int, parts []forwardPart, done *atomic.Int64) bool {
	for q := range parts {
		parts[q].reset(len(f.Needs), 0, 0)
		parts[q].seen = a.tally(&f.System, q)
		a.readers[q].Until(stop).Rewind(uint64(first + q))
	}
	queues.Reset()
	for at, end := int64(0), f.WarmUp+f.Jobs; at < end; {
		to := min(end, (at&^(block-1))+block)
		if at < f.WarmUp {
			to = min(to, f.WarmUp)
		}
		n := int(to - at)
		for q := range parts {
			a.readers[q].Fill(a.jobs[q][:n], at)
		}
		if stop.Load() { // some are not drawn
			return false
		}
		if at < f.WarmUp {
			queues.Take(&a.jobs, n)
		} else {
			queues.Note(&a.jobs, n, &a.waits)
			for q := range parts {
				count(parts[q].seen, a.jobs[q][:n], a.waits[q][:n])
			}
		}
		for q, waste := range queues.Shift() {
			if q < len(parts) {
				parts[q].hol += waste
			}
		}
		at = to
		done.Add(int64(n * len(parts)))
	}
	for q := range parts {
		if first+q > 0 && stop.Load() { // of a run that has ended only the very first is still merged
			return q > 0
		}
		parts[q].hol /= float64(f.Jobs)
		parts[q].flush()
	}
	return true
}
