package workload

// The sorted array holds the groups by descending release, the next to leave
// at the end: leaving is a cut, and inserting moves the few that leave sooner.

// seizeSorted takes need servers at time now or later.
func (r *Runs) seizeSorted(now float64, need int32) (start, waste float64) {
	g, free := r.groups, r.free
	for n := len(g); n > 0 && g[n-1].release <= now; n = len(g) {
		free += g[n-1].count
		g = g[:n-1]
	}
	start = now
	if free < need {
		busy := float64(free) * now // Σ count·available of the servers gathered
		for free < need {
			n := len(g) - 1
			start = g[n].release
			free += g[n].count
			busy += float64(g[n].count) * start
			g = g[:n]
		}
		busy -= float64(free-need) * start
		waste = float64(need)*start - busy
	}
	r.groups, r.free = g, free-need
	return start, waste
}

// insertSorted adds a group in its place.
func (r *Runs) insertSorted(release float64, count int32) {
	g := append(r.groups, group{})
	i := len(g) - 1
	for i > 0 && g[i-1].release < release {
		g[i] = g[i-1]
		i--
	}
	g[i] = group{release, count}
	r.groups = g
}
