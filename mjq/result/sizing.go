package result

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Sizing answers how many servers a queue needs to meet its targets, what the largest
// rate or need is at which it does, or which mix of resources is the cheapest. It is
// plain data, which survives encoding/gob and encoding/json.
type Sizing struct {
	What    string // what is varied: "servers", "arrival rate", "need of wide", "cost of cpu, gpu"
	Model   string
	Targets []string // in words; that the queue is stable goes without saying
	Times   []bool   // of which targets ask about a time, in their order
	Unit    Unit     // of all times and rates; "" if it is not known
	Level   float64  // with which the answer is right, all looks taken together

	// Best is the answer: the fewest servers, the largest rate or need, the least cost of
	// a mix. NaN where nothing meets the targets.
	Best float64
	// Sure reports whether intervals decide on both sides of Best. Known to meet and to
	// miss at the level are Meets and Misses, the values nearest to the answer of which
	// that could be decided; NaN where there is none.
	Confirmed     bool
	Meets, Misses float64

	Mix []Units // the best mix of types of resources; nil otherwise

	Points     []SizingPoint // all that was looked at, by value
	Notes      []string
	Remembered time.Time // when it was found, if it was not now; see mjq.Cache
}

// Units is a number of units of a type of resource.
type Units struct {
	Name  string
	Units int
}

// SizingPoint is one size that was looked at.
type SizingPoint struct {
	Value   float64
	Mix     []Units
	Verdict Verdict
	Targets []Estimate // in the order of the targets, at the level that the look had
	Cost    Estimate   // in all, where costs were given
	Solver  string     // how it was found
}

// Verdict says whether a size meets the targets.
type Verdict string

// A size meets all targets or misses one where the interval says so; otherwise it is not
// decided, and the estimate only makes one of the two likely.
const (
	Meets        Verdict = "meets"
	Misses       Verdict = "misses"
	LikelyMeets  Verdict = "likely meets"
	LikelyMisses Verdict = "likely misses"
)

// OK reports whether the targets are met, surely or likely.
func (v Verdict) OK() bool { return v == Meets || v == LikelyMeets }

// Sure reports whether an interval decides.
func (v Verdict) Sure() bool { return v == Meets || v == Misses }

// At is the look at a value, or nil.
func (s *Sizing) At(value float64) *SizingPoint {
	for i := range s.Points {
		if s.Points[i].Value == value {
			return &s.Points[i]
		}
	}
	return nil
}

// Table has a row for every size that was looked at, with what each target asks about
// and the verdict.
func (s *Sizing) Table() *Table {
	t := NewTable(fmt.Sprintf("%s: %s", s.sought(), s.Answer()))
	var values []float64
	var verdicts []string
	columns := make([][]Estimate, len(s.Targets))
	var costs []Estimate
	for _, p := range s.Points {
		values, verdicts = append(values, p.Value), append(verdicts, string(p.Verdict))
		for k := range columns {
			e := Unknown()
			if k < len(p.Targets) {
				e = p.Targets[k]
			}
			columns[k] = append(columns[k], e)
		}
		costs = append(costs, p.Cost)
	}
	s.mixes(t)
	t.In(s.Unit).Numbers(s.What, values...)
	if s.Rates() {
		t.Time(-1)
	}
	for k, name := range s.Targets {
		if t.Estimates(name, columns[k]...); k < len(s.Times) && s.Times[k] {
			t.Time(1)
		}
	}
	if s.priced() && len(s.Mix) == 0 {
		t.Estimates("cost", costs...)
	}
	t.Text("", verdicts...)
	if !s.sampled() {
		t.Note = "Exact."
		return t
	}
	t.Note = fmt.Sprintf("Confidence %g %% in the answer as a whole; each candidate has its share of the error probability.", 100*s.Level)
	return t
}

// sought is what was looked for.
func (s *Sizing) sought() string {
	switch {
	case len(s.Mix) > 0:
		return "Cheapest mix"
	case s.What != "servers" && s.What != "nodes":
		return "Largest " + s.What
	case s.priced():
		return "Cheapest number of " + s.What
	}
	return "Fewest " + s.What
}

// priced reports whether sizes have a cost.
func (s *Sizing) priced() bool {
	return slices.ContainsFunc(s.Points, func(p SizingPoint) bool { return p.Cost.Known() })
}

// Rates reports whether arrival rates are varied.
func (s *Sizing) Rates() bool { return s.What == "arrival rate" }

// sampled reports whether some estimate has an interval.
func (s *Sizing) sampled() bool {
	for _, p := range s.Points {
		for _, e := range append([]Estimate{p.Cost}, p.Targets...) {
			if e.HalfWidth != 0 && !math.IsNaN(e.Value) {
				return true
			}
		}
	}
	return false
}

// mixes adds a column for each type of resource.
func (s *Sizing) mixes(t *Table) {
	for k, u := range s.Mix {
		var units []float64
		for _, p := range s.Points {
			units = append(units, float64(p.Mix[k].Units))
		}
		t.Numbers(u.Name, units...)
	}
}

// Answer is the answer in words.
func (s *Sizing) Answer() string {
	if math.IsNaN(s.Best) {
		return "none meets the targets"
	}
	text := fmt.Sprintf("%.6g", s.Best)
	if s.Rates() {
		text = s.Unit.RateText(s.Best, 6)
	}
	if s.Confirmed {
		return text
	}
	return text + " (not confirmed)"
}

// String returns the table and the notes as text.
func (s *Sizing) String() string { return s.Table().String() + noteLines(s.Notes) }

// HTML returns the table and the notes as HTML, for a notebook.
func (s *Sizing) HTML() string { return s.Table().HTML() + noteParagraphs(s.Notes) }
