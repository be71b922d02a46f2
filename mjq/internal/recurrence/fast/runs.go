// Package fast holds the recurrences of package recurrence tuned by hand: the same
// steps to the last bit, faster. The header of each file says what it speeds up and
// what was gained (BenchmarkGain, in ratios of one run); the twin that it is held
// against is in package recurrence.
package fast

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/recurrence"
)

// This file chooses between the forms. Its twin is recurrence.Runs, one sorted array:
// Runs keeps up to manyGroups groups in such an array, and of more only those that
// leave next, the others on the ladder of ladder.go; whole blocks of jobs go through
// the row of few.go.

// Runs is the workload vector of a first-come first-served multiserver-job queue;
// see recurrence.Runs. A step costs amortised O(log runs).
type Runs struct {
	servers int32
	free    int32   // servers available at front or before
	front   float64 // latest start of service; no later job starts before it
	last    float64 // latest release so far, of any server
	groups  groups  // those that leave next
	many    int     // of more groups than this, half move to the ladder
	far     ladder  // those that leave later
	row     row     // what Take keeps groups in
}

type (
	group  = recurrence.Group
	groups = recurrence.Groups
)

// manyGroups is the number of groups in service beyond which the ladder beats a
// sorted array (see BenchmarkCrossover).
const manyGroups = 48

// NewRuns is an empty system of s servers at time 0. Memory grows with the
// number of groups in service, not with s.
func NewRuns(servers int) *Runs {
	r := &Runs{servers: int32(servers), many: manyGroups}
	r.groups = make(groups, 0, min(servers+1, 2*manyGroups))
	r.Reset(0)
	return r
}

// Reset empties the system at time t.
func (r *Runs) Reset(t float64) {
	r.groups = r.groups[:0]
	r.far.reset()
	r.free = r.servers
	r.front, r.last = t, t
}

// Occupy keeps all servers of an empty system busy until time t.
func (r *Runs) Occupy(t float64) {
	r.groups = append(r.groups[:0], group{Release: t, Count: r.servers})
	r.free, r.last = 0, max(r.last, t)
}

// Step is that of recurrence.Runs. No allocation once warm.
func (r *Runs) Step(t float64, need int32, service float64) (start, waste float64) {
	if len(r.groups) < 2 && r.far.up > 0 {
		r.two()
	}
	start, waste = r.seize(max(t, r.front), need)
	r.front = start
	release := start + service
	r.last = max(r.last, release)
	if key := math.Float64bits(release); key >= r.far.lowest {
		r.far.add(key, need)
		return start, waste
	}
	r.groups = r.groups.Insert(release, need)
	if len(r.groups) > r.many {
		r.groups = r.far.spill(r.groups)
	}
	return start, waste
}

// seize takes need servers at time now or later, refilling the array from the ladder
// where it runs out.
func (r *Runs) seize(now float64, need int32) (start, waste float64) {
	g, free := r.groups, r.free
	for {
		if len(g) == 0 {
			if g = r.far.refill(g); len(g) == 0 {
				break
			}
		}
		next := g[len(g)-1]
		if next.Release > now {
			break
		}
		free += next.Count
		g = g[:len(g)-1]
	}
	start = now
	for free < need {
		if len(g) == 0 {
			g = r.far.refill(g)
		}
		next := g[len(g)-1]
		waste += float64(float64(free) * (next.Release - start))
		start = next.Release
		free += next.Count
		g = g[:len(g)-1]
	}
	r.groups, r.free = g, free-need
	return start, waste
}

// two sees to it that the two groups that leave next are in the array, if there
// are as many.
func (r *Runs) two() {
	for len(r.groups) < 2 && r.far.up > 0 {
		r.groups = r.far.refill(r.groups)
	}
}

// Pile adds a job to the saturated system, in which every job is present from
// the beginning: equation (7).
func (r *Runs) Pile(need int32, service float64) (start, waste float64) {
	return r.Step(0, need, service)
}

// Top is the time at which the last server becomes free: the height of the
// pile, and the maximal coordinate of the workload plus the time.
func (r *Runs) Top() float64 { return r.last }

// Front is the latest start of service: no later job starts before it.
func (r *Runs) Front() float64 { return r.front }

// Shift moves the origin of time to by; see recurrence.Runs.
func (r *Runs) Shift(by float64) {
	r.front = max(0, r.front-by)
	r.last = max(0, r.last-by)
	r.groups.Shift(by)
	r.far.shift(by)
}

// InService is the number of runs held now, for measurements.
func (r *Runs) InService() int { return len(r.groups) + r.far.size() }

// Work is the sum of all coordinates of the workload vector at time t, which
// must not lie before the last arrival. O(groups).
func (r *Runs) Work(t float64) float64 {
	sum := float64(r.free) * max(0, r.front-t)
	sum += r.groups.Work(t)
	for _, rung := range r.far.rungs[:r.far.up] {
		sum += rung.Work(t)
	}
	return sum
}

// View takes a snapshot at time t, which must not lie before the last arrival.
// O(runs log runs).
func (r *Runs) View(v *recurrence.View, t float64) {
	v.Read(t, group{Release: r.front, Count: r.free}, r.groups, r.far.rungs[:r.far.up]...)
}
