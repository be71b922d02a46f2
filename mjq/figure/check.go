package figure

import (
	"errors"
	"fmt"
	"math"
)

// faults lists the series whose lengths do not fit.
func (f *Figure) faults() error {
	var list []error
	for _, s := range f.series {
		if len(s.x) != len(s.y) {
			list = append(list, fmt.Errorf("figure: series %q has %d x values and %d y values; make them equal", s.name, len(s.x), len(s.y)))
		}
		if s.halfGiven && s.halfLength != len(s.y) {
			list = append(list, fmt.Errorf("figure: series %q has %d half-widths for %d points; make them equal", s.name, s.halfLength, len(s.y)))
		}
		if (s.kind == band || s.kind == shade) && (len(s.lo) != len(s.y) || len(s.hi) != len(s.y)) {
			list = append(list, fmt.Errorf("figure: series %q has a band of %d and %d values for %d points; make them equal", s.name, len(s.lo), len(s.hi), len(s.y)))
		}
	}
	if f.regions != nil && !f.regions.fits() {
		list = append(list, fmt.Errorf("figure: a map of %d by %d places has names for %d columns; give one for every place", len(f.regions.x), len(f.regions.y), len(f.regions.of)))
	}
	return errors.Join(list...)
}

// drawable reports whether a coordinate can be shown on an axis.
func drawable(v float64, log bool) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!log || v > 0)
}

// mostVertices is how many vertices a curve may have: more are not seen, and
// make the file large.
const mostVertices = 1000

// clean is the drawable part of a series, thinned, with infinite values turned
// into the x at which they occur, and values for which a logarithmic axis has no place as well. Of
// these a curve has those where it leaves the axis.
func (f *Figure) clean(s series) (out series, unstable, sunk []float64) {
	out = series{kind: s.kind, name: s.name, depth: s.depth, ends: s.ends}
	last := false // the value before has a place
	every := (len(s.x) + mostVertices - 1) / mostVertices
	for i := range s.x {
		if every > 1 && i%every != 0 && i != len(s.x)-1 {
			continue
		}
		if math.IsInf(s.y[i], 1) && drawable(s.x[i], f.logX) {
			if s.kind != shade {
				unstable = append(unstable, s.x[i])
			}
			continue
		}
		if !drawable(s.x[i], f.logX) || !drawable(s.y[i], f.logY) {
			if f.logY && s.y[i] <= 0 && drawable(s.x[i], f.logX) && s.kind != shade && (last || s.kind == points || s.kind == paper || len(out.x)+len(sunk) == 0) {
				sunk, last = append(sunk, s.x[i]), false
			}
			continue
		}
		last = true
		out.x, out.y = append(out.x, s.x[i]), append(out.y, s.y[i])
		if s.lo == nil {
			continue
		}
		lo, hi := s.lo[i], s.hi[i]
		if !drawable(lo, false) || !drawable(hi, f.logY) {
			lo, hi = s.y[i], s.y[i]
		}
		if f.logY && lo <= 0 {
			lo = s.y[i] / 100 // the frame clips it
		}
		out.lo, out.hi = append(out.lo, lo), append(out.hi, hi)
	}
	return out, unstable, sunk
}
