package estimate

import (
	"math"

	"github.com/mjqueue/mjq/mjq/result"
)

// Jackknife estimates what a Crossfit estimates, with a short list of control variates
// for every value and the standard error of the delete-one jackknife over the paths,
// for which the coefficients are fitted anew without each path. Where a few large jobs
// make most of the error, the coefficients of a Crossfit have errors in common that its
// folds do not show; the jackknife shows them. Memory is constant: sums of products in
// 512 sections.
type Jackknife struct {
	// Gauge and Slack are those of a Crossfit.
	Gauge int
	Slack float64

	controls int
	groups   []Group
	starts   []int // of each group in a row of sums
	length   int   // of that row
	n        int
	now, all []float64 // sums over the path at hand, and over all paths
	sections sections
}

// Group is neighbouring values that share control variates, at most three.
type Group struct {
	First    int     // index of the first value
	Controls []int   // all that any of them has
	Own      [][]int // of each value: positions in Controls
}

// NewJackknife is for that many controls and for the groups of values.
func NewJackknife(controls int, groups []Group) *Jackknife {
	f := &Jackknife{Gauge: -1, Slack: 1, controls: controls, groups: groups, length: 1}
	for _, g := range groups {
		f.starts = append(f.starts, f.length)
		k, v := len(g.Controls), len(g.Own)
		f.length += k + v + k*k + k*v
	}
	f.now, f.all = make([]float64, f.length), make([]float64, f.length)
	return f
}

// Controls is the number of control variates.
func (f *Jackknife) Controls() int { return f.controls }

// Part says that the next path is a sum to which row contributes: the controls and,
// after them, the values. The first number of the sums counts parts.
func (f *Jackknife) Part(row []float64) {
	f.now[0]++
	for i, g := range f.groups {
		s := f.now[f.starts[i]:]
		values := row[f.controls+g.First:][:len(g.Own)]
		k, v := len(g.Controls), len(values)
		for a, c := range g.Controls {
			x := row[c]
			s[a] += x
			for b, d := range g.Controls {
				s[k+v+a*k+b] += x * row[d]
			}
			for b, y := range values {
				s[k+v+k*k+a*v+b] += x * y
			}
		}
		for b, y := range values {
			s[k+b] += y
		}
	}
}

// Add ends a path whose parts have been given.
func (f *Jackknife) Add([]float64) {
	if f.sections.full(mostSections) {
		f.sections.join()
	}
	f.sections.add(f.now...)
	for i, x := range f.now {
		f.all[i] += x
	}
	clear(f.now)
	f.n++
}

// Mean estimates E[x] of the value x at an index.
func (f *Jackknife) Mean(at int, level float64, method string) result.Estimate {
	if f.n == 0 {
		return result.Unknown()
	}
	return f.of(at, 1).interval(f.n, level, OfMean, f.worth(f.Gauge), method)
}

// Variance estimates E[y] - E[x]² of the values x, y from an index on.
func (f *Jackknife) Variance(at int, level float64, method string) result.Estimate {
	if f.n == 0 {
		return result.Unknown()
	}
	x := f.of(at, 1)
	d := f.of(at, -2*x.value, 1)
	d.value = max(0, d.value+x.value*x.value+x.se*x.se)
	d.se *= f.Slack
	return d.interval(f.n, level, OfVariance, f.worth(at), method)
}

// Ratios estimates E[x]/E[n] and E[y]/E[n] less its square, of the values n, x, y
// from an index on.
func (f *Jackknife) Ratios(at int, level float64, method string) (mean, variance result.Estimate) {
	if f.n == 0 {
		return result.Unknown(), result.Unknown()
	}
	n := f.of(at, 1).value
	if !(n > 0) {
		return result.Unknown(), result.Unknown()
	}
	worth := f.ratioWorth(at, level)
	m := f.of(at, 0, 1).value / n
	x := f.of(at, -m, 1)
	m += x.value / n
	second := f.of(at, 0, 0, 1).value / n
	y := f.of(at, 2*m*m-second, -2*m, 1)
	x.value, x.se, x.plain = m, x.se/n, x.plain/n
	y.value, y.se, y.plain = max(0, second-m*m+y.value/n), f.Slack*y.se/n, y.plain/n
	return x.interval(f.n, level, OfMean, worth, method), y.interval(f.n, level, OfVariance, worth, method)
}

// deleted is an estimate with its standard error by the jackknife, that of the same
// without controls, and the pseudo-values of the sections.
type deleted struct {
	value, se, plain float64
	pseudo           []float64
}

// remains is how much of the known correction for few observations an interval with
// controls has: it describes waits, of which the controls leave the root of that part.
func (d *deleted) remains() float64 {
	if !(d.plain > d.se) {
		return 1
	}
	return math.Sqrt(d.se / d.plain)
}

func (d deleted) interval(n int, level float64, of Statistic, w Worth, method string) result.Estimate {
	own := ownShare * shapeOf(d.pseudo).correction(level) / float64(max(1, len(d.pseudo)))
	wider := 1 + controlledShare*(own+of.prior(level, w)*d.remains())
	return result.Estimate{Value: d.value, HalfWidth: result.StudentT(level, n-1) * d.se * wider, Level: level, N: n, Method: method}
}

