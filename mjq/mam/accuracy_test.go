package mam

import (
	"context"
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// exact is a matrix of numbers of 300 bits, for an oracle that may subtract.
type exact [][]*big.Float

func newExact(n, m int) exact {
	e := make(exact, n)
	for i := range e {
		e[i] = make([]*big.Float, m)
		for j := range e[i] {
			e[i][j] = new(big.Float).SetPrec(300)
		}
	}
	return e
}

func exactly(m *mat.Dense) exact {
	n, k := m.Dims()
	e := newExact(n, k)
	for i := range n {
		for j := range k {
			e[i][j].SetFloat64(m.At(i, j))
		}
	}
	return e
}

// plus adds sign a b to e.
func (e exact) plus(sign float64, a, b exact) exact {
	x, s := new(big.Float).SetPrec(300), big.NewFloat(sign)
	for i := range e {
		for j := range e[i] {
			for k := range b {
				x.Mul(a[i][k], b[k][j])
				e[i][j].Add(e[i][j], x.Mul(x, s))
			}
		}
	}
	return e
}

func (e exact) copy() exact {
	c := newExact(len(e), len(e[0]))
	for i := range e {
		for j := range e[i] {
			c[i][j].Set(e[i][j])
		}
	}
	return c
}

// over solves a x = e by elimination without pivots.
func (e exact) over(a exact) exact {
	a, e = a.copy(), e.copy()
	f, x := new(big.Float).SetPrec(300), new(big.Float).SetPrec(300)
	for p := range a {
		for i := range a {
			if i == p {
				continue
			}
			f.Quo(a[i][p], a[p][p])
			for j := range a {
				a[i][j].Sub(a[i][j], x.Mul(f, a[p][j]))
			}
			for j := range e[i] {
				e[i][j].Sub(e[i][j], x.Mul(f, e[p][j]))
			}
		}
	}
	for i := range e {
		for j := range e[i] {
			e[i][j].Quo(e[i][j], a[i][i])
		}
	}
	return e
}

// exactG is logarithmic reduction as it is printed, on the rates of q with the
// diagonal that they imply.
func exactG(q QBD) exact {
	n, _ := q.Local.Dims()
	up, stay, down := exactly(q.Up), newExact(n, n), exactly(q.Down)
	for i := range n {
		for j := range n {
			for _, x := range []float64{q.Up.At(i, j), q.Down.At(i, j)} {
				stay[i][i].Add(stay[i][i], big.NewFloat(x))
			}
			if i != j {
				stay[i][i].Add(stay[i][i], big.NewFloat(q.Local.At(i, j)))
				stay[i][j].SetFloat64(-q.Local.At(i, j))
			}
		}
	}
	h, l := up.over(stay), down.over(stay)
	g, above := l.copy(), h.copy()
	for above[0][0].Cmp(big.NewFloat(1e-60)) > 0 {
		m := exactly(identity(n)).plus(-1, h, l).plus(-1, l, h)
		h, l = newExact(n, n).plus(1, h, h).over(m), newExact(n, n).plus(1, l, l).over(m)
		g.plus(1, above, l)
		above = newExact(n, n).plus(1, above, h)
	}
	return g
}

// TestQBDEntriesAreExact holds every entry of G to arithmetic of 300 bits, with
// rates from 1 to 1e-12 and loads up to 1 - 1e-7. Elimination with subtractions
// loses eight digits there.
func TestQBDEntriesAreExact(t *testing.T) {
	for _, load := range []float64{0.5, 0.999, 0.99999, 1 - 1e-7} {
		q := randomQBD(5, load, 11)
		q.Local.Set(2, 4, 1e-12)
		q.Down.Set(0, 3, 1e-9)
		q.Up.Set(4, 1, 1e-10)
		balance(q)
		want := exactG(q)
		for _, route := range [][]Option{nil, {LogarithmicReduction()}} {
			s, err := q.Solve(context.Background(), route...)
			if err != nil {
				t.Fatal(err)
			}
			worst := 0.0
			for i := range want {
				for j, x := range want[i] {
					w, _ := x.Float64()
					near(t, "G", s.G.At(i, j), w, 4e-15)
					worst = max(worst, math.Abs(s.G.At(i, j)/w-1))
				}
			}
			t.Logf("load %v: relative error at most %.1g", load, worst)
		}
	}
}
