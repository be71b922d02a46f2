package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

// solved is the solution of the symmetric system a x = b, by elimination.
func solved(a [][]float64, b []float64) []float64 {
	n := len(b)
	m := make([][]float64, n)
	for i := range m {
		m[i] = append(append([]float64{}, a[i][:n]...), b[i])
	}
	for k := range n {
		for i := range n {
			if i == k {
				continue
			}
			r := m[i][k] / m[k][k]
			for j := k; j <= n; j++ {
				m[i][j] -= r * m[k][j]
			}
		}
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = m[i][n] / m[i][i]
	}
	return x
}

// regression is β by its definition: standardised controls, a ridge of one
// observation, and of the first k controls those whose rest has the least variance,
// counting what fitting k coefficients costs.
func regression(cs [][]float64, zs []float64) []float64 {
	n, q := float64(len(zs)), len(cs[0])
	beta := make([]float64, q)
	if n < 3 {
		return beta
	}
	centred := func(of func(i int) float64) []float64 {
		v := make([]float64, len(zs))
		m := 0.0
		for i := range v {
			v[i] = of(i)
			m += v[i] / n
		}
		for i := range v {
			v[i] -= m
		}
		return v
	}
	dot := func(a, b []float64) (sum float64) {
		for i := range a {
			sum += a[i] * b[i]
		}
		return sum
	}
	z := centred(func(i int) float64 { return zs[i] })
	columns, size := make([][]float64, q), make([]float64, q)
	for j := range columns {
		columns[j] = centred(func(i int) float64 { return cs[i][j] })
		if size[j] = math.Sqrt(dot(columns[j], columns[j])); size[j] < 1e-9 {
			size[j] = math.Inf(1)
		}
	}
	corr, b := make([][]float64, q), make([]float64, q)
	for i := range corr {
		b[i] = dot(columns[i], z) / size[i]
		for j := range q {
			corr[i] = append(corr[i], dot(columns[i], columns[j])/size[i]/size[j])
		}
		corr[i][i] = 1 + 1/n
	}
	least := dot(z, z) / (n - 1)
	for k := 1; k <= q; k++ {
		degrees := n - float64(k) - 1
		if degrees < 1 {
			break
		}
		x := solved(corr[:k], b[:k])
		if v := (dot(z, z) - dot(b[:k], x)) / degrees * (1 + float64(k)/degrees); v < least {
			least = v
			clear(beta)
			for j := range x {
				beta[j] = x[j] / size[j]
			}
		}
	}
	return beta
}

// TestCrossfitByDefinition holds means, standard errors and influences against the
// observations themselves: many and few, with parts and without, with controls that
// never vary, and of several values together.
func TestCrossfitByDefinition(t *testing.T) {
	for _, c := range []struct{ n, controls, parts int }{{100, 3, 0}, {41, 4, 0}, {12, 3, 0}, {9, 2, 6}, {16, 5, 3}, {30, 0, 0}, {3, 2, 0}, {11, 9, 0}, {500, 2, 0}, {1100, 2, 0}, {4, 1, 0}, {5, 1, 0}, {6, 2, 0}} {
		rng := rand.New(rand.NewPCG(7, uint64(c.n)))
		f := NewCrossfit(c.controls, 4)
		var rows [][]float64
		fitted := make([][][]float64, folds) // to the rows of a fold, or their parts
		for i := range c.n {
			whole := make([]float64, c.controls+4)
			parts := [][]float64{whole}
			if c.parts > 0 {
				parts = nil
				for range c.parts {
					parts = append(parts, make([]float64, c.controls+4))
				}
			}
			for _, row := range parts {
				for j := range row {
					row[j] = rng.ExpFloat64() - 1
					if j < c.controls {
						row[j] *= math.Pow(10, float64(j-1))
					}
				}
				for j := c.controls; j < len(row); j++ { // less of the later controls, and none of the last
					for k := range max(0, c.controls-1) {
						row[j] += row[k] * math.Pow(10, float64(1-k)) / float64(1+k*(j-c.controls+1))
					}
				}
				for j := c.controls; j < len(row) && c.n == 100; j++ {
					row[j] += 1e7 // squares would lose all digits
				}
				for j := c.controls; j < len(row) && c.controls == 1; j++ {
					row[j] = 50*row[0] + 0.01*row[j]
				}
				for j := c.controls; j < len(row) && c.n == 6; j++ { // of both, so that two of two degrees are best
					row[j] = 10*row[0] + row[1] + 0.01*row[j]
				}
				if c.controls == 4 {
					row[1] = 0.1 // never varies
				}
			}
			if c.parts > 0 {
				for _, row := range parts {
					f.Part(row)
					for j, x := range row {
						whole[j] += x
					}
				}
			}
			fitted[i%folds] = append(fitted[i%folds], parts...)
			rows = append(rows, whole)
			f.Add(whole)
		}
		var pair Pair
		for _, row := range rows {
			pair.Add(row[c.controls+2], row[c.controls+3])
		}
		if got, want := f.worth(2), pair.Worth(); c.n <= mostSections && c.n != 100 && (!near9(got.Observations, want.Observations) || !near9(got.SCV, want.SCV)) {
			t.Errorf("%+v: worth %v, want %v", c, got, want)
		}
		for _, w := range []struct {
			at      int
			weights []float64
		}{{0, []float64{1}}, {3, []float64{1}}, {1, []float64{0, 1}}, {1, []float64{-2.5, 1}}, {1, []float64{0.7, -2, 1}}} {
			z := func(row []float64) (sum float64) {
				for k, a := range w.weights {
					sum += a * row[c.controls+w.at+k]
				}
				return sum
			}
			var less []float64
			for g := range folds {
				var cs [][]float64
				var zs []float64
				for h := range folds {
					if h != g {
						for _, row := range fitted[h] {
							cs, zs = append(cs, row[:c.controls]), append(zs, z(row))
						}
					}
				}
				beta := make([]float64, c.controls)
				if len(cs) > 0 && c.controls > 0 {
					beta = regression(cs, zs)
				}
				for i := g; i < c.n; i += folds {
					x := z(rows[i])
					for j, b := range beta {
						x -= b * rows[i][j]
					}
					less = append(less, x)
				}
			}
			mean, squares, n := 0.0, 0.0, float64(c.n)
			for _, x := range less {
				mean += x / n
			}
			for _, x := range less {
				squares += (x - mean) * (x - mean)
			}
			got := f.of(w.at, w.weights...)
			if want := math.Sqrt(squares / n / (n - 1)); !near9(got.value, mean) || math.Abs(got.se-want) > 1e-7*want {
				t.Errorf("%+v, %+v: %v ± %v, by definition %v ± %v", c, w, got.value, got.se, mean, want)
			}
			// Of more than 512 the influences of neighbours of a fold are added up.
			width := 1
			for width*mostSections < c.n {
				width *= 2
			}
			var sums []float64
			for g, first := 0, 0; g < folds; g++ {
				size := (c.n - g + folds - 1) / folds
				for i := first; i+width <= first+size; i += width {
					sum := 0.0
					for _, x := range less[i : i+width] {
						sum += x
					}
					sums = append(sums, sum)
				}
				first += size
			}
			if len(got.influence) != len(sums) {
				t.Fatalf("%+v: %d influences, by definition %d", c, len(got.influence), len(sums))
			}
			for i, x := range sums {
				if !near9(got.influence[i], x) {
					t.Errorf("%+v, %+v: influence %d is %v, by definition %v", c, w, i, got.influence[i], x)
					break
				}
			}
		}
	}
}

