package open

import "github.com/mjqueue/mjq/mjq/internal/states"

// steps are the rates of the open system taken apart: the jobs that start after a
// completion are drawn from the line one at a time, so that a state has as many ways out
// as phases and not as many as there are runs of jobs that fit. They are a chain.LevelChain.
//
// Of the states of a level, those with a line come first, in the order of space.blocked.
type steps struct {
	*space
	lambda float64
	levels [][]int     // nodes by level, up to most+1
	fall   [][]float64 // by level and state
	climb  []float64   // by state
	freed  table       // by blocked node with a line: completions, after which the head stays, to places, or starts, to after+node
	after  int         // how many places there are
	drawn  table       // by node: a job is drawn from the endless line, and stays there or starts, to the same
	lone   table       // by node: completions that let nobody in, to nodes
	begin  table       // by node: an arrival starts, to nodes
	stays  []float64   // by node: the probability that it does not
	local  table       // by node: changes of phase, to nodes
	leave  []float64   // by node: mean time before anything happens
	group  [][]int     // by level and state
	groups int
	work   []float64
}

// table is a sparse matrix by rows.
type table struct {
	start []int32
	to    []int32
	rate  []float64
}

// take appends a row.
func (t *table) take(sum []float64, each func(visit func(to int, rate float64))) {
	if len(t.start) == 0 {
		t.start = append(t.start, 0)
	}
	lo := len(t.to)
	each(func(to int, rate float64) {
		if sum[to] == 0 {
			t.to = append(t.to, int32(to))
		}
		sum[to] += rate
	})
	for _, to := range t.to[lo:] {
		t.rate = append(t.rate, sum[to])
		sum[to] = 0
	}
	t.start = append(t.start, int32(len(t.to)))
}

func (t *table) row(i int) ([]int32, []float64) {
	lo, hi := t.start[i], t.start[i+1]
	return t.to[lo:hi:hi], t.rate[lo:hi:hi]
}

// push adds v times a row to out.
func (t *table) push(i int, v float64, out []float64) {
	to, rate := t.row(i)
	rate = rate[:len(to)]
	for k, j := range to {
		out[j] += v * rate[k]
	}
}

// newSteps prepares them, at a cost of some numbers for each node and phase.
func newSteps(x *states.Index, servers int, lambda float64) *steps {
	s := &steps{space: newSpace(x, servers), lambda: lambda}
	s.after = len(s.blocked)
	d := &drawer{space: s.space, starts: map[int][]start{}, counts: make([]int32, 0, len(x.Phases))}
	sum, counts := make([]float64, s.after+len(s.jobs)), make([]int32, len(x.Phases))
	for node := range s.jobs {
		copy(counts, s.of(node))
		free := s.free[node]
		stays := x.Above(free)
		s.stays, s.leave = append(s.stays, stays), append(s.leave, 1/(s.rate(node)+lambda))
		s.lone.take(sum, func(visit func(int, float64)) { d.completions(node, 0, visit) })
		s.local.take(sum, func(visit func(int, float64)) { d.moves(node, visit) })
		started := func(visit func(int, float64)) { s.started(counts, 0, free, 1, visit) }
		s.begin.take(sum, started)
		s.drawn.take(sum, func(visit func(int, float64)) {
			if stays > 0 {
				visit(s.place[node], stays)
			}
			started(func(to int, p float64) { visit(s.after+to, p) })
		})
	}
	for _, node := range s.blocked {
		copy(counts, s.of(node))
		s.freed.take(sum, func(visit func(int, float64)) { s.completed(counts, s.free[node], visit) })
	}
	s.work = make([]float64, s.after+len(s.jobs))
	group, groups := s.slow()
	s.groups = groups
	for n := 0; n <= s.most+1; n++ {
		nodes := s.level(n)
		fall := make([]float64, len(nodes))
		of := make([]int, len(nodes))
		for i, node := range nodes {
			_, rates := s.lone.row(node)
			for _, r := range rates {
				fall[i] += r
			}
			of[i] = group[node]
		}
		s.group = append(s.group, of)
		s.levels, s.fall = append(s.levels, nodes), append(s.fall, fall)
		for len(s.climb) < len(nodes) {
			s.climb = append(s.climb, lambda)
		}
	}
	return s
}