// of estimates the expectation of a weighted sum of the values from an index on.
func (f *Jackknife) of(at int, weights ...float64) (d deleted) {
	g, start, first := f.group(at)
	z := regressand{g, start, first, weights, g.Own[first+len(weights)-1]}
	d.value, _ = z.adjusted(f.all, nil, float64(f.n))
	var without, plain []float64
	w := float64(f.sections.width)
	f.sections.each(func(row []float64) {
		v, p := z.adjusted(f.all, row, float64(f.n)-w)
		without, plain = append(without, v), append(plain, p)
	})
	k := float64(len(without))
	for _, v := range without {
		d.pseudo = append(d.pseudo, k*d.value-(k-1)*v)
	}
	d.se, d.plain = spreadOf(without), spreadOf(plain)
	return d
}

// spreadOf is the standard error by the estimates without each section.
func spreadOf(without []float64) float64 {
	n, mean, squares := float64(len(without)), 0.0, 0.0
	if n < 2 {
		return math.NaN()
	}
	for _, v := range without {
		mean += v / n
	}
	for _, v := range without {
		squares += (v - mean) * (v - mean)
	}
	return math.Sqrt((n - 1) / n * squares)
}

// group is that of a value, where its sums begin, and which of its values it is.
func (f *Jackknife) group(at int) (g *Group, start, first int) {
	for i := range f.groups {
		if g := &f.groups[i]; at >= g.First && at < g.First+len(g.Own) {
			return g, f.starts[i], at - g.First
		}
	}
	panic("estimate: a value without a group")
}

// regressand is a weighted sum of values of a group, with its controls.
type regressand struct {
	*Group
	start, first int
	weights      []float64
	own          []int
}

// adjusted is the mean of the sum over n paths less its controls, and without them, from
// the sums over all paths less those of some.
func (z *regressand) adjusted(all, less []float64, n float64) (value, plain float64) {
	sum := func(i int) float64 {
		if less == nil {
			return all[i]
		}
		return all[i] - less[i]
	}
	parts, s, k, v := sum(0), z.start, len(z.Controls), len(z.Own)
	y := 0.0
	for j, w := range z.weights {
		y += w * sum(s+k+z.first+j)
	}
	q := len(z.own)
	var square [MostOwn][MostOwn]float64
	var cross, means [MostOwn]float64
	for i, a := range z.own {
		means[i] = sum(s+a) / n
		for j, w := range z.weights {
			cross[i] += w * sum(s+k+v+k*k+a*v+z.first+j)
		}
		cross[i] -= sum(s+a) * y / parts
		for j, b := range z.own {
			square[i][j] = sum(s+k+v+a*k+b) - sum(s+a)*sum(s+b)/parts
		}
	}
	value = y / n
	for i, b := range solveSmall(&square, &cross, q) {
		value -= b * means[i]
	}
	return value, y / n
}

// MostOwn is the most controls that a value may have.
const MostOwn = 6

// solveSmall solves for the coefficients of the first q controls by Cholesky's method. A
// control that does not vary, or that follows from those before it, gets none.
func solveSmall(square *[MostOwn][MostOwn]float64, cross *[MostOwn]float64, q int) []float64 {
	var root [MostOwn][MostOwn]float64
	var u [MostOwn]float64
	for i := range q {
		pivot := square[i][i]
		for j := range i {
			root[i][j] = square[i][j]
			for k := range j {
				root[i][j] -= root[i][k] * root[j][k]
			}
			if root[j][j] > 0 {
				root[i][j] /= root[j][j]
			} else {
				root[i][j] = 0
			}
			pivot -= root[i][j] * root[i][j]
		}
		if pivot > 1e-9*square[i][i] {
			root[i][i] = math.Sqrt(pivot)
			u[i] = cross[i]
			for j := range i {
				u[i] -= root[i][j] * u[j]
			}
			u[i] /= root[i][i]
		}
	}
	beta := make([]float64, q)
	for i := q - 1; i >= 0; i-- {
		if root[i][i] == 0 {
			continue
		}
		beta[i] = u[i]
		for j := i + 1; j < q; j++ {
			beta[i] -= root[j][i] * beta[j]
		}
		beta[i] /= root[i][i]
	}
	return beta
}

// sums are those of each section of the values of a group.
func (f *Jackknife) sums(at, values int, use func(row []float64, paths float64)) {
	g, start, first := f.group(at)
	from := start + len(g.Controls) + first
	f.sections.each(func(row []float64) { use(row[from:from+values], float64(f.sections.width)) })
}

// worth is that of a Crossfit.
func (f *Jackknife) worth(at int) Worth {
	if at < 0 {
		return Worth{}
	}
	var p Pair
	f.sums(at, 2, func(row []float64, paths float64) { p.Add(row[0]/paths, row[1]/paths) })
	return p.Worth()
}

// ratioWorth is what paths are worth for the ratios of values n, x, y.
func (f *Jackknife) ratioWorth(at int, level float64) Worth {
	var batches []Batch
	f.sums(at, 3, func(row []float64, _ float64) { batches = append(batches, Batch{row[0], row[1], row[2]}) })
	_, _, w := OfBatches(batches, level, "")
	return w
}
