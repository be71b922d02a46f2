// Package figure draws publication-quality plots of queueing results with
// gonum/plot: points with intervals for simulation, solid lines for theory,
// dashed ones for asymptotics, hollow grey marks for a paper's digits, and a
// dotted line at the stability limit. A name keeps its colour and its mark in
// all of these. It stands at the right end of its curve where the curves of a figure
// leave space for them, and otherwise in a legend below, by the dashes of its line; both
// survive print in black and white.
//
//	f := figure.New("Waiting grows without bound near the limit").
//		X("arrival rate λ").Y("mean waiting time").LogY()
//	f.Points("T1", rates, means, halfWidths)
//	f.Theory("T1", rates, exact)
//	f.Stability(1.8009, "λ_{c} = 1.801")
//	svg, err := f.SVG()
//
// Labels may hold Greek letters and, as in "10^{-3}" and "λ_{c}", raised and
// lowered text.
package figure

import (
	"fmt"
	"slices"
)

// Figure is one plot under construction. Its methods return it, so that they
// chain. Faults are kept and returned when it is drawn.
type Figure struct {
	title, x, y, caption string
	logX, logY           bool
	xLo, xHi, yLo, yHi   float64 // fixed ranges if xLo < xHi, yLo < yHi
	series               []series
	limits               []limitLine
	targets              []limitLine
	looks                map[string]Look
	noLegend, captioned  bool  // there is a legend for several panels; the caption stands elsewhere
	rows                 []row // of the vertical axis, if it has names
	references           []float64
	regions              *regions
	legible              bool    // see Legible
	settled              bool    // as it is drawn; see shown
	width, height        float64 // points; 0 for what fits a page
}

// kind says how a series is drawn.
type kind int

const (
	points kind = iota
	theory
	asymptotic
	paper
	band
	shade // a band without a line
	steps
	bars
	rowed
	region
)

// series is one set of data. lo and hi are the ends of intervals or of a band.
type series struct {
	kind       kind
	name       string
	x, y       []float64
	lo, hi     []float64
	halfGiven  bool
	halfLength int
	depth      int  // of a shade, the number of those around it
	loose      bool // points that no line joins
	ends       bool // steps with a mark where they end
	samples    int  // of which steps are the share beyond; 0 if not known
}

// New is an empty figure. The title says what the reader should see in it.
func New(title string) *Figure { return &Figure{title: title} }

// X labels the horizontal axis, with its unit.
func (f *Figure) X(label string) *Figure { f.x = label; return f }

// Y labels the vertical axis, with its unit.
func (f *Figure) Y(label string) *Figure { f.y = label; return f }

// LogX makes the horizontal axis logarithmic; data at or below 0 are left out.
func (f *Figure) LogX() *Figure { f.logX = true; return f }

// LogY makes the vertical axis logarithmic; data at or below 0 are left out.
func (f *Figure) LogY() *Figure { f.logY = true; return f }

// YRange fixes the vertical range.
func (f *Figure) YRange(lo, hi float64) *Figure { f.yLo, f.yHi = lo, hi; return f }

// Caption is a line in small print below: what to conclude, what the marks mean. A notebook
// shows it as text below the figure.
func (f *Figure) Caption(text string) *Figure { f.caption = text; return f }

// Size sets the size in points of the plot with its axes and a title of one line. The default
// is 560 by 320, the width of a page, and less in a Grid of several columns. More lines of
// title, the legend and the caption make the figure higher.
func (f *Figure) Size(width, height float64) *Figure { f.width, f.height = width, height; return f }

// sized is the figure with a size: as one of several columns if none was set. Rows make it as
// high as they need.
func (f *Figure) sized(columns int) *Figure {
	one := *f
	if f.width <= 0 {
		switch columns {
		case 1:
			one.width, one.height = 560, 320
		case 2:
			one.width, one.height = 390, 290
		default:
			one.width, one.height = 300, 240
		}
	}
	if len(f.rows) > 0 {
		one.height = float64(one.rowsHeight() + layout{title: "one line"}.head())
	}
	return &one
}

// Title is the title given to New, with what the data say against it; see Legible.
func (f *Figure) Title() string { return f.sized(1).shown().title }

