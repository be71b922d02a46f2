package policychain

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/mam"
)

// axis is a walk with one count without end: its phases while the other is 0, and while
// it is not, which are those of the interior.
type axis struct {
	finite      int // which count is the other
	zero, above *phases
	up, down    []jump // from zero to above, and back from 1
}

// axis finds the jumps.
func (w *walk) axis(ctx context.Context, all *phases, finite int) (*axis, error) {
	a := &axis{finite: finite, zero: newPhases(), above: &phases{states: all.states, passing: all.passing, place: all.place}}
	for h := range all.states {
		a.fromAbove(w, h)
	}
	for z := 0; z < len(a.zero.states); z++ {
		if err := a.zero.fits(ctx, w.most); err != nil {
			return nil, err
		}
		a.fromZero(w, z)
	}
	return a, nil
}

// at are the counts with the finite one at a value.
func (a *axis) at(value int) (at [2]int) {
	at = [2]int{many, many}
	at[a.finite] = value
	return at
}

func (a *axis) fromAbove(w *walk, from int) {
	w.jumps(a.above.states[from], a.above.passing[from], a.at(many), func(t *state, passing bool, add [2]int, base, more float64) {
		to, _ := a.above.put(w, t, passing)
		a.above.jumps = append(a.above.jumps, jump{from, to, add, base, more})
		if add[a.finite] < 0 {
			to, _ := a.zero.put(w, t, passing)
			a.down = append(a.down, jump{from, to, add, base, more})
		}
	})
}

func (a *axis) fromZero(w *walk, from int) {
	w.jumps(a.zero.states[from], a.zero.passing[from], a.at(0), func(t *state, passing bool, add [2]int, base, more float64) {
		if add[a.finite] > 0 {
			to, _ := a.above.put(w, t, passing)
			a.up = append(a.up, jump{from, to, add, base, more})
			return
		}
		to, _ := a.zero.put(w, t, passing)
		a.zero.jumps = append(a.zero.jumps, jump{from, to, add, base, more})
	})
}

// reaches says which phases above the axis are reached from a set of them, by way of
// the axis or not.
func (a *axis) reaches(from []int) (above, zero []bool) {
	above, zero = make([]bool, len(a.above.states)), make([]bool, len(a.zero.states))
	for _, h := range from {
		above[h] = true
	}
	spread := func(jumps []jump, source, target []bool) (more bool) {
		for _, j := range jumps {
			if source[j.from] && !target[j.to] {
				target[j.to], more = true, true
			}
		}
		return more
	}
	for more := true; more; {
		more = spread(a.above.jumps, above, above)
		more = spread(a.down, above, zero) || more
		more = spread(a.zero.jumps, zero, zero) || more
		more = spread(a.up, zero, above) || more
	}
	return above, zero
}

// drift is that of the count without end while the other stays finite, in the phases
// that are reached, at a rate of arrivals. It fails with *mam.Unstable if the other does
// not stay finite.
func (a *axis) drift(ctx context.Context, rate float64, aboveIn, zeroIn []bool) (float64, error) {
	above, zero := newReached(a.above, aboveIn), newReached(a.zero, zeroIn)
	q, ground, first := a.levels(rate, above, zero)
	sol, err := q.Solve(ctx)
	if err != nil {
		return 0, err
	}
	st, err := mam.Boundary{Levels: 1, At: func(n int) mam.Level { return []mam.Level{ground, first}[n] }}.Solve(ctx, q, sol)
	if err != nil {
		return 0, err
	}
	sum, settled := 0.0, 0.0
	for i, pi := range [][]float64{st.Above(0), st.Pi[0]} {
		r := []*reached{above, zero}[i]
		for h, in := range r.in {
			if in && !r.passing[h] {
				settled += pi[r.at[h]]
			}
		}
		for h, p := range pi {
			sum += p * r.gain[h]
		}
	}
	return sum / settled, nil
}

// reached are the phases above an axis, or those on it, that are reached.
type reached struct {
	*phases
	in   []bool
	at   []int     // their numbers
	gain []float64 // by number, the drift of the count without end
}

func newReached(all *phases, in []bool) *reached {
	return &reached{all, in, numbered(in), make([]float64, members(in))}
}

// levels are the blocks of the walk whose level is the finite count: those above the axis, of the
// axis, and of the step down to it. They add up the gains.
func (a *axis) levels(rate float64, above, zero *reached) (q mam.QBD, ground, first mam.Level) {
	nh, nz := len(above.gain), len(zero.gain)
	q = mam.QBD{Up: mat.NewDense(nh, nh, nil), Local: mat.NewDense(nh, nh, nil), Down: mat.NewDense(nh, nh, nil)}
	ground = mam.Level{Up: mat.NewDense(nz, nh, nil), Local: mat.NewDense(nz, nz, nil)}
	first = mam.Level{Down: mat.NewDense(nh, nz, nil)}
	gain := func(m *mat.Dense, j jump, from, to *reached) {
		if from.in[j.from] {
			add(m, from.at[j.from], to.at[j.to], j.base+rate*j.more)
			from.gain[from.at[j.from]] += (j.base + rate*j.more) * float64(j.add[1-a.finite])
		}
	}
	for _, j := range a.above.jumps {
		gain([]*mat.Dense{q.Down, q.Local, q.Up}[1+j.add[a.finite]], j, above, above)
	}
	for _, j := range a.down { // their gain is that of the jumps above
		if above.in[j.from] {
			add(first.Down, above.at[j.from], zero.at[j.to], j.base+rate*j.more)
		}
	}
	for _, j := range a.up {
		gain(ground.Up, j, zero, above)
	}
	for _, j := range a.zero.jumps {
		gain(ground.Local, j, zero, zero)
	}
	chain.Balance(q.Local, q.Up, q.Down)
	chain.Balance(ground.Local, ground.Up)
	return q, ground, first
}

func add(m *mat.Dense, i, j int, v float64) { m.Set(i, j, m.At(i, j)+v) }

// numbered gives the members of a set numbers in a row.
func numbered(in []bool) []int {
	at, n := make([]int, len(in)), 0
	for i, yes := range in {
		if at[i] = n; yes {
			n++
		}
	}
	return at
}

func members(in []bool) (n int) {
	for _, yes := range in {
		if yes {
			n++
		}
	}
	return n
}
