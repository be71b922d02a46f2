package policy

import "fmt"

// mostCombinations of units of all types are kept by MaxWeight, for all kinds together.
const mostCombinations = 4_000_000

// Validate asks for few enough combinations of units of several types.
func (p MaxWeight) Validate(s System) error {
	n := float64(len(s.Classes) + 1)
	for _, u := range s.Units {
		n *= float64(u) + 1
	}
	if s.Units != nil && n > mostCombinations {
		return fmt.Errorf("policy %s: it looks at all combinations of units for each need at every pass, with %v units at %.3g numbers, more than %d; count in larger units, or choose another policy", p, s.Units, n, mostCombinations)
	}
	return nil
}

// newTypedMaxWeight has nothing but memory to work in. Ties go to more busy units of all
// types together, then to more jobs of the largest kind, of the next, and so on.
func newTypedMaxWeight(units []int, kinds int) *typedMaxWeight {
	s := &typedMaxWeight{best: make([][]int, kinds+1), stride: make([]int, len(units))}
	size := 1
	for j, n := range units {
		s.stride[j] = size
		size *= n + 1
	}
	for k := range s.best {
		s.best[k] = make([]int, size)
	}
	return s
}

// typedMaxWeight is maxWeight for a knapsack of several dimensions: what is free of each
// type is one number in the mixed radix of the units. Cost: O(kinds × combinations of
// units) a pass in which not all jobs fit.
type typedMaxWeight struct {
	best   [][]int // by kind: the most that the kinds below it are worth in what is free
	stride []int   // by type
	free   []int   // by type, used again
	window []worth
}

func (s *typedMaxWeight) Pass(v *View) {
	if s.allFit(v) {
		for k, n := range v.Waiting {
			if n > 0 {
				v.Serve(k, n+v.Running[k])
			}
		}
		return
	}
	for k := range v.NeedUnits {
		s.add(v, k)
	}
	s.free = append(s.free[:0], v.Units...)
	at := len(s.best[0]) - 1
	for k := len(v.NeedUnits) - 1; k >= 0; k-- {
		step, value := s.at(v.NeedUnits[k]), value(v, k)
		n := min(v.Waiting[k]+v.Running[k], most(v.NeedUnits[k], s.free))
		for s.best[k][at-n*step]+n*value != s.best[k+1][at] {
			n--
		}
		at -= n * step
		for j, need := range v.NeedUnits[k] {
			s.free[j] -= n * need
		}
		if n != v.Running[k] {
			v.Serve(k, n)
		}
	}
}

// allFit reports whether all jobs in the system fit together.
func (s *typedMaxWeight) allFit(v *View) bool {
	for j, units := range v.Units {
		for k, need := range v.NeedUnits {
			units -= need[j] * (v.Waiting[k] + v.Running[k])
		}
		if units < 0 {
			return false
		}
	}
	return true
}

// at is the number of a vector of units.
func (s *typedMaxWeight) at(units []int) (n int) {
	for j, u := range units {
		n += u * s.stride[j]
	}
	return n
}

// add finds the best with one more kind. What is free is looked at along lines that
// differ by multiples of the need, which begin where the need does not fit.
func (s *typedMaxWeight) add(v *View, kind int) {
	jobs, from, to := v.Waiting[kind]+v.Running[kind], s.best[kind], s.best[kind+1]
	if jobs == 0 {
		copy(to, from)
		return
	}
	need := v.NeedUnits[kind]
	step, value := s.at(need), value(v, kind)
	s.free = append(s.free[:0], make([]int, len(v.Units))...)
	for at := range from {
		if most(need, s.free) == 0 {
			s.along(from[at:], to[at:], step, s.length(v, need), jobs, value)
		}
		s.next(v.Units)
	}
}

// length is how many multiples of a need can be added to what is free.
func (s *typedMaxWeight) length(v *View, need []int) (n int) {
	n = -1
	for j, units := range v.Units {
		if need[j] > 0 && (n < 0 || (units-s.free[j])/need[j] < n) {
			n = (units - s.free[j]) / need[j]
		}
	}
	return n
}

// next goes to the next combination of units.
func (s *typedMaxWeight) next(units []int) {
	for j := range s.free {
		if s.free[j]++; s.free[j] <= units[j] {
			return
		}
		s.free[j] = 0
	}
}

// along keeps the most of a sliding window over the multiples of a need.
func (s *typedMaxWeight) along(from, to []int, step, length, jobs, value int) {
	s.window = s.window[:0]
	first := 0
	for n := range length + 1 {
		x := worth{n, from[n*step] - n*value}
		for len(s.window) > first && s.window[len(s.window)-1].value <= x.value {
			s.window = s.window[:len(s.window)-1]
		}
		s.window = append(s.window, x)
		if s.window[first].jobs < n-jobs {
			first++
		}
		to[n*step] = s.window[first].value + n*value
	}
}
