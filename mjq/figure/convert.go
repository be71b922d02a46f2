package figure

import "slices"

// Conversion says how an axis is shown from its label and its data: under which label, and divided
// by how much.
type Conversion func(label string, data []float64) (shown string, by float64)

// Convert shows the axes in other units: all data, limits and targets are divided. A nil
// conversion leaves its axis as it is.
func (f *Figure) Convert(x, y Conversion) *Figure {
	if x != nil {
		var data []float64
		for _, s := range f.series {
			data = append(data, s.x...)
		}
		label, by := x(f.x, data)
		f.x = label
		for i := range f.series {
			s := &f.series[i]
			if s.x = divided(s.x, by); s.kind == rowed {
				s.lo, s.hi = divided(s.lo, by), divided(s.hi, by)
			}
		}
		f.limits, f.references = moved(f.limits, by), divided(f.references, by)
	}
	if y != nil {
		var data []float64
		for _, s := range f.series {
			data = append(data, s.y...)
		}
		label, by := y(f.y, data)
		f.y, f.yLo, f.yHi = label, f.yLo/by, f.yHi/by
		for i := range f.series {
			if s := &f.series[i]; s.kind != rowed {
				s.y, s.lo, s.hi = divided(s.y, by), divided(s.lo, by), divided(s.hi, by)
			}
		}
		f.targets = moved(f.targets, by)
	}
	return f
}

// divided is a copy, as data belong to the caller; nil stays nil.
func divided(data []float64, by float64) []float64 {
	data = slices.Clone(data)
	for i := range data {
		data[i] /= by
	}
	return data
}

// moved are lines with their places divided.
func moved(lines []limitLine, by float64) []limitLine {
	lines = slices.Clone(lines)
	for i := range lines {
		lines[i].at /= by
	}
	return lines
}
