package workload

import (
	"math"
	"math/bits"

	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// With few groups in service a step is mostly waiting: for the processor to
// find out that it guessed wrongly how many groups leave and where the new one
// belongs. Here both are computed instead of guessed, for the two groups that
// leave next and the three places that come first; more is rare. Times are
// not negative, so they are handled as their bits, which order alike.

// fewInRow is the number of groups up to which Take does so.
const fewInRow = 14

// floor is how many groups without servers, which never leave, lie below the
// row: what is computed for groups that are not there then changes nothing.
const floor = 3

// row is the sorted array of few groups, the next to leave at the end.
type row struct {
	at [32]seized // n of them
	n  uint
}

// seized is a group: release time as bits, and servers.
type seized struct {
	release uint64
	count   int64
}

// Take is Step for every job, the first of which arrives at time t, without
// the waste. It returns the arrival time after the last. The results are
// Step's, to the last bit.
func (r *Runs) Take(t float64, jobs []stream.Job) float64 {
	if !r.heaped && len(r.groups) <= int(r.fewest()) && len(jobs) > 0 {
		var done int
		t, done = r.takeFew(t, jobs)
		jobs = jobs[done:]
	}
	for i := range jobs {
		j := &jobs[i]
		r.Step(t, j.Need, j.Service)
		t += j.Gap
	}
	return t
}

// fewest is how many groups may meet a job that takeFew takes: with one more
// they need not become a heap.
func (r *Runs) fewest() uint { return uint(min(fewInRow, r.many-1)) }

// takeFew takes jobs until there are more than few groups.
func (r *Runs) takeFew(t float64, jobs []stream.Job) (after float64, done int) {
	g := &r.row
	g.load(r.groups)
	n, free, front := g.n, int64(r.free), math.Float64bits(r.front)
	for limit := r.fewest() + floor; done < len(jobs) && n <= limit; done++ {
		j := &jobs[done]
		need, now := int64(j.Need), max(math.Float64bits(t), front)
		first, second := g.at[(n-1)&31], g.at[(n-2)&31]
		out := leaves(free, need, now, first.release)
		free += first.count & int64(out)
		front = max(now, first.release&out)
		n += uint(out)
		out &= leaves(free, need, now, second.release)
		free += second.count & int64(out)
		front = max(front, second.release&out)
		n += uint(out)
		if out != 0 {
			n, free, front = g.gather(n, free, need, now, front)
		}
		free -= need
		x := seized{math.Float64bits(math.Float64frombits(front) + j.Service), need}
		first, second = g.at[(n-1)&31], g.at[(n-2)&31]
		third := g.at[(n-3)&31]
		g.at[n&31] = between(x, first, x)
		g.at[(n-1)&31] = between(first, second, x)
		g.at[(n-2)&31] = between(second, third, x)
		if third.release < x.release {
			g.sink(n-3, x)
		}
		n++
		t += j.Gap
	}
	r.free, r.front = int32(free), math.Float64frombits(front)
	r.groups = g.store(r.groups, n)
	// Who let a group leave stays no shorter, so the last release is held.
	r.last = max(r.last, r.groups[0].release)
	return t, done
}

// leaves is all ones if the group that leaves next, at the given time, has to:
// it has left by now, or there are too few servers without it. Else 0.
func leaves(free, need int64, now, release uint64) uint64 {
	_, lacking := bits.Sub64(uint64(free), uint64(need), 0)
	_, later := bits.Sub64(now, release, 0)
	return -lacking | (later - 1)
}

// gather lets further groups leave until need servers are free and none that
// is there has left by now.
func (g *row) gather(n uint, free, need int64, now, front uint64) (uint, int64, uint64) {
	for free < need || g.at[(n-1)&31].release <= now {
		n--
		free += g.at[n&31].count
		front = max(now, g.at[n&31].release)
	}
	return n, free, front
}

// between is what comes to lie where upper lay, above lower, when x arrives:
// the one of the three that leaves neither first nor last.
func between(upper, lower, x seized) seized {
	count := upper.count
	if upper.release < x.release {
		count = x.count
	}
	if lower.release < x.release {
		count = lower.count
	}
	return seized{min(lower.release, max(upper.release, x.release)), count}
}

// sink puts a group into the hole or below it.
func (g *row) sink(hole uint, x seized) {
	for g.at[(hole-1)&31].release < x.release {
		g.at[hole&31] = g.at[(hole-1)&31]
		hole--
	}
	g.at[hole&31] = x
}

func (g *row) load(groups []group) {
	for i := range floor {
		g.at[i] = seized{math.MaxUint64, 0}
	}
	for i, x := range groups {
		g.at[i+floor] = seized{math.Float64bits(x.release), int64(x.count)}
	}
	g.n = uint(len(groups) + floor)
}

func (g *row) store(groups []group, n uint) []group {
	groups = groups[:0]
	for _, x := range g.at[floor:n] {
		groups = append(groups, group{math.Float64frombits(x.release), int32(x.count)})
	}
	return groups
}