// started visits the nodes that follow when a job of a need above before and at most free
// starts beside counts.
func (s *steps) started(counts []int32, before, free int, rate float64, visit func(to int, rate float64)) {
	for _, k := range s.Kinds {
		if k.Need <= before || k.Need > free {
			continue
		}
		for p := k.Lo; p < k.Hi; p++ {
			if a := s.Phases[p].Start; a > 0 {
				counts[p]++
				visit(s.node(counts, s.Servers-free+k.Need), rate*k.Prob*a)
				counts[p]--
			}
		}
	}
}

// completed visits what follows a completion at a node with a line: the head of the line,
// of which is known that it did not fit in before units, stays or starts.
func (s *steps) completed(counts []int32, before int, visit func(to int, rate float64)) {
	q := s.Above(before)
	for p, n := range counts {
		rate := float64(n) * s.Phases[p].Exit / q
		if rate == 0 {
			continue
		}
		counts[p]--
		free := before + s.Needs[p]
		if a := s.Above(free); a > 0 {
			visit(s.place[s.node(counts, s.Servers-free)], rate*a)
		}
		s.started(counts, before, free, rate, func(to int, rate float64) { visit(s.after+to, rate) })
		counts[p]++
	}
}

// Last is the first level of those alike.
func (s *steps) Last() int { return s.most + 1 }

// States is their number at level n.
func (s *steps) States(n int) int { return len(s.levels[n]) }

// Climb is λ for all.
func (s *steps) Climb(n int) []float64 { return s.climb[:len(s.levels[n])] }

// Fall is the rate of completions.
func (s *steps) Fall(n int) []float64 { return s.fall[n] }

// lined is how many states of level n have a line.
func (s *steps) lined(n int) int {
	switch {
	case n > s.most:
		return s.after
	case n == 0:
		return 0
	}
	return s.upTo[n-1]
}

// Up is the arrivals.
func (s *steps) Up(n int, x, out []float64) {
	k := s.lined(n)
	for i, p := range x[:k] {
		out[i] += s.lambda * p
	}
	for i, p := range x[k:] {
		node := s.levels[n][k+i]
		if q := s.stays[node]; q > 0 {
			out[k+i] += s.lambda * p * q
		}
		to, prob := s.begin.row(node)
		for j, next := range to {
			out[s.place[next]] += s.lambda * p * prob[j]
		}
	}
}

// Down is the completions, and the jobs that start after them.
func (s *steps) Down(n int, x, out []float64) {
	k, w := s.lined(n), s.work
	for i, p := range x[:k] {
		if p != 0 {
			s.freed.push(i, p, w)
		}
	}
	for i, p := range x[k:] {
		to, rate := s.lone.row(s.levels[n][k+i])
		for j, next := range to {
			out[s.place[next]] += p * rate[j]
		}
	}
	for node := range s.jobs {
		v := w[s.after+node]
		if v == 0 {
			continue
		}
		w[s.after+node] = 0
		if s.jobs[node] == n-1 && n <= s.most { // nobody is left to be drawn
			out[s.place[node]] += v
		} else {
			s.drawn.push(node, v, w)
		}
	}
	for i := range min(len(out), s.after) {
		out[i] += w[i]
	}
	clear(w[:s.after])
}

// Under is Down: the level below those alike has the same states.
func (s *steps) Under(x, out []float64) { s.Down(s.most+1, x, out) }

// Inside is the changes of phase.
func (s *steps) Inside(n int, x, out []float64) {
	for i, node := range s.levels[n] {
		out[i] -= x[i] / s.leave[node]
		to, rate := s.local.row(node)
		for k, next := range to {
			out[s.place[next]] += x[i] * rate[k]
		}
	}
}

// passes is how often changes of phase are followed around; those that only lead on take
// one.
const passes = 30

// Stay lets the changes of phase pass the flow on until next to nothing is left. Nodes
// of later phases come first.
func (s *steps) Stay(n int, in, x []float64) {
	nodes := s.levels[n]
	if len(s.local.to) == 0 {
		for i, node := range nodes {
			x[i] = in[i] * s.leave[node]
		}
		return
	}
	clear(x)
	for range passes {
		passed, left := 0.0, 0.0
		for i := len(nodes) - 1; i >= 0; i-- {
			if in[i] == 0 {
				continue
			}
			d := in[i] * s.leave[nodes[i]]
			passed += in[i]
			in[i] = 0
			x[i] += d
			to, rate := s.local.row(nodes[i])
			for k, next := range to {
				in[s.place[next]] += d * rate[k]
			}
		}
		for _, v := range in {
			left += v
		}
		if left <= settled*passed {
			return
		}
	}
}
