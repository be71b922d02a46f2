package chain

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

const (
	mostDirections = 12   // of the tail
	direction      = 1e-9 // what part of a level has to be new for it to be a direction
	mostEta        = 0.999999
)

// tail is what goes on beyond the top: the chain far out seen in a few directions only,
// those of the top levels. It is a small quasi-birth-and-death process, by projection in
// the inner product Σ x_i y_i / π_i, π being the top level; its matrix R takes a level,
// as coefficients of the directions, to the next. The vector of ones is among those that
// the projection tests with, so that no flow is lost. With one direction each level is a
// number times the one below.
type tail struct {
	basis  [][]float64
	down   [][]float64 // what each direction brings to the level below
	weight []float64   // 1 / π_i
	r      *mat.Dense
}

// follow makes the tail fit the top levels as they are.
func (t *iteration) follow() {
	x := t.at[t.top]
	l := &tail{weight: make([]float64, len(x))}
	for i, p := range x {
		if p > 0 {
			l.weight[i] = 1 / p
		}
	}
	for n := t.top; n > t.c.Last() && len(l.basis) < t.order; n-- {
		l.widen(t.at[n])
	}
	t.project(l)
	t.tail = l
}

// widen adds a direction, unless those there are have it.
func (l *tail) widen(x []float64) {
	b := slices.Clone(x)
	size := math.Sqrt(l.inner(b, b))
	for range 2 { // the second time for what rounding left
		for _, a := range l.basis {
			by := l.inner(a, b)
			for i, v := range a {
				b[i] -= by * v
			}
		}
	}
	if left := math.Sqrt(l.inner(b, b)); left > direction*size {
		scale(b, 1/left)
		l.basis = append(l.basis, b)
	}
}

func (l *tail) inner(a, b []float64) (sum float64) {
	b, w := b[:len(a)], l.weight[:len(a)]
	for i, v := range a {
		sum += v * b[i] * w[i]
	}
	return sum
}

// coefficients are those of the projection of x.
func (l *tail) coefficients(x []float64) []float64 {
	z := make([]float64, len(l.basis))
	for k, b := range l.basis {
		z[k] = l.inner(b, x)
	}
	return z
}

// combine makes out the level of coefficients z.
func (l *tail) combine(z, out []float64) {
	clear(out)
	for k, v := range z {
		for i, p := range l.basis[k] {
			out[i] += v * p
		}
	}
}

// next is the coefficients of the next level.
func (l *tail) next(z []float64) []float64 {
	out := make([]float64, len(z))
	for k, v := range z {
		for i, r := range l.r.RawRowView(k) {
			out[i] += v * r
		}
	}
	return out
}

// sums are those of the directions.
func (l *tail) sums() []float64 {
	out := make([]float64, len(l.basis))
	for k, b := range l.basis {
		out[k] = total(b)
	}
	return out
}

// inflow adds to out what the level after x brings to that of x.
func (l *tail) inflow(x, out []float64) {
	for k, by := range l.next(l.coefficients(x)) {
		for i, v := range l.down[k] {
			out[i] += v * by
		}
	}
}

// project finds the matrix of the tail, with fewer directions where these have none.
func (t *iteration) project(l *tail) {
	last, x := t.c.Last(), t.at[t.top]
	k := len(l.basis)
	up, inside, down := mat.NewDense(k, k, nil), mat.NewDense(k, k, nil), mat.NewDense(k, k, nil)
	y := make([]float64, len(x))
	for i, b := range l.basis {
		clear(y)
		t.c.Up(last, b, y)
		up.SetRow(i, l.coefficients(y))
		clear(y)
		t.c.Inside(last, b, y)
		inside.SetRow(i, l.coefficients(y))
		flow := make([]float64, len(x))
		t.c.Down(last, b, flow)
		down.SetRow(i, l.coefficients(flow))
		l.down = append(l.down, flow)
	}
	eta := min(mostEta, dot(x, t.c.Climb(last))/dot(x, t.c.Fall(last)))
	l.r = mat.NewDense(1, 1, []float64{eta})
	for ; k > 1; k-- {
		part := func(m *mat.Dense) *mat.Dense { return mat.DenseCopyOf(m.Slice(0, k, 0, k)) }
		if r := rising(part(up), part(inside), part(down), (1+eta)/2); r != nil {
			l.r = r
			break
		}
	}
	l.basis, l.down = l.basis[:k], l.down[:k]
	if k > 1 {
		t.even(l)
	}
}

// even makes the flows up and down in the tail equal to the last digit.
func (t *iteration) even(l *tail) {
	last := t.c.Last()
	fall, climb, size := make([]float64, len(l.basis)), make([]float64, len(l.basis)), 0.0
	for k, b := range l.basis {
		fall[k], climb[k] = dot(b, t.c.Fall(last)), dot(b, t.c.Climb(last))
		size += fall[k] * fall[k]
	}
	for range 2 {
		for k, c := range climb {
			row := l.r.RawRowView(k)
			by := (c - dot(row, fall)) / size
			for i, f := range fall {
				row[i] += by * f
			}
		}
	}
}
