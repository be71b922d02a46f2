// Package workload holds the recurrences of multiserver-job queues, one step
// each. It knows no distribution and no model: a step takes an arrival time, a
// number of servers and a service time.
package workload

import "math"

// Runs is the workload vector of a first-come first-served multiserver-job
// queue as a multiset of runs (release time, number of servers), one a group
// in service, in absolute time. It follows equation (2) of Baccelli, Olliaro,
// Ajmone Marsan and Marin: coordinate i of the ordered vector at time t is
// max(0, release_i - t). Nothing is subtracted as time passes and nothing is
// stored per server, so a step costs amortised O(log runs) whatever the number
// of servers.
//
// Servers whose group has left are merged into one count: they are available
// from the latest start of service on, because no job may start before an
// earlier one. That is the lift S(α, W) of equation (2).
type Runs struct {
	servers int32
	free    int32   // servers available at front or before
	front   float64 // latest start of service; no later job starts before it
	last    float64 // latest release so far, of any server
	groups  []group // those that leave next, the next at the end
	many    int     // of more groups than this, half move to the ladder
	far     ladder  // those that leave later
	row     row     // what Take keeps groups in
}

// group is a set of servers seized together.
type group struct {
	release float64
	count   int32
}

// manyGroups is the number of groups in service beyond which the ladder beats a
// sorted array (see BenchmarkCrossover).
const manyGroups = 48

// NewRuns is an empty system of s servers at time 0. Memory grows with the
// number of groups in service, not with s.
func NewRuns(servers int) *Runs {
	r := &Runs{servers: int32(servers), many: manyGroups}
	r.groups = make([]group, 0, min(servers+1, 2*manyGroups))
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
	r.groups = append(r.groups[:0], group{t, r.servers})
	r.free, r.last = 0, max(r.last, t)
}

// Step lets a job arrive at time t that needs the given servers for the given
// service time. It returns the start of service and the head-of-line waste of
// the job: the server-time Σ_{i≤need} (start - available_i) during which the
// servers it gathers stand idle for it. Arrival times must not decrease and
// 1 ≤ need ≤ servers; times must not be negative. No allocation once warm.
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
	r.insertSorted(release, need)
	if len(r.groups) > r.many {
		r.groups = r.far.spill(r.groups)
	}
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

// Shift moves the origin of time to by, which must not lie after the next
// arrival unless it is Front, so that long runs keep their digits. What has
// been released by then counts as released at the new origin: times are never
// negative, and so may be compared as integers.
func (r *Runs) Shift(by float64) {
	r.front = max(0, r.front-by)
	r.last = max(0, r.last-by)
	shift(r.groups, by)
	r.far.shift(by)
}

func shift(g []group, by float64) {
	for i := range g {
		g[i].release = max(0, g[i].release-by)
	}
}

// InService is the number of runs held now, for measurements.
func (r *Runs) InService() int { return len(r.groups) + r.far.size() }

// Work is the sum of all coordinates of the workload vector at time t, which
// must not lie before the last arrival. Two systems of which one dominates the
// other are equal exactly when their sums are. O(groups).
func (r *Runs) Work(t float64) float64 {
	sum := float64(r.free) * max(0, r.front-t)
	sum += work(r.groups, t)
	for _, rung := range r.far.rungs[:r.far.up] {
		sum += work(rung, t)
	}
	return sum
}

func work(groups []group, t float64) (sum float64) {
	for _, g := range groups {
		sum += float64(g.count) * max(0, g.release-t)
	}
	return sum
}
