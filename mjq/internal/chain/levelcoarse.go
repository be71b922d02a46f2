package chain

import (
	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/mam"
)

// blocks are the rates of a level by group, given the laws inside the groups.
type blocks struct{ up, inside, down *mat.Dense }

// watch is the chain watched by groups at level n.
func (t *iteration) watch(n int) (b blocks, mass []float64) {
	k, c := t.level(n), t.groups
	x, g := t.at[n], t.c.Group(k)
	mass = make([]float64, c)
	for i, p := range x {
		mass[g[i]] += p
	}
	b = blocks{mat.NewDense(c, c, nil), mat.NewDense(c, c, nil), mat.NewDense(c, c, nil)}
	part := t.part[:len(x)]
	for h, m := range mass {
		if !(m > 0) {
			b.inside.Set(h, h, -1)
			continue
		}
		for i, p := range x {
			part[i] = 0
			if g[i] == h {
				part[i] = p / m
			}
		}
		add := func(to *mat.Dense, level int, move func(out []float64)) {
			out := t.in[:t.c.States(t.level(level))]
			clear(out)
			move(out)
			row, at := to.RawRowView(h), t.c.Group(t.level(level))
			for i, v := range out {
				row[at[i]] += v
			}
		}
		add(b.up, n+1, func(out []float64) { t.c.Up(k, part, out) })
		add(b.inside, n, func(out []float64) { t.c.Inside(k, part, out) })
		if n > 0 {
			add(b.down, n-1, func(out []float64) { t.down(n, part, out) })
		}
	}
	return b, mass
}

// regroup gives the groups of all levels the masses that they would have if the laws
// inside them were right: level n has those of level n-1 times rise[n]. It is false if
// the context ended first.
func (t *iteration) regroup() bool {
	if t.groups == 1 {
		return true // balance does it
	}
	all, masses := make([]blocks, t.top+1), make([][]float64, t.top+1)
	for n := range all {
		if t.ctx.Err() != nil {
			return false
		}
		all[n], masses[n] = t.watch(n)
	}
	rise := make([]*mat.Dense, t.top+1)
	a := mat.NewDense(t.groups, t.groups, nil)
	t.closure(a, masses[t.top])
	a.Add(a, all[t.top].inside)
	for n := t.top; n > 0; n-- {
		var inverse mat.Dense
		if err := inverse.Inverse(a); err != nil && inverse.IsEmpty() {
			return true // too early
		}
		inverse.Scale(-1, &inverse)
		rise[n] = mat.NewDense(t.groups, t.groups, nil)
		rise[n].Mul(all[n-1].up, &inverse)
		a.Mul(rise[n], all[n].down)
		a.Add(a, all[n-1].inside)
	}
	if m := lowest(a, masses[0]); m != nil {
		t.weigh(m, rise, masses)
	}
	return true
}

// closure makes a the flow down from beyond the top, by groups of the top.
func (t *iteration) closure(a *mat.Dense, mass []float64) {
	x := t.at[t.top]
	g := t.c.Group(t.c.Last())
	part, out := t.part[:len(x)], t.in[:len(x)]
	for h, m := range mass {
		if !(m > 0) {
			continue
		}
		for i, p := range x {
			part[i] = 0
			if g[i] == h {
				part[i] = p / m
			}
		}
		clear(out)
		t.tail.inflow(part, out)
		for i, v := range out {
			a.Set(h, g[i], a.At(h, g[i])+v)
		}
	}
}

// lowest is the law of the groups that level 0 has, given its generator.
func lowest(a *mat.Dense, masses []float64) *mat.VecDense {
	var some []int
	for g, m := range masses {
		if m > 0 {
			some = append(some, g)
		}
	}
	if len(some) == 0 {
		return nil
	}
	q := mat.NewDense(len(some), len(some), nil)
	for i, g := range some {
		for j, h := range some {
			if rate := max(0, a.At(g, h)); i != j {
				q.Set(i, j, rate)
				q.Set(i, i, q.At(i, i)-rate)
			}
		}
	}
	pi, err := mam.GTH(q)
	if err != nil {
		return nil
	}
	m := mat.NewVecDense(len(masses), nil)
	for i, g := range some {
		m.SetVec(g, pi[i])
	}
	return m
}

// weigh gives the groups their masses, those of level 0 being m.
func (t *iteration) weigh(m *mat.VecDense, rise []*mat.Dense, masses [][]float64) {
	for n, x := range t.at {
		if n > 0 {
			next := mat.NewVecDense(t.groups, nil)
			next.MulVec(rise[n].T(), m)
			m = next
		}
		group := t.c.Group(t.level(n))
		for i, g := range group {
			if was := masses[n][g]; was > 0 && m.AtVec(g) > 0 {
				x[i] *= m.AtVec(g) / was
			}
		}
	}
}
