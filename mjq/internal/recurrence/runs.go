// Package recurrence holds the recurrences of first-come first-served
// multiserver-job queues, one step each: a step takes an arrival time, the servers
// needed and a service time, and knows no distribution and no model. Dense is
// equation (2) of Baccelli, Olliaro, Ajmone Marsan and Marin as it stands; Runs,
// Typed, Named and Positions keep the same vectors in fewer numbers. What is tuned
// by hand for speed is in package fast, and is held against these.
package recurrence

// Runs is the workload vector of a first-come first-served multiserver-job
// queue as a multiset of runs (release time, number of servers), one a group
// in service, in absolute time. It follows equation (2) of Baccelli, Olliaro,
// Ajmone Marsan and Marin: coordinate i of the ordered vector at time t is
// max(0, release_i - t). Nothing is subtracted as time passes and nothing is
// stored per server, so a step costs O(runs) whatever the number of servers.
//
// Servers whose group has left are merged into one count: they are available
// from the latest start of service on, because no job may start before an
// earlier one. That is the lift S(α, W) of equation (2).
//
// The samplers run fast.Runs, which is the same to the last bit.
type Runs struct {
	servers int32
	free    int32   // servers available at front or before
	front   float64 // latest start of service; no later job starts before it
	last    float64 // latest release so far, of any server
	groups  Groups
}

// NewRuns is an empty system of s servers at time 0. Memory grows with the
// number of groups in service, not with s.
func NewRuns(servers int) *Runs {
	r := &Runs{servers: int32(servers), groups: make(Groups, 0, min(servers+1, 64))}
	r.Reset(0)
	return r
}

// Reset empties the system at time t.
func (r *Runs) Reset(t float64) {
	r.groups = r.groups[:0]
	r.free = r.servers
	r.front, r.last = t, t
}

// Step lets a job arrive at time t that needs the given servers for the given
// service time. It returns the start of service and the head-of-line waste of
// the job: the server-time Σ_{i≤need} (start - available_i) during which the
// servers it gathers stand idle for it. Arrival times must not decrease and
// 1 ≤ need ≤ servers; times must not be negative. No allocation once warm.
func (r *Runs) Step(t float64, need int32, service float64) (start, waste float64) {
	start, waste = r.seize(max(t, r.front), need)
	r.front = start
	r.last = max(r.last, start+service)
	r.groups = r.groups.Insert(start+service, need)
	return start, waste
}

// seize takes need servers at time now or later.
func (r *Runs) seize(now float64, need int32) (start, waste float64) {
	g, free := r.groups, r.free
	for len(g) > 0 && g[len(g)-1].Release <= now {
		free += g[len(g)-1].Count
		g = g[:len(g)-1]
	}
	start = now
	for free < need {
		next := g[len(g)-1]
		waste += float64(float64(free) * (next.Release - start))
		start = next.Release
		free += next.Count
		g = g[:len(g)-1]
	}
	r.groups, r.free = g, free-need
	return start, waste
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
	r.groups.Shift(by)
}

// InService is the number of runs held now, for measurements.
func (r *Runs) InService() int { return len(r.groups) }

// Work is the sum of all coordinates of the workload vector at time t, which
// must not lie before the last arrival. Two systems of which one dominates the
// other are equal exactly when their sums are. O(groups).
func (r *Runs) Work(t float64) float64 {
	return float64(r.free)*max(0, r.front-t) + r.groups.Work(t)
}

// View takes a snapshot at time t, which must not lie before the last arrival.
// O(runs log runs).
func (r *Runs) View(v *View, t float64) { v.Read(t, Group{r.front, r.free}, r.groups) }
