package fast

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// This file speeds up blocks of jobs of which everything is noted, as in forward runs:
// it is Take with waits and wastes, and gains what Take does. The twin is Step of
// recurrence.Runs. BenchmarkAbreast times it.

// Note is Step for every job, the first of which arrives at time t. It writes their
// waits, as many as there are jobs, and returns the arrival time after the last and
// the sum of their wastes. The results are Step's, to the last bit.
func (r *Runs) Note(t float64, jobs []stream.Job, waits []float64) (after, wastes float64) {
	g := &r.row
	g.load(r.groups)
	waits = waits[:len(jobs)]
	n, free, front := g.n, int64(r.free), math.Float64bits(r.front)
	for i := range jobs {
		j := &jobs[i]
		if n < r.far.least {
			n = r.refillRow(n)
		}
		need, now := int64(j.Need), max(math.Float64bits(t), front)
		w := (*[4]seized)(g.at[n-3:])
		first, second := w[2], w[1]
		out := leaves(free, need, now, first.release)
		held := free
		free += first.count & int64(out)
		front = max(now, first.release&out)
		waste := idle(held, now, front)
		n += uint(out)
		out &= leaves(free, need, now, second.release)
		held, now = free, front
		free += second.count & int64(out)
		front = max(front, second.release&out)
		waste += idle(held, now, front)
		n += uint(out)
		if out != 0 {
			n, free, front, waste = r.gatherNoting(n, free, need, front, waste)
		}
		start := math.Float64frombits(front)
		waits[i] = start - t
		wastes += waste
		free -= need
		x := seized{math.Float64bits(start + j.Service), need}
		t += j.Gap
		if x.release >= r.far.lowest {
			r.far.add(x.release, int32(need))
			r.last = max(r.last, math.Float64frombits(x.release))
			continue
		}
		w = (*[4]seized)(g.at[n-3:])
		third := w[0]
		second, first = w[1], w[2]
		w[3] = between(x, first, x)
		w[2] = between(first, second, x)
		w[1] = between(second, third, x)
		if third.release < x.release {
			g.sink(n-3, x)
		}
		if n++; n > uint(r.many)+floor {
			n = r.spillRow(n)
		}
	}
	r.free, r.front = int32(free), math.Float64frombits(front)
	r.groups = g.store(r.groups, n)
	if len(r.groups) > 0 {
		r.last = max(r.last, r.groups[0].Release)
	}
	return t, wastes
}

// idle is the server-time that so many servers stand idle.
func idle(servers int64, from, to uint64) float64 {
	return float64(float64(servers) * (math.Float64frombits(to) - math.Float64frombits(from)))
}

// gatherNoting is gather after groups have left, the latest at front, that adds up
// the waste.
func (r *Runs) gatherNoting(n uint, free, need int64, front uint64, waste float64) (uint, int64, uint64, float64) {
	g := &r.row
	for {
		if n == floor && r.far.up > 0 {
			n = r.refillRow(n)
		}
		next := &g.at[(n-1)&(ring-1)]
		if free >= need && next.release > front {
			return n, free, front, waste
		}
		n--
		later := max(front, next.release)
		waste += idle(free, front, later)
		front = later
		free += next.count
	}
}
