package saturated

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// restart is how many directions the iteration keeps.
const restart = 40

// negligible is a length at which a product with 1 - P is nothing but rounding:
// the directions then hold the solution.
const negligible = 1e-13

// gmres is the restarted method of Saad and Schultz for (I - P) d = -(I - P) y,
// d being what y lacks to be stationary. The system is consistent and its null
// space meets its range in 0 only, so that the singular matrix does no harm.
// It holds restart + 1 vectors.
type gmres struct {
	chain    *Chain
	basis    [restart + 1][]float64
	h        [restart][restart + 1]float64 // columns of the Hessenberg matrix, made triangular
	cos, sin [restart]float64
	passes   int
	stiff    *preconditioner // nil for a chain that is not stiff
}

func newGMRES(c *Chain, n int) *gmres {
	g := &gmres{chain: c}
	for i := range g.basis {
		g.basis[i] = make([]float64, n)
	}
	if c.blocks != nil {
		g.stiff = newPreconditioner(c, n)
	}
	return g
}

// cycle adds to y the correction that a cycle of directions finds, unless the
// context ends before.
func (g *gmres) cycle(ctx context.Context, y []float64) {
	norm := floats.Norm(g.basis[0], 2)
	if norm < 1e-300 {
		return
	}
	floats.Scale(1/norm, g.basis[0])
	rhs := [restart + 1]float64{norm}
	k := 0
	for k < min(restart, len(y)-1) {
		length := g.direction(ctx, k)
		if ctx.Err() != nil {
			return
		}
		col := &g.h[k]
		for i := range k {
			col[i], col[i+1] = g.cos[i]*col[i]+g.sin[i]*col[i+1], g.cos[i]*col[i+1]-g.sin[i]*col[i]
		}
		r := math.Hypot(col[k], length)
		if r <= negligible {
			break
		}
		g.cos[k], g.sin[k] = col[k]/r, length/r
		col[k] = r
		rhs[k], rhs[k+1] = g.cos[k]*rhs[k], -g.sin[k]*rhs[k]
		k++
		if math.Abs(rhs[k]) <= 1e-16*norm || length == 0 {
			break
		}
	}
	for i := k - 1; i >= 0; i-- {
		for j := i + 1; j < k; j++ {
			rhs[i] -= g.h[j][i] * rhs[j]
		}
		rhs[i] /= g.h[i][i]
	}
	g.step(rhs[:k], y)
}

// step adds to y the directions times their lengths.
func (g *gmres) step(lengths, y []float64) {
	if g.stiff == nil {
		for i := len(lengths) - 1; i >= 0; i-- {
			floats.AddScaled(y, lengths[i], g.basis[i])
		}
		return
	}
	v := g.basis[restart]
	clear(v)
	for i, l := range lengths {
		floats.AddScaled(v, l, g.basis[i])
	}
	floats.Add(y, g.stiff.apply(v))
}

// direction makes the next vector of the basis, (I - P) times the k-th made
// orthogonal to all before it, and returns its length before it is made 1.
func (g *gmres) direction(ctx context.Context, k int) (length float64) {
	v, w := g.basis[k], g.basis[k+1]
	if g.stiff != nil {
		v = g.stiff.apply(v)
	}
	g.chain.jump(ctx, v, w)
	g.passes++
	floats.SubTo(w, v, w)
	if g.stiff != nil {
		floats.Div(w, g.stiff.weight)
	}
	for i, b := range g.basis[:k+1] {
		if ctx.Err() != nil {
			return 0
		}
		g.h[k][i] = dot(b, w)
		floats.AddScaled(w, -g.h[k][i], b)
	}
	if length = floats.Norm(w, 2); length <= negligible {
		return 0
	}
	floats.Scale(1/length, w)
	return length
}

func dot(a, b []float64) float64 {
	return blas64.Dot(blas64.Vector{N: len(a), Data: a, Inc: 1}, blas64.Vector{N: len(b), Data: b, Inc: 1})
}
