package chain

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/mam"
)

// dense is a chain of dense blocks, homogeneous from level 1 on.
type dense struct {
	up0             *mat.Dense // of level 0, which has one state
	up, local, down *mat.Dense
	under           *mat.Dense // from level 1 to level 0
	climb, fall     [2][]float64
}

func push(m *mat.Dense, x, out []float64) {
	for i, v := range x {
		for j, r := range m.RawRowView(i) {
			if r > 0 {
				out[j] += v * r
			}
		}
	}
}

func rowSums(m *mat.Dense) []float64 {
	rows, _ := m.Dims()
	out := make([]float64, rows)
	for i := range out {
		out[i] = total(m.RawRowView(i))
	}
	return out
}

// randomDense has a load of about half of what scale says.
func randomDense(r *rand.Rand, n int, scale float64) *dense {
	random := func(rows, cols int, most float64) *mat.Dense {
		m := mat.NewDense(rows, cols, nil)
		for i := range rows {
			for j := range cols {
				if r.IntN(2) == 0 || i == j || rows == 1 {
					m.Set(i, j, most*(0.1+r.Float64()))
				}
			}
		}
		return m
	}
	d := &dense{up0: random(1, n, 1), up: random(n, n, scale), local: random(n, n, 1), down: random(n, n, 1)}
	d.under = mat.NewDense(n, 1, rowSums(d.down))
	for i := range n {
		d.local.Set(i, i, 0)
	}
	d.climb = [2][]float64{rowSums(d.up0), rowSums(d.up)}
	d.fall = [2][]float64{{0}, rowSums(d.down)}
	return d
}

func (d *dense) Last() int                    { return 1 }
func (d *dense) Climb(n int) []float64        { return d.climb[n] }
func (d *dense) Fall(n int) []float64         { return d.fall[n] }
func (d *dense) States(n int) int             { return len(d.climb[n]) }
func (d *dense) Groups() int                  { return 2 }
func (d *dense) Under(x, out []float64)       { push(d.under, x, out) }
func (d *dense) Down(n int, x, out []float64) { push(d.down, x, out) }

func (d *dense) Group(n int) []int {
	g := make([]int, d.States(n))
	for i := range g {
		g[i] = i % 2
	}
	return g
}

func (d *dense) Up(n int, x, out []float64) {
	if n == 0 {
		push(d.up0, x, out)
	} else {
		push(d.up, x, out)
	}
}

func (d *dense) leave(n, i int) float64 {
	sum := d.climb[n][i] + d.fall[n][i]
	if n > 0 {
		sum += total(d.local.RawRowView(i))
	}
	return sum
}

func (d *dense) Inside(n int, x, out []float64) {
	for i, p := range x {
		out[i] -= p * d.leave(n, i)
	}
	if n > 0 {
		push(d.local, x, out)
	}
}

func (d *dense) Stay(n int, in, x []float64) {
	if n == 0 {
		x[0] = in[0] / d.leave(0, 0)
		return
	}
	k := len(in)
	m := mat.NewDense(k, k, nil)
	for i := range k {
		for j, r := range d.local.RawRowView(i) {
			m.Set(i, j, -r)
		}
		m.Set(i, i, d.leave(n, i))
	}
	if err := mat.NewVecDense(k, x).SolveVec(m.T(), mat.NewVecDense(k, in)); err != nil {
		panic(err)
	}
}

// TestAgainstMatrices: random chains, by sweeps and by package mam.
func TestLevelsAgainstMatrices(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, scale := range []float64{0.1, 0.6, 0.9, 1.1} {
		for range 5 {
			d := randomDense(r, 6, scale)
			q := mam.QBD{Up: d.up, Local: mat.DenseCopyOf(d.local), Down: d.down}
			for i := range 6 {
				q.Local.Set(i, i, -d.leave(1, i))
			}
			l, err := SolveLevels(context.Background(), d, LevelOptions{Tolerance: 1e-10, Span: 10, Bytes: 1e8})
			s, want := q.Solve(context.Background())
			var unstable *Unstable
			if want != nil {
				if !errors.As(err, &unstable) {
					t.Errorf("scale %v: %v where matrices say %v", scale, err, want)
				}
				continue
			}
			if err != nil {
				t.Fatalf("scale %v: %v", scale, err)
			}
			zero := mat.NewDense(1, 1, []float64{-d.climb[0][0]})
			at := func(int) mam.Level { return mam.Level{Up: d.up0, Local: zero} }
			if mean := meanOf(t, q, s, at, d); math.Abs(l.Mean/mean-1) > l.Error || l.Error > 1e-9 {
				t.Errorf("scale %v: mean %.14g, want %.14g; the bound is %.2g", scale, l.Mean, mean, l.Error)
			}
			if math.Abs(l.Decay/s.Caudal-1) > 1e-6 {
				t.Errorf("scale %v: decay %.10g, want %.10g", scale, l.Decay, s.Caudal)
			}
		}
	}
}

// meanOf is the mean level by matrices.
func meanOf(t *testing.T, q mam.QBD, s *mam.QBDSolution, at func(int) mam.Level, d *dense) (mean float64) {
	t.Helper()
	b, err := mam.Boundary{Levels: 1, At: func(n int) mam.Level {
		if n == 0 {
			return at(0)
		}
		return mam.Level{Down: d.under}
	}}.Solve(context.Background(), q, s)
	if err != nil {
		t.Fatal(err)
	}
	return total(b.Above(0)) + total(b.Above(1))
}
