package plots

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
)

// ByTime draws the mean waiting time of every class as time goes by, with intervals,
// over the time at which jobs arrive. An exact course is drawn without marks. The caption says
// which class waits longest and when, and when it waits least.
func ByTime(c *result.Transient) *figure.Figure {
	return overTime(c, "How waits go with the time", "mean waiting time", 1,
		func(x *result.PartClass) result.Estimate { return x.Waiting.Mean })
}

// QuantilesByTime is ByTime with the p-quantile of the waiting time.
func QuantilesByTime(p float64, c *result.Transient) *figure.Figure {
	name := fmt.Sprintf("%g %% quantile of waiting time", 100*p)
	return overTime(c, name+" by the time of arrival", name, 1,
		func(x *result.PartClass) result.Estimate { return x.Waiting.Quantile(p) })
}

// NoWaitByTime is ByTime with the probability of not having to wait.
func NoWaitByTime(c *result.Transient) *figure.Figure {
	return overTime(c, "Who need not wait, by the time of arrival", "probability of not having to wait", 0,
		func(x *result.PartClass) result.Estimate { return x.Waiting.NoWait })
}

// JobsByTime draws the mean number of jobs in the system and of waiting jobs as time goes by,
// with intervals.
func JobsByTime(c *result.Transient) *figure.Figure {
	f := ofCourse(c, "How many jobs there are", "mean number of jobs")
	inSystem := func(p *result.Part) result.Estimate { return p.MeanJobs }
	inQueue := func(p *result.Part) result.Estimate { return p.MeanQueue }
	draw(f, c, "in the system", inSystem)
	draw(f, c, "in the queue", inQueue)
	return f.Convert(axis(c.Unit, 1), nil).Caption(swing(c, "in the system", 0, inSystem) + swing(c, "in the queue", 0, inQueue) + marks(c))
}

// overTime draws a number of every class.
func overTime(c *result.Transient, title, label string, power int, of func(*result.PartClass) result.Estimate) *figure.Figure {
	f := ofCourse(c, title, label)
	if len(c.Parts) == 0 {
		return f
	}
	highest, top := "", math.Inf(-1)
	for i := range c.Parts[0].Classes {
		class := func(p *result.Part) result.Estimate { return of(&p.Classes[i]) }
		draw(f, c, c.Parts[0].Classes[i].Name, class)
		if _, high := partEnds(c, class); high >= 0 && class(&c.Parts[high]).Value > top {
			highest, top = swing(c, "for "+c.Parts[0].Classes[i].Name, power, class), class(&c.Parts[high]).Value
		}
	}
	if highest == "" {
		highest = "Not known by this method. "
	}
	return f.Convert(axis(c.Unit, 1), axis(c.Unit, power)).Caption(highest + marks(c))
}

// ends are the places at which a number is lowest and highest, -1 if it is never known.
func ends(n int, of func(i int) float64) (low, high int) {
	low, high = -1, -1
	for i := range n {
		v := of(i)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		if low < 0 || v < of(low) {
			low = i
		}
		if high < 0 || v > of(high) {
			high = i
		}
	}
	return low, high
}

// partEnds are the parts of a course in which a quantity is lowest and highest.
func partEnds(c *result.Transient, of func(*result.Part) result.Estimate) (low, high int) {
	return ends(len(c.Parts), func(i int) float64 { return of(&c.Parts[i]).Value })
}

// swing says when a quantity is highest and lowest, and whether its intervals tell the two apart.
func swing(c *result.Transient, name string, power int, of func(*result.Part) result.Estimate) string {
	low, high := partEnds(c, of)
	if high < 0 {
		return ""
	}
	least, most := of(&c.Parts[low]), of(&c.Parts[high])
	if low == high || short3(c.Unit, power, least.Value) == short3(c.Unit, power, most.Value) {
		return fmt.Sprintf("The same at all times %s: %s. ", name, short3(c.Unit, power, most.Value))
	}
	text := fmt.Sprintf("Highest %s at %s: %s; lowest at %s: %s", name, clock(c, high), short3(c.Unit, power, most.Value),
		clock(c, low), short3(c.Unit, power, least.Value))
	if least.Hi() >= most.Lo() && !exact(c) {
		text += ", which the intervals do not tell apart"
	}
	return text + ". "
}

// ofCourse is an empty figure with its axes.
func ofCourse(c *result.Transient, title, label string) *figure.Figure {
	f := figure.New(title).X("time from now").Y(label).Legible()
	if c.Period > 0 {
		f.X("time of the period")
	}
	return f.Caption(marks(c))
}

// clock is the middle of a part in the unit of the axis.
func clock(c *result.Transient, part int) string {
	mid := c.Parts[part].Mid()
	if c.Unit == "" {
		return fmt.Sprintf("%.3g", mid)
	}
	scale := c.Unit.Best(c.Parts[len(c.Parts)-1].To)
	return fmt.Sprintf("%.3g %s", scale.Show(mid, 1), scale.Unit)
}

// marks is what a caption says of marks and method.
func marks(c *result.Transient) string {
	if exact(c) {
		return method(c.Solver)
	}
	return source(c.Solver, c.Level, c.Run.Seed)
}

// exact reports whether nothing of the course was drawn at random.
func exact(c *result.Transient) bool { return c.Run.Samples == 0 }

// draw draws a series, at the middle of every part of which it is known.
func draw(f *figure.Figure, c *result.Transient, name string, of func(*result.Part) result.Estimate) {
	var x, y, half []float64
	for i := range c.Parts {
		if e := of(&c.Parts[i]); !math.IsNaN(e.Value) {
			x, y, half = append(x, c.Parts[i].Mid()), append(y, e.Value), append(half, e.HalfWidth)
		}
	}
	if exact(c) {
		f.Theory(name, x, y)
		return
	}
	f.Points(name, x, y, half)
}
