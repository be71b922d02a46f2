package result

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// Sensitivities tells how the mean wait of all jobs answers to changes of the queue. It is
// plain data, which survives encoding/gob and encoding/json.
type Sensitivities struct {
	Model       string
	Level, Rate float64
	Unit        Unit     // of all times and rates; "" if it is not known
	Wait        Estimate // mean, of all jobs
	ByRate      Estimate // dE[W]/dλ
	Changes     []Change // of waits, by what is changed
	Notes       []string
	Remembered  time.Time // when they were found, if not now; see mjq.Cache
}

// Table has the changes, what helps most first: the mean wait after each, the change, and
// the change in percent.
func (s *Sensitivities) Table() *Table {
	list := slices.Clone(s.Changes)
	slices.SortStableFunc(list, func(a, b Change) int { return cmp.Compare(a.Waiting.Value, b.Waiting.Value) })
	t := NewTable("Changes by effect: mean wait " + s.Unit.EstimateText(s.Wait)).In(s.Unit).Text("change").Estimates("of the mean wait").Time(1).Numbers("%")
	for _, c := range list {
		t.Row(c.Name, c.Waiting, 100*c.Waiting.Value/s.Wait.Value)
	}
	t.Note = fmt.Sprintf("dE[W]/dλ = %v at λ = %s.", s.ByRate, s.Unit.RateText(s.Rate, 6))
	if !(s.Wait.HalfWidth == 0) && !math.IsNaN(s.Wait.HalfWidth) {
		t.Note += fmt.Sprintf(" %g %% intervals, of differences with the same jobs.", 100*s.Level)
	}
	return t
}

// String returns the table and the notes as text.
func (s *Sensitivities) String() string { return s.Table().String() + noteLines(s.Notes) }

// HTML returns the table and the notes as HTML, for a notebook.
func (s *Sensitivities) HTML() string { return s.Table().HTML() + noteParagraphs(s.Notes) }
