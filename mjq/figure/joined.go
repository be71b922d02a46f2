package figure

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// lineWidth is that of a curve.
const lineWidth = vg.Length(1.4)

// joined draws curves that lie on each other as their ratio to the first or as one, and says
// which these are.
func (f *Figure) joined(ratios bool) (notes []string) {
	p, err := f.build(true)
	if err != nil {
		return nil
	}
	var groups [][]int // places in series, the curve that others lie on first
	curves := f.curves()
	for _, i := range curves {
		k := slices.IndexFunc(groups, func(g []int) bool { return f.near(p, f.series[g[0]], f.series[i]) })
		if k < 0 {
			groups = append(groups, []int{i})
		} else {
			groups[k] = append(groups[k], i)
		}
	}
	if ratios && len(groups) == 1 && len(curves) > 1 && len(curves) == len(f.series) && len(f.targets) == 0 && !f.sampled(curves) && f.differ(curves) {
		f.toRatio(curves)
		return f.joined(false)
	}
	drop := map[int]bool{}
	for _, g := range groups {
		if len(g) < 2 {
			continue
		}
		var names []string
		for _, i := range g {
			names = append(names, f.series[i].name)
			drop[i] = i != g[0]
		}
		label, note := f.together(names, f.sampled(g))
		if look, ok := f.looks[names[0]]; ok {
			f.looks[label] = look
		}
		f.series[g[0]].name = label
		notes = append(notes, note)
	}
	var kept []series
	for i, s := range f.series {
		if !drop[i] {
			kept = append(kept, s)
		}
	}
	f.series = kept
	return notes
}

// curves are the places of the lines whose names nothing else has.
func (f *Figure) curves() (at []int) {
	for i, s := range f.series {
		line := s.kind == theory || s.kind == steps || s.kind == asymptotic || s.kind == band || s.kind == points && !f.alone(s)
		same := 0
		for _, other := range f.series {
			if other.name == s.name {
				same++
			}
		}
		if line && s.name != "" && same == 1 {
			at = append(at, i)
		}
	}
	return at
}

// path is a curve in parts of the frame, in the order of its places.
func (f *Figure) path(p *plot.Plot, s series) (x, y []float64) {
	for i := range s.x {
		if drawable(s.x[i], f.logX) && drawable(s.y[i], f.logY) {
			x = append(x, p.X.Scale.Normalize(p.X.Min, p.X.Max, s.x[i]))
			y = append(y, p.Y.Scale.Normalize(p.Y.Min, p.Y.Max, s.y[i]))
		}
	}
	return x, y
}

// sampled reports whether one of the curves is the share of samples beyond a place.
func (f *Figure) sampled(curves []int) bool {
	return slices.ContainsFunc(curves, func(i int) bool { return f.series[i].samples > 0 })
}

// alike reports whether two shares of samples differ by no more than two standard errors.
func alike(a, b series, x float64) bool {
	if a.samples == 0 || b.samples == 0 {
		return false
	}
	pa, pb := between(a.x, a.y, x), between(b.x, b.y, x)
	p := (pa + pb) / 2
	return math.Abs(pa-pb) <= 2*math.Sqrt(p*(1-p)*(1/float64(a.samples)+1/float64(b.samples)))
}

// near reports whether two curves lie on each other within the width of a line, or shares of samples within
// two standard errors, from end to end.
func (f *Figure) near(p *plot.Plot, a, b series) bool {
	ax, ay := f.path(p, a)
	bx, by := f.path(p, b)
	if len(ax) == 0 || len(bx) == 0 || !sort.Float64sAreSorted(ax) || !sort.Float64sAreSorted(bx) {
		return false
	}
	from, to := max(ax[0], bx[0]), min(ax[len(ax)-1], bx[len(bx)-1])
	whole := max(ax[len(ax)-1], bx[len(bx)-1]) - min(ax[0], bx[0])
	if to-from < 0.9*whole {
		return false
	}
	within := float64(lineWidth / (0.75 * f.plotHeight()))
	const places = 60
	for k := range places + 1 {
		x := from + (to-from)*float64(k)/places
		if math.Abs(between(ax, ay, x)-between(bx, by, x)) > within && !alike(a, b, f.unplaced(p, x)) {
			return false
		}
	}
	return true
}

// unplaced is the place on the x axis of a part of the frame.
func (f *Figure) unplaced(p *plot.Plot, part float64) float64 {
	if f.logX {
		return p.X.Min * math.Pow(p.X.Max/p.X.Min, part)
	}
	return p.X.Min + part*(p.X.Max-p.X.Min)
}

// between interpolates.
func between(x, y []float64, at float64) float64 {
	k := sort.SearchFloat64s(x, at)
	switch {
	case k == len(x):
		return y[k-1]
	case k == 0 || x[k] == at || x[k] == x[k-1]:
		return y[k]
	}
	return y[k-1] + (y[k]-y[k-1])*(at-x[k-1])/(x[k]-x[k-1])
}

// sameCurve is how far curves may be apart, relatively, that are the same but for rounding.
const sameCurve = 1e-6

// differ reports whether a curve differs from the first by more than rounding.
func (f *Figure) differ(curves []int) bool {
	base := f.series[curves[0]]
	for _, i := range curves[1:] {
		for k, r := range ratio(f.series[i], base, f.logY) {
			if drawable(f.series[i].x[k], f.logX) && math.Abs(r-1) > sameCurve && !math.IsInf(r, 0) {
				return true
			}
		}
	}
	return false
}

// ratio is a curve over another at its own places; NaN where the other is not known.
func ratio(s, base series, log bool) []float64 {
	var x, y []float64
	for i := range base.x {
		if drawable(base.x[i], false) && drawable(base.y[i], log) && base.y[i] != 0 {
			x, y = append(x, base.x[i]), append(y, base.y[i])
		}
	}
	out := make([]float64, len(s.x))
	for i, at := range s.x {
		if out[i] = math.NaN(); len(x) > 0 && at >= x[0] && at <= x[len(x)-1] && !math.IsInf(s.y[i], 0) {
			out[i] = s.y[i] / between(x, y, at)
		}
	}
	return out
}

// toRatio divides curves by the first of them.
func (f *Figure) toRatio(curves []int) {
	base := f.series[curves[0]]
	for _, i := range curves {
		s := &f.series[i]
		r := ratio(*s, base, f.logY)
		if s.lo != nil {
			s.lo, s.hi = slices.Clone(s.lo), slices.Clone(s.hi)
			for k := range r {
				s.lo[k], s.hi[k] = s.lo[k]*r[k]/s.y[k], s.hi[k]*r[k]/s.y[k]
			}
		}
		s.y, s.ends = r, false
	}
	f.logY, f.yLo, f.yHi = false, 0, 0
	if f.y += ", ratio to " + base.name; f.y[0] == ',' {
		f.y = f.y[2:]
	}
}
