package optimum

// graph is the decision process of a system cut at a number of jobs. A state is what a
// decision is made in, and a choice what it is made of: by a policy that preempts, the
// numbers of jobs, and the set that runs then; else the jobs that run and wait, and those
// after some have started. A choice lasts until the next arrival or departure, which
// leads to the next state.
type graph struct {
	*System
	cut      int
	sets     [][]int // that fit together
	side     int     // cut + 1
	boxes    int     // side to the power of the number of classes
	index    []int32 // of states by where they stand in a box; -1
	states   int
	from     []int32   // by state, its first choice in list
	list     []int32   // choices
	running  []uint8   // by choice, the set that runs
	cost     []float64 // by choice, a unit of time
	jobs     []uint8   // by choice and class, jobs in the system
	arrival  []int32   // by choice and class, the state after an arrival; -1: turned away
	depart   []int32   // by choice and class, the state after a departure; -1: none runs
	standing []int     // by state, where it stands in a box: see place
}

// Size is the number of states and choices of a system cut at a number of jobs, about.
func (s *System) size(cut int) float64 {
	n := 1.0
	for k := range s.Classes {
		n *= float64(cut+1+k) / float64(k+1)
	}
	return n * float64(len(s.schedules()))
}

// bytesPerState is about what a choice takes, with its state.
const bytesPerState = 160

func newGraph(s *System, cut int) *graph {
	g := &graph{System: s, cut: cut, sets: s.schedules(), side: cut + 1, boxes: 1}
	for range s.Classes {
		g.boxes *= g.side
	}
	if s.Preemptive {
		g.preemptive()
	} else {
		g.nonpreemptive()
	}
	return g
}

// place is where a vector of numbers stands in a box, and unplace the vector.
func (g *graph) place(n []int) (at int) {
	for k := len(n) - 1; k >= 0; k-- {
		at = at*g.side + n[k]
	}
	return at
}

func (g *graph) unplace(at int, n []int) {
	for k := range n {
		n[k] = at % g.side
		at /= g.side
	}
}

// each calls f for all vectors of numbers with a given sum.
func (g *graph) each(sum int, f func(n []int)) {
	n := make([]int, len(g.Classes))
	var from func(k, left int)
	from = func(k, left int) {
		if k == len(n)-1 {
			n[k] = left
			f(n)
			return
		}
		for n[k] = 0; n[k] <= left; n[k]++ {
			from(k+1, left-n[k])
		}
	}
	from(0, sum)
}

// number gives the states their numbers, in order of their jobs, so that sweeps run up
// and down; copies is how many states stand at one place of a box.
func (g *graph) number(copies int, jobs func(copy int) int) {
	g.index = make([]int32, copies*g.boxes)
	for i := range g.index {
		g.index[i] = -1
	}
	for total := 0; total <= g.cut; total++ {
		for c := range copies {
			if jobs(c) > total {
				continue
			}
			g.each(total-jobs(c), func(n []int) {
				at := c*g.boxes + g.place(n)
				g.index[at] = int32(g.states)
				g.standing = append(g.standing, at)
				g.states++
			})
		}
	}
}

// preemptive lists states and choices where jobs may be stopped. No set of fewer jobs than
// fit is ever better: a job that runs can be stopped as soon as that is better.
func (g *graph) preemptive() {
	g.number(1, func(int) int { return 0 })
	n, next := make([]int, len(g.Classes)), make([]int, len(g.Classes))
	for state := range g.states {
		g.unplace(g.standing[state], n)
		g.from = append(g.from, int32(len(g.list)))
		for set, x := range g.sets {
			if !g.maximal(x, n) {
				continue
			}
			g.list = append(g.list, int32(len(g.running)))
			g.choice(uint8(set), n, x, func(k, by int) int32 {
				copy(next, n)
				next[k] += by
				return g.index[g.place(next)]
			})
		}
	}
	g.from = append(g.from, int32(len(g.list)))
}

// maximal reports whether a set is of the given jobs, and no other job fits.
func (g *graph) maximal(x, n []int) bool {
	free := g.Servers
	for k := range x {
		if x[k] > n[k] {
			return false
		}
		free -= x[k] * g.Classes[k].Need
	}
	for k := range x {
		if x[k] < n[k] && g.Classes[k].Need <= free {
			return false
		}
	}
	return true
}

// nonpreemptive lists states and choices where jobs that run go on. Servers may stay idle
// although a job waits that fits.
func (g *graph) nonpreemptive() {
	held := make([]int, len(g.sets))
	for i, x := range g.sets {
		for _, jobs := range x {
			held[i] += jobs
		}
	}
	g.number(len(g.sets), func(set int) int { return held[set] })
	n, next, all := make([]int, len(g.Classes)), make([]int, len(g.Classes)), make([]int, len(g.Classes))
	setOf := g.setOf()
	for state := range g.states {
		set, x := g.set(state, n)
		copy(all, n)
		for k := range all {
			all[k] += x[k]
		}
		// Choice number state is that nothing more starts.
		g.choice(uint8(set), all, x, func(k, by int) int32 {
			if by > 0 {
				copy(next, n)
				next[k]++
				return g.index[set*g.boxes+g.place(next)]
			}
			copy(next, x)
			next[k]--
			return g.index[setOf(next)*g.boxes+g.place(n)]
		})
	}
	for state := range g.states {
		g.from = append(g.from, int32(len(g.list)))
		_, x := g.set(state, n)
		for after, y := range g.sets {
			if to := g.started(x, y, n, after, next); to >= 0 {
				g.list = append(g.list, to)
			}
		}
	}
	g.from = append(g.from, int32(len(g.list)))
}

// set is the set that runs in a state without preemption, and n becomes the jobs that
// wait.
func (g *graph) set(state int, n []int) (set int, x []int) {
	set = g.standing[state] / g.boxes
	g.unplace(g.standing[state]%g.boxes, n)
	return set, g.sets[set]
}

// setOf finds sets by their jobs.
func (g *graph) setOf() func(x []int) int {
	by := map[[MostClasses]int]int{}
	key := func(x []int) (a [MostClasses]int) { copy(a[:], x); return a }
	for i, x := range g.sets {
		by[key(x)] = i
	}
	return func(x []int) int { return by[key(x)] }
}

// started is the choice in which y runs, when x ran and n waited; -1 if it cannot, or if
// nothing would ever happen again.
func (g *graph) started(x, y, n []int, after int, next []int) int32 {
	total, jobs := 0, 0
	for k := range x {
		if y[k] < x[k] || y[k]-x[k] > n[k] {
			return -1
		}
		next[k] = n[k] + x[k] - y[k]
		total += next[k] + y[k]
		jobs += y[k]
	}
	if jobs == 0 && total == g.cut {
		return -1
	}
	return g.index[after*g.boxes+g.place(next)]
}

// choice appends a choice: the set x runs of all jobs, and to is the state after one job
// more or less.
func (g *graph) choice(set uint8, all, x []int, to func(k, by int) int32) {
	cost, total := 0.0, 0
	for k, c := range g.Classes {
		cost += c.Weight * float64(all[k])
		total += all[k]
		g.jobs = append(g.jobs, uint8(all[k]))
	}
	g.running, g.cost = append(g.running, set), append(g.cost, cost)
	for k := range g.Classes {
		up, down := int32(-1), int32(-1)
		if total < g.cut {
			up = to(k, 1)
		}
		if x[k] > 0 {
			down = to(k, -1)
		}
		g.arrival, g.depart = append(g.arrival, up), append(g.depart, down)
	}
}
