package open

// row collects the rates out of one state.
type row struct {
	g           *ages
	low         *part // where states without a HOL job are numbered
	toUp, toLow tally
	starts      []float64
}

// tally adds up the rates to one state, in the order in which they are met.
type tally struct {
	at   map[int]int
	list []entry
}

func (t *tally) add(to int, rate float64) {
	if t.at == nil {
		t.at = map[int]int{}
	}
	i, ok := t.at[to]
	if !ok {
		i = len(t.list)
		t.at[to] = i
		t.list = append(t.list, entry{to: int32(to)})
	}
	t.list[i].rate += rate
}

func (r *rows) append(t *tally) {
	r.start = append(r.start, int32(len(r.list)))
	r.list = append(r.list, t.list...)
}

// toNone adds a rate to a state without a HOL job. What is reached on the way
// down may be reached at 0.
func (r *row) toNone(node, phase int, rate float64) {
	s := age{node, noHead, phase, 0}
	r.g.zero.number(s)
	r.toLow.add(r.low.number(s), rate)
}

// admit lets size jobs of a label come to the head one by one.
func (r *row) admit(node, l, phase, size int, rate float64) {
	now, g := tally{}, r.g
	now.add(node, rate)
	for left := size - 1; left >= 0; left-- {
		next := tally{}
		for _, e := range now.list {
			if q := g.above(l, g.free[e.to]); q > 0 {
				r.toUp.add(g.up.number(age{int(e.to), l, phase, left}), e.rate*q)
			}
			for k, p := range g.labels[l].probs {
				if p > 0 && g.Plan.Kinds[k].Need <= g.free[e.to] {
					r.begin(int(e.to), l, k, e.rate*p, next.add)
				}
			}
		}
		now = next
	}
	for _, e := range now.list {
		r.toNone(int(e.to), phase, e.rate)
	}
}

// begin starts a job of a kind in each phase that it can begin in.
func (r *row) begin(node, l, kind int, rate float64, visit func(node int, rate float64)) {
	g, k := r.g, &r.g.Plan.Kinds[kind]
	for p := k.Lo; p < k.Hi; p++ {
		if s := g.Phases[p].Start; s > 0 {
			r.starts[g.labels[l].first+kind] += rate * s
			visit(g.plus[node*len(g.Phases)+p], rate*s)
		}
	}
}

// fromDown is time between arrivals, and the arrivals.
func (g *ages) fromDown(s age, r *row) {
	for j, rate := range g.arrivals.D0[s.phase] {
		if j != s.phase && rate > 0 {
			r.toNone(s.node, j, rate)
		}
	}
	for i, e := range g.arrivals.Events {
		for j, rate := range e.Rates[s.phase] {
			if rate > 0 {
				r.admit(s.node, g.origin[i], j, e.Size, rate)
			}
		}
	}
}

// fromZero is the system without a line.
func (g *ages) fromZero(s age, r *row) {
	g.fromDown(s, r)
	g.serve(s.node, func(to int, rate float64, _ bool) { r.toNone(to, s.phase, rate) })
}

// fromUp is service while a HOL job waits. It starts when it fits, and those
// behind it in its batch come to the head at once.
func (g *ages) fromUp(s age, r *row) {
	free := g.free[s.node]
	before := g.above(s.label, free)
	g.serve(s.node, func(to int, rate float64, over bool) {
		state := s
		state.node = to
		if !over {
			r.toUp.add(g.up.number(state), rate)
			return
		}
		if q := g.above(s.label, g.free[to]); q > 0 {
			r.toUp.add(g.up.number(state), rate*q/before)
		}
		for k, p := range g.labels[s.label].probs {
			if need := g.Plan.Kinds[k].Need; p > 0 && need > free && need <= g.free[to] {
				r.begin(to, s.label, k, rate*p/before, func(node int, rate float64) {
					r.admit(node, s.label, s.phase, s.more, rate)
				})
			}
		}
	})
}

// serve visits the nodes that follow by a change of phase or, over, a
// completion.
func (g *ages) serve(node int, visit func(to int, rate float64, over bool)) {
	n := len(g.Phases)
	for p, count := range g.space.of(node) {
		if count == 0 {
			continue
		}
		less := g.minus[node*n+p]
		if rate := g.Phases[p].Exit; rate > 0 {
			visit(less, float64(count)*rate, true)
		}
		for _, m := range g.Phases[p].Moves {
			visit(g.plus[less*n+m.To], float64(count)*m.Rate, false)
		}
	}
}
