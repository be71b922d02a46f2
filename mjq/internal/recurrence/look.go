package recurrence

// Copy makes r the same queue as from. No allocation once warm.
func (r *Runs) Copy(from *Runs) {
	groups := append(r.groups[:0], from.groups...)
	*r = *from
	r.groups = groups
}

// Look is what jobs of the given needs would wait that arrive at time t, which must not
// lie before the last arrival, and the sum of all coordinates. Needs ascend, and waits
// are as many. O(groups).
func (r *Runs) Look(t float64, needs []int32, waits []float64) (work float64) {
	wait, upTo, k := max(0, r.front-t), r.free, 0
	work = float64(r.free) * wait
	for i := len(r.groups) - 1; ; i-- {
		for k < len(needs) && needs[k] <= upTo {
			waits[k] = wait
			k++
		}
		if i < 0 {
			return work
		}
		// Who leaves before front is free then: no job starts earlier.
		left := max(0, r.groups[i].Release-t)
		work += float64(r.groups[i].Count) * left
		wait = max(wait, left)
		upTo += r.groups[i].Count
	}
}
