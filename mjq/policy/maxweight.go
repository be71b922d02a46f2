package policy

import "fmt"

// MaxWeight is a preemptive policy. Among all ways to serve x_k jobs of each need n_k that fit,
// it takes one that maximises the sum of N_k x_k, with N_k the jobs of that need in the system.
// Ties go to more busy servers, then to more jobs of the largest need, of the next, and so on.
// It serves the earliest of each need, and is stable whenever any policy is. Source: Tassiulas
// and Ephremides, IEEE TAC 37 (1992).
type MaxWeight struct{}

func init() { register(MaxWeight{}) }

// String returns the name of the policy.
func (MaxWeight) String() string { return "MaxWeight" }

// Properties returns the properties of the policy.
func (MaxWeight) Properties() Properties {
	return Properties{Preemptive: true, Packs: true, InOrder: true, Optimal: true, Order: WeightOrder, Types: Served,
		Nodes: "its schedules are sets of jobs by the sum of their needs, and such a set need not fit on nodes"}
}

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

// Scheduler has nothing but memory to work in. Ties go to more busy units of all types together, then
// to more jobs of the largest kind, of the next, and so on.
func (MaxWeight) Scheduler(of System) Scheduler {
	s := &maxWeight{units: of.units(), needs: of.needs(), best: make([][]int, len(of.Kinds)+1)}
	size := 1
	for _, n := range s.units {
		s.stride = append(s.stride, size)
		size *= n + 1
	}
	for k := range s.best {
		s.best[k] = make([]int, size)
	}
	for _, need := range s.needs {
		at := 0
		for j, n := range need {
			at += n * s.stride[j]
		}
		s.step = append(s.step, at)
	}
	return s
}

// worth is what fewer jobs of a kind are worth, by their number.
type worth struct{ jobs, value int }

// maxWeight solves a bounded knapsack, of as many dimensions as there are types, at every pass in which
// not all jobs fit, by dynamic programming. What is free of each type is one number in the mixed radix
// of the units. Cost: O(kinds × combinations of units) a pass.
type maxWeight struct {
	units  []int   // by type
	needs  [][]int // by kind and type
	best   [][]int // by kind: the most that the kinds below it are worth in what is free
	stride []int   // by type
	step   []int   // by kind, what its need is in that number
	free   []int   // by type, used again
	window []worth
}

func (s *maxWeight) Pass(v *View) {
	if s.allFit(v) {
		for k, n := range v.Waiting {
			if n > 0 {
				v.Serve(k, n+v.Running[k])
			}
		}
		return
	}
	for k := range s.needs {
		s.add(v, k)
	}
	s.free = append(s.free[:0], s.units...)
	at := len(s.best[0]) - 1
	for k := len(s.needs) - 1; k >= 0; k-- {
		step, value := s.step[k], value(v, k)
		n := min(v.Waiting[k]+v.Running[k], most(s.needs[k], s.free))
		for s.best[k][at-n*step]+n*value != s.best[k+1][at] {
			n--
		}
		at -= n * step
		for j, need := range s.needs[k] {
			s.free[j] -= n * need
		}
		served(v, k, n)
	}
}

// allFit reports whether all jobs in the system fit together.
func (s *maxWeight) allFit(v *View) bool {
	left := v.Servers
	for k, need := range v.Needs {
		left -= need * (v.Waiting[k] + v.Running[k])
	}
	if left < 0 || len(s.units) == 1 {
		return left >= 0
	}
	for j, units := range s.units {
		for k := range s.needs {
			units -= s.needs[k][j] * (v.Waiting[k] + v.Running[k])
		}
		if units < 0 {
			return false
		}
	}
	return true
}

// add finds the best with one more kind. What is free is looked at along lines that
// differ by multiples of the need, which begin where the need does not fit.
func (s *maxWeight) add(v *View, kind int) {
	jobs, from, to := v.Waiting[kind]+v.Running[kind], s.best[kind], s.best[kind+1]
	if jobs == 0 {
		copy(to, from)
		return
	}
	need := s.needs[kind]
	step, value := s.step[kind], value(v, kind)
	if len(s.units) == 1 {
		s.along(from, to, min(step, len(from)), step, jobs, value)
		return
	}
	s.free = append(s.free[:0], make([]int, len(s.units))...)
	for at := range from {
		if most(need, s.free) == 0 {
			end := at + s.length(need)*step + 1
			s.along(from[at:end], to[at:end], 1, step, jobs, value)
		}
		s.next(s.units)
	}
}

// length is how many multiples of a need can be added to what is free.
func (s *maxWeight) length(need []int) (n int) {
	n = -1
	for j, units := range s.units {
		if need[j] > 0 && (n < 0 || (units-s.free[j])/need[j] < n) {
			n = (units - s.free[j]) / need[j]
		}
	}
	return n
}

// next goes to the next combination of units.
func (s *maxWeight) next(units []int) {
	for j := range s.free {
		if s.free[j]++; s.free[j] <= units[j] {
			return
		}
		s.free[j] = 0
	}
}

// along keeps the most of a sliding window over the multiples of a need, in lines that begin at the first
// places.
func (s *maxWeight) along(from, to []int, lines, step, jobs, value int) {
	window := s.window
	for line := range lines {
		first, n := 0, 0
		window = window[:0]
		for at := line; at < len(from); at += step {
			x := worth{n, from[at] - n*value}
			for len(window) > first && window[len(window)-1].value <= x.value {
				window = window[:len(window)-1]
			}
			window = append(window, x)
			if window[first].jobs < n-jobs {
				first++
			}
			to[at] = window[first].value + n*value
			n++
		}
	}
	s.window = window
}

// value of a job of a kind: its weight, and where weights are equal its servers.
func value(v *View, kind int) int {
	return (v.Waiting[kind]+v.Running[kind])*(v.Servers+1) + v.Needs[kind]
}
