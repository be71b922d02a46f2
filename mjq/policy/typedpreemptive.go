package policy

// typedPreemptive serves kind after kind. Cost: O(kinds × types) a pass, besides the jobs
// that start and stop.
type typedPreemptive struct {
	free    []int // by type
	largest bool  // first
}

func (s *typedPreemptive) Pass(v *View) {
	copy(s.free, v.Units)
	for i := range v.NeedUnits {
		k := i
		if s.largest {
			k = len(v.NeedUnits) - 1 - i
		}
		jobs := min(v.Waiting[k]+v.Running[k], most(v.NeedUnits[k], s.free))
		for j, n := range v.NeedUnits[k] {
			s.free[j] -= n * jobs
		}
		if jobs != v.Running[k] {
			v.Serve(k, jobs)
		}
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
