package policy

import "slices"

// favouring serves kind after kind in a fixed order, of each the earliest jobs, and stops the others.
// Cost: O(kinds × types) a pass, besides the jobs that start and stop.
type favouring struct {
	order []int   // of the kinds
	units []int   // by type
	needs [][]int // by kind and type
	free  []int   // by type, used again
}

// newFavouring favours the largest kinds of every level, or the smallest.
func newFavouring(s System, largest bool) *favouring {
	f := &favouring{order: largestFirst(s.Kinds), units: s.units(), needs: s.needs(), free: make([]int, len(s.units()))}
	if !largest {
		slices.Sort(f.order)
	}
	return f
}

// largestFirst are the kinds level after level, the largest of each level first.
func largestFirst(kinds []Kind) (order []int) {
	of := newLevels(kinds)
	for l := range of.count() {
		for k := of.first[l+1] - 1; k >= of.first[l]; k-- {
			order = append(order, k)
		}
	}
	return order
}

func (s *favouring) Pass(v *View) {
	copy(s.free, s.units)
	for _, k := range s.order {
		jobs := v.Waiting[k] + v.Running[k]
		if jobs > 0 {
			jobs = min(jobs, most(s.needs[k], s.free))
			for t, n := range s.needs[k] {
				s.free[t] -= n * jobs
			}
		}
		served(v, k, jobs)
	}
}

// served has so many jobs of a kind run.
func served(v *View, kind, jobs int) {
	if jobs != v.Running[kind] {
		v.Serve(kind, jobs)
	}
}

// most is how many jobs of a need fit in what is free of each type.
func most(need, free []int) (jobs int) {
	jobs = -1
	for j, n := range need {
		if n > 0 && (jobs < 0 || free[j]/n < jobs) {
			jobs = free[j] / n
		}
	}
	return max(jobs, 0)
}
