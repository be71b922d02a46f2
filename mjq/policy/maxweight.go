package policy

// MaxWeight is a preemptive policy. Among all ways to serve x_k jobs of each need n_k that fit,
// it takes one that maximises the sum of N_k x_k, with N_k the jobs of that need in the system.
// Ties go to more busy servers, then to more jobs of the largest need, of the next, and so on.
// It serves the earliest of each need, and is stable whenever any policy is. Source: Tassiulas
// and Ephremides, IEEE TAC 37 (1992).
type MaxWeight struct{}

func init() { register(MaxWeight{}) }

// String is the name.
func (MaxWeight) String() string { return "MaxWeight" }

// Properties returns the properties of the policy.
func (MaxWeight) Properties() Properties {
	return Properties{Preemptive: true, Packs: true, InOrder: true, Optimal: true, Order: WeightOrder, Types: Served,
		Nodes: "its schedules are sets of jobs by the sum of their needs, and such a set need not fit on nodes"}
}

// Scheduler has nothing but memory to work in.
func (MaxWeight) Scheduler(s System) Scheduler {
	if s.Units != nil {
		return newTypedMaxWeight(s.Units, len(s.Kinds))
	}
	return &maxWeight{best: make([][]int, len(s.Kinds)+1)}
}

// maxWeight solves a bounded knapsack at every pass in which not all jobs fit, by
// dynamic programming. Cost: O(kinds × servers) a pass.
type maxWeight struct {
	best   [][]int // by kind: the most that the kinds below it are worth on a given number of servers
	window []worth
}

// worth is what fewer jobs of a kind are worth, by their number.
type worth struct{ jobs, value int }

func (s *maxWeight) Pass(v *View) {
	total := 0
	for k, need := range v.Needs {
		total += need * (v.Waiting[k] + v.Running[k])
	}
	if total <= v.Servers {
		for k, n := range v.Waiting {
			if n > 0 {
				v.Serve(k, n+v.Running[k])
			}
		}
		return
	}
	if s.best[0] == nil {
		for k := range s.best {
			s.best[k] = make([]int, v.Servers+1)
		}
	}
	for k, need := range v.Needs {
		s.add(v, k, need)
	}
	free := v.Servers
	for k := len(v.Needs) - 1; k >= 0; k-- {
		need, jobs := v.Needs[k], v.Waiting[k]+v.Running[k]
		n, value := min(jobs, free/v.Needs[k]), value(v, k)
		for s.best[k][free-n*need]+n*value != s.best[k+1][free] {
			n--
		}
		free -= n * need
		if n != v.Running[k] {
			v.Serve(k, n)
		}
	}
}

// value of a job of a kind: its weight, and where weights are equal its servers.
func value(v *View, kind int) int {
	return (v.Waiting[kind]+v.Running[kind])*(v.Servers+1) + v.Needs[kind]
}

// add finds the best with one more kind. Servers that differ by multiples of the need
// are looked at together; over these the most of a sliding window is kept.
func (s *maxWeight) add(v *View, kind, need int) {
	jobs, value := v.Waiting[kind]+v.Running[kind], value(v, kind)
	from, to := s.best[kind], s.best[kind+1]
	if jobs == 0 {
		copy(to, from)
		return
	}
	for rest := range min(need, v.Servers+1) {
		s.window = s.window[:0]
		first := 0
		for n := 0; rest+n*need <= v.Servers; n++ {
			x := worth{n, from[rest+n*need] - n*value}
			for len(s.window) > first && s.window[len(s.window)-1].value <= x.value {
				s.window = s.window[:len(s.window)-1]
			}
			s.window = append(s.window, x)
			if s.window[first].jobs < n-jobs {
				first++
			}
			to[rest+n*need] = s.window[first].value + n*value
		}
	}
}