// TestAfar: with two controls the tail of the law of F has a closed form, which is
// one in a million where 1 + 2F/(n-2) is 10^(12/(n-2)).
func TestAfar(t *testing.T) {
	for _, n := range []int{5, 12, 40} {
		rest := float64(n - 2)
		f := (math.Pow(10, 12/rest) - 1) * rest / 2
		corner := (1 + f*2/rest) / float64(n)
		if afar(corner*(1-1e-6), n, 2) || !afar(corner*(1+1e-6), n, 2) {
			t.Errorf("%d replications: the corner of the inverse may be %v and no more", n, corner)
		}
	}
}

// TestPrecisionByHand: four groups of different sizes, of which the fractions at 0
// and up to 1 differ; by the variance of a ratio, and between both by logarithms.
func TestPrecisionByHand(t *testing.T) {
	groups := [][3]float64{{5, 3, 2}, {1, 6, 3}, {4, 1, 9}, {2, 2, 2}} // at 0, 1 and 4
	for _, n := range []int{2, 4} {
		var s Spread
		var whole, zero, one []float64
		for _, g := range groups[:n] {
			for i, x := range []float64{0, 1, 4} {
				for range int(g[i]) {
					s.Observe(x, 0.5)
				}
			}
			s.Close()
			whole, zero, one = append(whole, g[0]+g[1]+g[2]), append(zero, g[0]), append(one, g[0]+g[1])
		}
		worth := func(c []float64) (odds, log float64) {
			f, sum := mean(c)/mean(whole), 0.0
			for i := range c {
				sum += (c[i] - f*whole[i]) * (c[i] - f*whole[i])
			}
			g := float64(n)
			v := sum * g / (g - 1) / (g * mean(whole)) / (g * mean(whole))
			return math.Log(f / (1 - f)), math.Log(f * (1 - f) / v)
		}
		x0, y0 := worth(zero)
		x1, y1 := worth(one)
		p := s.Precision()
		if p.Groups != n || len(p.Effective) != 37 {
			t.Fatalf("%d groups: %+v", n, p)
		}
		for k, got := range p.Effective {
			at := min(max(float64(k)/2-9, x0), x1)
			if want := math.Exp(y0 + (y1-y0)*(at-x0)/(x1-x0)); !near9(got, want) {
				t.Errorf("%d groups are worth %v at log-odds %v, by hand %v", n, got, float64(k)/2-9, want)
			}
		}
	}
}

