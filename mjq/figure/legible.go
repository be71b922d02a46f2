package figure

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
)

// Legible lets the data choose a form in which they can be read. Where the intervals of up to
// five curves cross they become bands. Curves that lie on each other within the width of a line
// become their ratio to the first, or one curve with all their names if others lie apart or they
// are equal. Tails of samples become one curve within two standard errors. Package plots draws legible figures; one made by New is drawn as its calls say.
//
// Every figure says what its axes cannot show. An arrow at the foot marks values at or below 0 on a
// logarithmic axis, one at the top infinite values, and the caption says so. Where
// intervals are wider than the range of the values between which a figure is to decide, its title
// begins with "Undecided".
func (f *Figure) Legible() *Figure { f.legible = true; return f }

// mostBands is how many bands can be told apart.
const mostBands = 5

// shown is the figure as it is drawn.
func (f *Figure) shown() *Figure {
	if f.settled {
		return f
	}
	one := *f
	one.settled, one.series, one.looks = true, slices.Clone(f.series), maps.Clone(f.looks)
	if one.faults() != nil {
		return &one
	}
	if one.undecided() {
		one.title = "Undecided: " + one.title
	}
	var notes []string
	if one.legible {
		one.banded()
		notes = one.joined(true)
	}
	notes = append(notes, one.unshown()...)
	if !one.captioned {
		one.caption = strings.TrimSpace(strings.Join(append([]string{one.caption}, notes...), " "))
	}
	return &one
}

// unshown is what the axes have no place for, in words.
func (f *Figure) unshown() (notes []string) {
	sunk, risen, left, right := false, false, false, false
	for _, s := range f.series {
		if s.kind == rowed {
			for _, v := range s.x {
				left, right = left || f.logX && v <= 0, right || v > largest
			}
			continue
		}
		_, up, down := f.clean(s)
		risen, sunk = risen || len(up) > 0, sunk || len(down) > 0
	}
	told := strings.Contains(f.caption, "arrow")
	if risen && !told {
		notes = append(notes, "An arrow at the top marks an infinite value.")
	}
	if right && !told {
		notes = append(notes, "An arrow to the right marks an infinite value.")
	}
	if sunk {
		notes = append(notes, "An arrow at the foot marks 0, for which a logarithmic axis has no place.")
	}
	if left {
		notes = append(notes, "An arrow to the left marks 0, for which a logarithmic axis has no place.")
	}
	return notes
}

// interval is a value with the ends of its interval.
type interval struct{ value, lo, hi float64 }

// undecided reports whether intervals are wider than the range of the values that they belong to:
// of a figure, or of every row or group of rows. With a line to compare with, whether all
// intervals hold it.
func (f *Figure) undecided() bool {
	if len(f.targets) > 0 {
		return false
	}
	if len(f.references) > 0 {
		return f.allHold(f.references[0])
	}
	units := f.units()
	some := false
	for _, unit := range units {
		if len(unit) < 2 {
			continue
		}
		lo, hi := unit[0].value, unit[0].value
		var widths []float64
		for _, e := range unit {
			lo, hi, widths = min(lo, e.value), max(hi, e.value), append(widths, e.hi-e.lo)
		}
		slices.Sort(widths)
		if !(widths[len(widths)/2] > hi-lo) {
			return false
		}
		some = true
	}
	return some
}

// allHold reports whether all intervals of rows hold a value.
func (f *Figure) allHold(at float64) bool {
	n := 0
	for _, s := range f.series {
		for i := range s.lo {
			switch {
			case s.kind != rowed || !drawable(s.x[i], false) || s.lo[i] == s.x[i] && s.x[i] == at:
				continue
			case s.lo[i] > at || s.hi[i] < at:
				return false
			}
			n++
		}
	}
	return n > 0
}

// units are the values with intervals between which a figure is to decide: marks of one row, rows
// of one group, or all points.
func (f *Figure) units() map[int][]interval {
	units, group, groups := map[int][]interval{}, 0, make([]int, len(f.rows))
	for i, r := range f.rows {
		if r.heading || len(r.marks) > 1 || i > 0 && len(f.rows[i-1].marks) > 1 {
			group = i + 1
		}
		groups[i] = group
	}
	for _, s := range f.series {
		if s.kind != points && s.kind != rowed || len(s.lo) == 0 {
			continue
		}
		for i := range s.lo {
			v, unit := s.y[i], 0
			if s.kind == rowed {
				v, unit = s.x[i], groups[int(s.y[i])]
			}
			if e := (interval{v, s.lo[i], s.hi[i]}); drawable(v, false) && e.hi > e.lo && drawable(e.hi-e.lo, false) {
				units[unit] = append(units[unit], e)
			}
		}
	}
	return units
}

// banded turns curves whose intervals cross into bands.
func (f *Figure) banded() {
	var at []int
	for i, s := range f.series {
		if s.kind == points && !f.alone(s) && len(s.x) >= 3 && len(s.lo) == len(s.x) {
			at = append(at, i)
		}
	}
	cross, all := 0, 0
	for k, i := range at {
		for _, j := range at[:k] {
			c, n := crossings(f.series[i], f.series[j])
			cross, all = cross+c, all+n
		}
	}
	if len(at) < 2 || len(at) > mostBands || 4*cross < all || all == 0 {
		return
	}
	for _, i := range at {
		s := &f.series[i]
		s.kind, s.lo, s.hi = band, slices.Clone(s.lo), slices.Clone(s.hi)
		for k, v := range s.y {
			if !drawable(s.lo[k], false) || !drawable(s.hi[k], false) {
				s.lo[k], s.hi[k] = v, v
			}
		}
	}
	f.caption = strings.NewReplacer("Bars are", "Bands are", "bars are", "bands are").Replace(f.caption)
}

// crossings counts the places that two series share, and those at which their intervals overlap.
func crossings(a, b series) (cross, all int) {
	for i, x := range a.x {
		k := slices.Index(b.x, x)
		if k < 0 || !(a.hi[i] > a.lo[i] || b.hi[k] > b.lo[k]) {
			continue
		}
		if all++; a.lo[i] <= b.hi[k] && b.lo[k] <= a.hi[i] {
			cross++
		}
	}
	return cross, all
}

// listed is names in words: "a, b and c".
func listed(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// together are the names of curves that are drawn as one, as a label and in the caption.
func (f *Figure) together(names []string, sampled bool) (label, note string) {
	label = listed(names)
	if sans(legendSize).Width(label) > vg.Length(longestLabel*f.width) {
		label = fmt.Sprintf("%s (and %d more)", names[0], len(names)-1)
	}
	others := names[1:]
	if len(others) > 6 {
		others = append(slices.Clone(others[:5]), fmt.Sprintf("%d others", len(others)-5))
	}
	verb := "lies"
	if len(others) > 1 {
		verb = "lie"
	}
	within := "the width of a line"
	if sampled {
		within += " or two standard errors"
	}
	return label, fmt.Sprintf("%s %s on %s within %s.", listed(others), verb, names[0], within)
}