// Points draws simulated values with intervals y ± half; half may be nil. A
// thin line joins them unless Theory gives one of the same name. Points that are NaN
// are left out; infinite ones, the unstable, are marked by an arrow at the top.
func (f *Figure) Points(name string, x, y, half []float64) *Figure {
	return f.add(pointed(name, x, y, half))
}

// Intervals draws values with intervals y ± half that nothing joins, as when they
// belong to different models or stand side by side.
func (f *Figure) Intervals(name string, x, y, half []float64) *Figure {
	s := pointed(name, x, y, half)
	s.loose = true
	return f.add(s)
}

func pointed(name string, x, y, half []float64) series {
	s := series{kind: points, name: name, x: x, y: y, halfGiven: half != nil, halfLength: len(half)}
	if half != nil && len(half) == len(y) {
		s.lo, s.hi = make([]float64, len(y)), make([]float64, len(y))
		for i := range y {
			s.lo[i], s.hi[i] = y[i]-half[i], y[i]+half[i]
		}
	}
	return s
}

// Scatter draws points that nothing joins, as the cells of a map.
func (f *Figure) Scatter(name string, x, y []float64) *Figure {
	return f.add(series{kind: points, name: name, x: x, y: y, loose: true})
}

// Band draws a line with a shaded band from lo to hi.
func (f *Figure) Band(name string, x, y, lo, hi []float64) *Figure {
	return f.add(series{kind: band, name: name, x: x, y: y, lo: lo, hi: hi})
}

// Ribbon draws how a law spreads: curves of its quantiles, given from the
// lowest to the highest. The area between the first and the last is shaded, that
// between the second and the last but one darker, and so on; of an odd number
// the middle one is a line.
func (f *Figure) Ribbon(name string, x []float64, quantiles ...[]float64) *Figure {
	for k, n := 0, len(quantiles); k < n/2; k++ {
		lo, hi := quantiles[k], quantiles[n-1-k]
		f.add(series{kind: shade, name: name, x: x, y: hi, lo: lo, hi: hi, depth: k})
	}
	if n := len(quantiles); n%2 == 1 {
		f.add(series{kind: theory, name: name, x: x, y: quantiles[n/2]})
	}
	return f
}

// Theory draws exact values as a line without marks.
func (f *Figure) Theory(name string, x, y []float64) *Figure {
	return f.add(series{kind: theory, name: name, x: x, y: y})
}

// Asymptotic draws an approximation as a dashed line.
func (f *Figure) Asymptotic(name string, x, y []float64) *Figure {
	return f.add(series{kind: asymptotic, name: name, x: x, y: y})
}

// Paper draws printed values as hollow grey marks.
func (f *Figure) Paper(name string, x, y []float64) *Figure {
	return f.add(series{kind: paper, name: name, x: x, y: y})
}

// Steps draws a step function that keeps each value until the next x: an
// empirical CDF or survival function.
func (f *Figure) Steps(name string, x, y []float64) *Figure {
	return f.add(series{kind: steps, name: name, x: x, y: y})
}

// Survival draws the share of samples beyond x as steps, with a mark where they end. The name says
// if no sample is beyond the first x.
func (f *Figure) Survival(name string, x, y []float64, samples int) *Figure {
	if len(y) > 0 && !slices.ContainsFunc(y, func(v float64) bool { return v > 0 }) {
		name += ": never"
		if samples > 0 {
			name += fmt.Sprintf(" in %d", samples)
		}
	}
	return f.add(series{kind: steps, name: name, x: x, y: y, ends: true, samples: max(0, samples)})
}

// Histogram draws the outline of a histogram: the density between successive
// edges, of which there is one more.
func (f *Figure) Histogram(name string, edges, density []float64) *Figure {
	s := series{kind: bars, name: name, x: edges, y: density}
	if len(edges) == len(density)+1 && len(density) > 0 {
		s.y = append(append([]float64(nil), density...), density[len(density)-1])
	}
	return f.add(s)
}

// Stability marks a stability limit by a dotted vertical line with a label.
func (f *Figure) Stability(x float64, label string) *Figure {
	f.limits = append(f.limits, limitLine{x, label})
	return f
}

// Target marks a value that is asked for by a dotted horizontal line with a label.
func (f *Figure) Target(y float64, label string) *Figure {
	f.targets = append(f.targets, limitLine{y, label})
	return f
}

func (f *Figure) add(s series) *Figure {
	f.series = append(f.series, s)
	return f
}
