package saturated

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// restart is how many directions the iteration keeps.
const restart = 40

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
}

func newGMRES(c *Chain, n int) *gmres {
	g := &gmres{chain: c}
	for i := range g.basis {
		g.basis[i] = make([]float64, n)
	}
	return g
}

// residual makes y a probability vector and returns the 1-norm of y P - y,
// which it keeps for the next cycle.
func (g *gmres) residual(ctx context.Context, y []float64) float64 {
	sum := 0.0
	for i, v := range y {
		y[i] = max(0, v)
		sum += y[i]
	}
	floats.Scale(1/sum, y)
	g.chain.jump(ctx, y, g.basis[0])
	g.passes++
	floats.Sub(g.basis[0], y)
	return floats.Norm(g.basis[0], 1)
}

// cycle adds to y the correction that a cycle of directions finds, unless the
// context ends before.
func (g *gmres) cycle(ctx context.Context, y []float64) {
	norm := floats.Norm(g.basis[0], 2)
	if norm == 0 {
		return
	}
	floats.Scale(1/norm, g.basis[0])
	rhs := [restart + 1]float64{norm}
	k := 0
	for k < restart {
		length := g.direction(ctx, k)
		if ctx.Err() != nil {
			return
		}
		col := &g.h[k]
		for i := range k {
			col[i], col[i+1] = g.cos[i]*col[i]+g.sin[i]*col[i+1], g.cos[i]*col[i+1]-g.sin[i]*col[i]
		}
		r := math.Hypot(col[k], length)
		if r == 0 {
			break
		}
		g.cos[k], g.sin[k] = col[k]/r, length/r
		col[k] = r
		rhs[k], rhs[k+1] = g.cos[k]*rhs[k], -g.sin[k]*rhs[k]
		k++
		if math.Abs(rhs[k]) <= 1e-16*norm {
			break
		}
	}
	for i := k - 1; i >= 0; i-- {
		for j := i + 1; j < k; j++ {
			rhs[i] -= g.h[j][i] * rhs[j]
		}
		rhs[i] /= g.h[i][i]
		floats.AddScaled(y, rhs[i], g.basis[i])
	}
}

// direction makes the next vector of the basis, (I - P) times the k-th made
// orthogonal to all before it, and returns its length before it is made 1.
func (g *gmres) direction(ctx context.Context, k int) (length float64) {
	v, w := g.basis[k], g.basis[k+1]
	g.chain.jump(ctx, v, w)
	g.passes++
	floats.SubTo(w, v, w)
	for i, b := range g.basis[:k+1] {
		if ctx.Err() != nil {
			return 0
		}
		g.h[k][i] = dot(b, w)
		floats.AddScaled(w, -g.h[k][i], b)
	}
	length = floats.Norm(w, 2)
	if length > 0 {
		floats.Scale(1/length, w)
	}
	return length
}

func dot(a, b []float64) float64 {
	return blas64.Dot(blas64.Vector{N: len(a), Data: a, Inc: 1}, blas64.Vector{N: len(b), Data: b, Inc: 1})
}
