package result

import (
	"fmt"
	"math"
	"strings"
)

// Checkpoints says how often jobs should write a checkpoint where servers fail.
type Checkpoints struct {
	Model   string
	Classes []ClassCheckpoints
	Notes   []string
	Unit    Unit // of time; "" if it is not known
}

// ClassCheckpoints is what holds of a class. Times and shares are of a long job, of which all
// intervals are full.
type ClassCheckpoints struct {
	Name        string
	Hits        float64 // failures that hit a running job in a unit of time
	Cost        float64 // of a checkpoint
	Best, Young float64 // work between two checkpoints: the best, and Young's approximation of it
	Running     float64 // share of the time in which servers for one such job are up, if it has the cluster to itself; NaN where that is not known
	Intervals   []CheckpointInterval
}

// CheckpointInterval is what an interval between checkpoints costs.
type CheckpointInterval struct {
	Name  string  // half the best, best, twice the best, Young, or the model's own
	Every float64 // work between two checkpoints
	Kept  float64 // share of the time a job runs in which it does work that is kept
	ETTR  float64 // the same of all its time, waits for servers included; NaN where that is not known
	More  float64 // by what share a job runs longer than with the best interval
	Held  float64 // mean time for which a job of the model holds its servers, if they are back at once; +Inf without bound
}

// Interval is the row of that name; nil if there is none.
func (c *ClassCheckpoints) Interval(name string) *CheckpointInterval {
	for i := range c.Intervals {
		if c.Intervals[i].Name == name {
			return &c.Intervals[i]
		}
	}
	return nil
}

// Class is that of a name; nil if there is none.
func (c *Checkpoints) Class(name string) *ClassCheckpoints {
	for i := range c.Classes {
		if c.Classes[i].Name == name {
			return &c.Classes[i]
		}
	}
	return nil
}

// Table has a row for each interval of each class.
func (c *Checkpoints) Table() *Table {
	var names, intervals []string
	var every, kept, ettr, more []float64
	known := false
	for _, k := range c.Classes {
		for _, x := range k.Intervals {
			names, intervals = append(names, k.Name), append(intervals, x.Name)
			every, kept, ettr, more = append(every, x.Every), append(kept, x.Kept), append(ettr, x.ETTR), append(more, x.More)
			known = known || !math.IsNaN(x.ETTR)
		}
	}
	t := NewTable("Checkpoints").In(c.Unit).Text("class", names...).Text("interval", intervals...).Numbers("every", every...).Time(1).
		Numbers("kept while it runs", kept...)
	if known {
		t.Numbers("ETTR", ettr...)
	}
	t.Numbers("runs longer by", more...)
	for _, k := range c.Classes {
		t.Note += fmt.Sprintf("A running job of class %q is hit %.4g times in a unit of time. ", k.Name, k.Hits)
		if known && !math.IsNaN(k.Running) {
			t.Note += fmt.Sprintf("Servers for it are up %.4g of the time. ", k.Running)
		}
	}
	t.Note = strings.TrimSpace(t.Note)
	return t
}

// String returns the table and the notes as text.
func (c *Checkpoints) String() string { return c.Table().String() + noteLines(c.Notes) }

// HTML returns the table and the notes as HTML, for a notebook.
func (c *Checkpoints) HTML() string { return c.Table().HTML() + noteParagraphs(c.Notes) }
