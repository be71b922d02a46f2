package recurrence

// What follows is what Typed and Positions, whose jobs have to agree on a start with
// several vectors before any server is taken, ask of Runs: coordinates are looked at
// first and removed later.

// coordinate is when the server at position i of the ordered vector, from 0 on,
// is free, at floor or later; the floor for position -1. O(runs).
func (r *Runs) coordinate(floor float64, i int32) float64 {
	upTo := r.free
	for n := len(r.groups) - 1; ; n-- {
		if i < upTo {
			return floor
		}
		upTo += r.groups[n].Count
		floor = max(floor, r.groups[n].Release)
	}
}

// lift is the lift of equation (2): no coordinate stays below start. It returns
// Σ_i (start - W^i)^+ with W^i at least floor, the server-time spent idle.
func (r *Runs) lift(floor, start float64) (idle float64) {
	g, free := r.groups, r.free
	idle = float64(free) * (start - floor)
	for n := len(g); n > 0 && g[n-1].Release <= start; n = len(g) {
		free += g[n-1].Count
		idle += float64(g[n-1].Count) * (start - max(floor, g[n-1].Release))
		g = g[:n-1]
	}
	r.groups, r.free, r.front = g, free, start
	return idle
}

// occupy gives need of the servers free now to a job that releases them then.
func (r *Runs) occupy(need int32, release float64) {
	if need == 0 {
		return
	}
	r.free -= need
	r.last = max(r.last, release)
	r.groups = r.groups.Insert(release, need)
}

// passed makes what has been released by time t free from t on; nothing else
// is lifted.
func (r *Runs) passed(t float64) { r.lift(t, t) }

// pull takes count servers out of the ordered vector from the lowest on,
// leaving the others as they are, and returns their Σ (start - W^i).
func (r *Runs) pull(floor, start float64, count int32) (idle float64) {
	taken := min(count, r.free)
	r.free -= taken
	count -= taken
	idle = float64(taken) * (start - floor)
	for n := len(r.groups) - 1; count > 0; n-- {
		g := &r.groups[n]
		taken = min(count, g.Count)
		g.Count -= taken
		count -= taken
		idle += float64(taken) * (start - g.Release)
		if g.Count == 0 {
			r.groups = r.groups[:n]
		}
	}
	return idle
}

// lowest is the smallest coordinate.
func (r *Runs) lowest() float64 {
	if n := len(r.groups); r.free == 0 && n > 0 {
		return r.groups[n-1].Release
	}
	return r.front
}
