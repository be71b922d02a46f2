package open

// entry is a rate to a state, named by its place in its level.
type entry struct {
	to   int32
	rate float64
}

// rows is a sparse matrix of rates.
type rows struct {
	start []int32
	list  []entry
}

func (r *rows) row(i int) []entry { return r.list[r.start[i]:r.start[i+1]] }

// times adds x times the matrix to out.
func (r *rows) times(x, out []float64) {
	for i, v := range x {
		if v == 0 {
			continue
		}
		for _, e := range r.row(i) {
			out[e.to] += v * e.rate
		}
	}
}

// start is what a run of jobs drawn from the line adds to those in service: so
// many jobs in these phases, with the probability that all of them fit.
type start struct {
	added []int32
	jobs  int
	used  int
	prob  float64
}

// drawer finds the jobs that start when servers are free.
type drawer struct {
	*space
	starts map[int][]start // by free units
	counts []int32         // scratch
	sum    []float64       // by place in a level, 0 between uses
}

// from lists the runs of drawn jobs that fit in a given number of free units, the empty
// one first, by ascending number of jobs.
func (d *drawer) from(free int) []start {
	if list, ok := d.starts[free]; ok {
		return list
	}
	list := []start{{added: make([]int32, len(d.Phases)), prob: 1}}
	for lo := 0; lo < len(list); {
		hi := len(list)
		seen := map[string]int{}
		for _, s := range list[lo:hi] {
			for _, k := range d.Kinds {
				if s.used+k.Need > free {
					continue
				}
				for p := k.Lo; p < k.Hi; p++ {
					if d.Phases[p].Start == 0 {
						continue
					}
					next := start{append([]int32(nil), s.added...), s.jobs + 1, s.used + k.Need, s.prob * k.Prob * d.Phases[p].Start}
					next.added[p]++
					at, ok := seen[key(next.added)]
					if !ok {
						seen[key(next.added)] = len(list)
						list = append(list, next)
						continue
					}
					list[at].prob += next.prob
				}
			}
		}
		lo = hi
	}
	d.starts[free] = list
	return list
}

func key(counts []int32) string {
	var b []byte
	for _, n := range counts {
		b = append(b, byte(n), byte(n>>8))
	}
	return string(b)
}

// endless is a line that does not run out within an event.
const endless = 1 << 30

// completions lists the states of the level below that follow a completion at
// a node with a given number of jobs in line. Rates to one state may come in parts.
func (d *drawer) completions(node, line int, visit func(to int, rate float64)) {
	counts := append(d.counts[:0], d.of(node)...)
	d.counts = counts
	free := d.free[node]
	for p, n := range counts {
		rate := float64(n) * d.Phases[p].Exit
		if rate == 0 {
			continue
		}
		counts[p]--
		if line == 0 {
			visit(d.node(counts, d.Servers-free-d.Needs[p]), rate)
		} else {
			d.head(counts, free, free+d.Needs[p], line, rate, visit)
		}
		counts[p]++
	}
}

// head lets the HOL job, which did not fit in before units, start in free ones
// if it fits, and others after it.
func (d *drawer) head(counts []int32, before, free, line int, rate float64, visit func(to int, rate float64)) {
	rate /= d.Above(before)
	if q := d.Above(free); q > 0 {
		visit(d.node(counts, d.Servers-free), rate*q)
	}
	for _, k := range d.Kinds {
		if k.Need <= before || k.Need > free {
			continue
		}
		for p := k.Lo; p < k.Hi; p++ {
			if d.Phases[p].Start > 0 {
				counts[p]++
				d.draw(counts, free-k.Need, line-1, rate*k.Prob*d.Phases[p].Start, visit)
				counts[p]--
			}
		}
	}
}

// draw starts jobs from the line until one does not fit or none is left.
func (d *drawer) draw(counts []int32, free, line int, rate float64, visit func(to int, rate float64)) {
	sum := make([]int32, len(counts))
	for _, s := range d.from(free) {
		if s.jobs > line {
			return
		}
		prob := s.prob
		if s.jobs < line {
			prob *= d.Above(free - s.used)
		}
		if prob == 0 {
			continue
		}
		for i, n := range s.added {
			sum[i] = counts[i] + n
		}
		visit(d.node(sum, d.Servers-free+s.used), rate*prob)
	}
}

// arrivals lists the states of the level above that follow an arrival at a node
// with a given number of jobs in line.
func (d *drawer) arrivals(node, line int, rate float64, visit func(to int, rate float64)) {
	if line > 0 {
		visit(node, rate)
		return
	}
	if q := d.Above(d.free[node]); q > 0 {
		visit(node, rate*q)
	}
	counts := append(d.counts[:0], d.of(node)...)
	d.counts = counts
	for _, k := range d.Kinds {
		if k.Need > d.free[node] {
			continue
		}
		for p := k.Lo; p < k.Hi; p++ {
			if s := d.Phases[p].Start; s > 0 {
				counts[p]++
				visit(d.node(counts, d.Servers-d.free[node]+k.Need), rate*k.Prob*s)
				counts[p]--
			}
		}
	}
}

// moves lists the states that follow a change of phase.
func (d *drawer) moves(node int, visit func(to int, rate float64)) {
	counts := append(d.counts[:0], d.of(node)...)
	d.counts = counts
	for p, n := range counts {
		if n == 0 {
			continue
		}
		for _, m := range d.Phases[p].Moves {
			counts[p]--
			counts[m.To]++
			visit(d.node(counts, d.Servers-d.free[node]), float64(n)*m.Rate)
			counts[m.To]--
			counts[p]++
		}
	}
}

// level is the rates out of a level.
type level struct {
	nodes           []int
	rate            []float64 // of leaving, without arrivals
	up, local, down rows
}

// level finds the rates of level n under arrivals of a rate; n beyond most is
// any homogeneous level.
func (d *drawer) build(n int, lambda float64) *level {
	l := &level{nodes: d.level(n)}
	d.counts = make([]int32, 0, len(d.Phases))
	if d.sum == nil {
		d.sum = make([]float64, len(d.blocked)+len(d.jobs))
	}
	sum := d.sum
	for _, node := range l.nodes {
		line := n - d.jobs[node]
		if n > d.most {
			line = endless
		}
		l.rate = append(l.rate, d.rate(node))
		l.down.collect(sum, func(visit func(int, float64)) {
			d.completions(node, line, func(to int, r float64) { visit(d.place[to], r) })
		})
		l.local.collect(sum, func(visit func(int, float64)) {
			d.moves(node, func(to int, r float64) { visit(d.place[to], r) })
		})
		l.up.collect(sum, func(visit func(int, float64)) {
			d.arrivals(node, line, lambda, func(to int, r float64) { visit(d.place[to], r) })
		})
	}
	l.down.end()
	l.local.end()
	l.up.end()
	return l
}

// collect appends a row, adding up the rates to one state; sum is zero before
// and after.
func (r *rows) collect(sum []float64, each func(visit func(to int, rate float64))) {
	r.start = append(r.start, int32(len(r.list)))
	lo := len(r.list)
	each(func(to int, rate float64) {
		if sum[to] == 0 {
			r.list = append(r.list, entry{to: int32(to)})
		}
		sum[to] += rate
	})
	for i := range r.list[lo:] {
		e := &r.list[lo+i]
		e.rate, sum[e.to] = sum[e.to], 0
	}
}

func (r *rows) end() { r.start = append(r.start, int32(len(r.list))) }
