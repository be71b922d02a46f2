package chain

import "math"

// depth is how many earlier steps the acceleration looks back on. More did not help.
const depth = 5

// anderson accelerates x = g(x): of all combinations of the last points it takes the one
// whose steps g(x) - x cancel best. What it keeps is kept in single precision, which
// touches the way and not the end.
type anderson struct {
	x, f   []float64 // the last point, and its step
	dx, df [depth][]float32
	gram   [depth][depth]float64 // of df
	count  int
}

func newAnderson(n int) *anderson {
	a := &anderson{x: make([]float64, n), f: make([]float64, n)}
	for k := range a.dx {
		a.dx[k], a.df[k] = make([]float32, n), make([]float32, n)
	}
	return a
}

// next replaces g, which is g(x), by the point to go on from. x is spoiled.
func (a *anderson) next(x, g []float64) {
	for i := range x {
		x[i], g[i] = g[i]-x[i], x[i] // x is the step now, and g the point
	}
	if a.count > 0 {
		a.remember(g, x)
	}
	a.count++
	copy(a.x, g)
	copy(a.f, x)
	for i, s := range x {
		g[i] += s
	}
	for k, c := range a.weights(x) {
		dx, df := a.dx[k], a.df[k]
		for i := range g {
			g[i] -= c * float64(dx[i]+df[i])
		}
	}
}

// remember notes the way from the last point to this.
func (a *anderson) remember(x, f []float64) {
	k := (a.count - 1) % depth
	dx, df := a.dx[k], a.df[k]
	for i := range x {
		dx[i], df[i] = float32(x[i]-a.x[i]), float32(f[i]-a.f[i])
	}
	for j := range min(a.count, depth) {
		v := 0.0
		for i, b := range a.df[j] {
			v += float64(b) * float64(df[i])
		}
		a.gram[k][j], a.gram[j][k] = v, v
	}
}

// weights are the combination of df nearest to f, by Cholesky's factor of the Gram
// matrix. Directions that the others hold already are left out.
func (a *anderson) weights(f []float64) []float64 {
	n := min(a.count-1, depth)
	var l [depth][depth]float64
	c := make([]float64, n)
	for i := range n {
		for k, b := range a.df[i] {
			c[i] += float64(b) * f[k]
		}
		for j := range i + 1 {
			v := a.gram[i][j]
			for k := range j {
				v -= l[i][k] * l[j][k]
			}
			switch {
			case j == i && v > 1e-10*a.gram[i][i]:
				l[i][i] = math.Sqrt(v)
			case j < i && l[j][j] > 0:
				l[i][j] = v / l[j][j]
			}
		}
		if l[i][i] == 0 {
			l[i], c[i] = [depth]float64{}, 0
			continue
		}
		for k := range i {
			c[i] -= l[i][k] * c[k]
		}
		c[i] /= l[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		if l[i][i] == 0 {
			continue
		}
		for k := i + 1; k < n; k++ {
			c[i] -= l[k][i] * c[k]
		}
		c[i] /= l[i][i]
	}
	return c
}
