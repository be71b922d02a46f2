package result

import "fmt"

// Transient holds waits and numbers of jobs as time goes by: over a period that repeats, as a
// day does, or from a given state on. Time is divided into parts of equal length; a job counts
// in the part in which it arrives. It is plain exported data that survives encoding/gob and
// encoding/json. A number that a method does not compute is NaN.
type Transient struct {
	Solver string
	Model  string  // the model in words
	Period float64 // that repeats; 0 from a given state on
	Start  string  // the state in words; "" over a period
	Stable bool    // false: the queue grows from period to period, and nothing is known of the parts
	Level  float64 // of all intervals
	Unit   Unit    // of all times and rates; "" if it is not known

	Parts []Part
	// Line holds the remaining wait of each waiting job of the given state, in the order in
	// which they were given.
	Line []Metric
	// Clear is, from a given state on, the time until nobody waits for the first time. Its
	// mean is NaN if it may come after the last part; Part.Cleared has the probabilities.
	Clear Metric
	Error float64 // of an exact solution: at most so far is any number off by the chain being finite

	Run   Run
	Notes []string
}

// Part is a part of the time of a Course.
type Part struct {
	From, To    float64 // after the beginning of the period, or from now
	Rate        float64 // jobs expected to arrive per unit of time; NaN if not known
	Classes     []PartClass
	All         PartClass
	MeanJobs    Estimate // mean number of jobs in the system
	MeanQueue   Estimate // and of waiting jobs
	Idle        Estimate // mean number of idle servers
	WastedHOL   Estimate // mean number of servers idle while a job waits
	Utilization Estimate // mean fraction of servers busy
	Cleared     Estimate // probability that nobody has waited at some time up to the end of the part, from a given state on
}

// PartClass is what the jobs of a class meet that arrive in a part of the time.
type PartClass struct {
	Name              string
	Need              int
	Waiting, Response Metric
}

// Mid is the middle of the part.
func (p *Part) Mid() float64 { return (p.From + p.To) / 2 }

// Class is that of the class of the name, all jobs under "". A name that does not exist
// is a mistake of the program and panics with the names that do.
func (p *Part) Class(name string) *PartClass {
	if name == "" {
		return &p.All
	}
	return called("class", "course", p.Classes, name, func(c *PartClass) string { return c.Name })
}

// Table is the course part by part.
func (c *Transient) Table() *Table {
	title := "Over a period of " + c.Unit.Text(c.Period)
	if c.Period == 0 {
		title = "From " + c.Start + " on"
	}
	switch {
	case c.Solver != "":
		title += fmt.Sprintf(" (%s)", c.Solver)
	case !c.Stable:
		title += ": the queue grows without bound"
	}
	t := NewTable(title).In(c.Unit)
	numbers := func(name string, power int, of func(p *Part) float64) {
		values := make([]float64, len(c.Parts))
		for i := range c.Parts {
			values[i] = of(&c.Parts[i])
		}
		t.Numbers(name, values...).Time(power)
	}
	known := func(name string, power int, of func(p *Part) Estimate) {
		values, any := make([]Estimate, len(c.Parts)), false
		for i := range c.Parts {
			values[i] = of(&c.Parts[i])
			any = any || values[i].Known()
		}
		if any {
			t.Estimates(name, values...).Time(power)
		}
	}
	numbers("from", 1, func(p *Part) float64 { return p.From })
	numbers("to", 1, func(p *Part) float64 { return p.To })
	numbers("arrivals", -1, func(p *Part) float64 { return p.Rate })
	known("mean wait", 1, func(p *Part) Estimate { return p.All.Waiting.Mean })
	known("90 % quantile", 1, func(p *Part) Estimate { return p.All.Waiting.Quantile(0.9) })
	for i := range c.classes() {
		known("mean wait of "+c.Parts[0].Classes[i].Name, 1, func(p *Part) Estimate { return p.Classes[i].Waiting.Mean })
	}
	known("do not wait", 0, func(p *Part) Estimate { return p.All.Waiting.NoWait })
	known("jobs", 0, func(p *Part) Estimate { return p.MeanJobs })
	known("waste", 0, func(p *Part) Estimate { return p.WastedHOL })
	known("nobody has waited", 0, func(p *Part) Estimate { return p.Cleared })
	t.Note = fmt.Sprintf("%g %% intervals.", 100*c.Level)
	if c.Error > 0 {
		t.Note = fmt.Sprintf("Errors are at most %.2g.", c.Error)
	}
	return t
}

// classes is how many columns the classes have: one alone has none.
func (c *Transient) classes() int {
	if len(c.Parts) == 0 || len(c.Parts[0].Classes) < 2 {
		return 0
	}
	return len(c.Parts[0].Classes)
}

// String returns the table and the notes as text.
func (c *Transient) String() string { return c.Table().String() + noteLines(c.Notes) }

// HTML returns the table and the notes as HTML, for a notebook.
func (c *Transient) HTML() string { return c.Table().HTML() + noteParagraphs(c.Notes) }