// interpolated is linear between the points of a list, and constant beyond its ends.
func interpolated(points []point, at float64) float64 {
	for i, p := range points {
		if p.odds >= at {
			if i == 0 {
				return interpolate(point{}, p, at)
			}
			return interpolate(points[i-1], p, at)
		}
	}
	return interpolate(points[len(points)-1], point{}, at)
}

// TestPrecisionAtEveryEdge holds it against a list of what all edges tell, to the bit.
func TestPrecisionAtEveryEdge(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for _, scale := range []float64{0, 0.3, 2, 12} { // 0: few edges, and groups that are often equal
		var s Spread
		var r Row
		for range 5 {
			var l Log
			var h Histogram
			shift := math.Exp(scale * rng.NormFloat64())
			for range 1 + rng.IntN(400) {
				x := shift * rng.ExpFloat64()
				if scale == 0 {
					x = float64(rng.IntN(4))
				}
				h.Add(x)
				l.Add(0, x)
			}
			s.Take(&h, 1)
			s.Close()
			r.AddGroup(l.Counts())
		}
		l := edges{groups: s.groups, n: s.n, nn: s.nn}
		var points []point
		add := func(b below) {
			l.at = []below{b}
			if p := l.point(0); p.tells {
				points = append(points, p)
			}
		}
		add(s.zero)
		for _, o := range s.list {
			for i := 0; o != nil && i < octave; i++ {
				add(o.upTo(i))
			}
		}
		if len(points) == 0 {
			t.Fatalf("scale %v: no edge tells anything", scale)
		}
		for _, p := range []result.Precision{s.Precision(), r.Precision()} {
			for k := range 37 {
				if want := math.Exp(interpolated(points, float64(k)/2-9)); p.Groups != 5 || p.Effective[k] != want {
					t.Errorf("scale %v, %d groups: %v at log-odds %v, want %v", scale, p.Groups, p.Effective[k], float64(k)/2-9, want)
				}
			}
		}
	}
}

// TestInterpolate by hand, with a jump.
func TestInterpolate(t *testing.T) {
	at := func(x, y []float64, at float64) float64 {
		var points []point
		for i := range x {
			points = append(points, point{x[i], y[i], true})
		}
		return interpolated(points, at)
	}
	if got := at([]float64{0, 0, 1}, []float64{2, 5, 7}, 0); !alike(got, 2) {
		t.Errorf("at a jump where it begins: %v, want 2", got)
	}
	x, y := []float64{0, 1, 1, 3}, []float64{2, 4, 10, 6}
	for _, c := range [][2]float64{{-1, 2}, {0, 2}, {0.25, 2.5}, {1, 4}, {1.5, 9}, {3, 6}, {9, 6}} {
		if got := at(x, y, c[0]); !alike(got, c[1]) {
			t.Errorf("at %v: %v, want %v", c[0], got, c[1])
		}
	}
}

// TestPrecisionOfRounding: groups whose fractions are equal but for rounding tell nothing
// about it, however rare or heavy what they count is; where they differ by more, even by
// 1e-5 of a fraction of 1e-3, they tell it.
func TestPrecisionOfRounding(t *testing.T) {
	for _, weight := range []float64{1e-3, 1, 1e3} {
		for _, f := range []float64{1e-3, 0.1, 1. / 3, 0.7} {
			var equal, different Spread
			for i := range 9 {
				w := weight * (1 + 0.37*float64(i))
				equal.Observe(0, f*w)
				equal.Observe(1, (1-f)*w)
				equal.Close()
				more := f * w * 1e-5 * float64(i%3-1)
				different.Observe(0, f*w+more)
				different.Observe(1, (1-f)*w-more)
				different.Close()
			}
			if p := equal.Precision(); p.Groups != 0 {
				t.Errorf("equal fractions of %v, weight %v: worth %v", f, weight, p.At(f))
			}
			if p := different.Precision(); p.Groups != 9 || !(p.At(f) > 1e8) {
				t.Errorf("fractions of %v that differ a little, weight %v: %d groups", f, weight, p.Groups)
			}
		}
	}
}

// TestPrecisionOfSigned: weights of both signs that cancel at an edge leave a fraction of 0
// or 1 there, which has no odds; the other edges tell what they do without.
func TestPrecisionOfSigned(t *testing.T) {
	var s, plain Spread
	for i := range 4 {
		sign := float64(1 - 2*(i%2))
		s.Observe(0, sign)    // at 0 the fraction is 0
		s.Observe(0.5, -sign) // and from here on as without
		s.Observe(64, sign)   // at 64 it is 1
		s.Observe(128, -sign) // and from here on as without
		for _, to := range []*Spread{&s, &plain} {
			to.Observe(1, float64(2+i))
			to.Observe(4, 3)
			to.Close()
		}
	}
	got, want := s.Precision(), plain.Precision()
	if got.Groups != 4 || len(got.Effective) != len(want.Effective) {
		t.Fatalf("%+v, want %+v", got, want)
	}
	for k, x := range got.Effective {
		if !near9(x, want.Effective[k]) {
			t.Errorf("worth %v at %v, want %v", x, result.PrecisionAt(k), want.Effective[k])
		}
	}
}
