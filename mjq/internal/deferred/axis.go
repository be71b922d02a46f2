package deferred

import (
	"context"

	"gonum.org/v1/gonum/mat"

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
	high, low := numbered(aboveIn), numbered(zeroIn)
	nh, nz := members(aboveIn), members(zeroIn)
	q := mam.QBD{Up: mat.NewDense(nh, nh, nil), Local: mat.NewDense(nh, nh, nil), Down: mat.NewDense(nh, nh, nil)}
	gain, gain0 := make([]float64, nh), make([]float64, nz)
	endless := 1 - a.finite
	for _, j := range a.above.jumps {
		if !aboveIn[j.from] {
			continue
		}
		v := j.base + rate*j.more
		from, to := high[j.from], high[j.to]
		gain[from] += v * float64(j.add[endless])
		add(map[int]*mat.Dense{1: q.Up, 0: q.Local, -1: q.Down}[j.add[a.finite]], from, to, v)
	}
	balance(q.Local, q.Up, q.Down)
	first := mam.Level{Down: mat.NewDense(nh, nz, nil)}
	for _, j := range a.down {
		if aboveIn[j.from] {
			add(first.Down, high[j.from], low[j.to], j.base+rate*j.more)
		}
	}
	ground := mam.Level{Up: mat.NewDense(nz, nh, nil), Local: mat.NewDense(nz, nz, nil)}
	for i, list := range [][]jump{a.up, a.zero.jumps} {
		for _, j := range list {
			if !zeroIn[j.from] {
				continue
			}
			v := j.base + rate*j.more
			gain0[low[j.from]] += v * float64(j.add[endless])
			if i == 0 {
				add(ground.Up, low[j.from], high[j.to], v)
			} else {
				add(ground.Local, low[j.from], low[j.to], v)
			}
		}
	}
	balance(ground.Local, ground.Up)
	sol, err := q.Solve(ctx)
	if err != nil {
		return 0, err
	}
	st, err := mam.Boundary{Levels: 1, At: func(n int) mam.Level { return []mam.Level{ground, first}[n] }}.Solve(ctx, q, sol)
	if err != nil {
		return 0, err
	}
	sum, settled := 0.0, 0.0
	for h, in := range aboveIn {
		if in && !a.above.passing[h] {
			settled += st.Above(0)[high[h]]
		}
	}
	for z, in := range zeroIn {
		if in && !a.zero.passing[z] {
			settled += st.Pi[0][low[z]]
		}
	}
	for h, p := range st.Above(0) {
		sum += p * gain[h]
	}
	for z, p := range st.Pi[0] {
		sum += p * gain0[z]
	}
	return sum / settled, nil
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
