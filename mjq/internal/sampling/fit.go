package sampling

import (
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/result"
)

// Fit estimates what rows of observations say of the queue, with control variates.
type Fit struct {
	regression
	Row *Layout // where each quantity stands
}

// regression is a Crossfit or a Jackknife.
type regression interface {
	Part(row []float64)
	Add(row []float64)
	Controls() int
	Mean(at int, level float64, method string) result.Estimate
	Variance(at int, level float64, method string) result.Estimate
	Ratios(at int, level float64, method string) (mean, variance result.Estimate)
}

func newFit(by *controls, row *Layout) *Fit {
	f := estimate.NewCrossfit(by.number(), row.Len())
	f.Gauge = row.All(Waiting)
	if by.nearby > 0 {
		f.Slack = slack
	}
	if by.enough {
		f.First, f.Before = by.nearby, row.All(Waste)
	}
	return &Fit{f, row}
}

// newDriftFit is for paths with the controls of a martingale.
func newDriftFit(m *martingale, row *Layout, classes, kinds int) *Fit {
	f := estimate.NewJackknife(m.number(), m.groups(row, classes, kinds))
	if m.near != nil {
		f.Slack = slack
	}
	f.Gauge = row.All(Waiting)
	return &Fit{f, row}
}

// slack is by how much intervals of variances are wider with controls of a smaller queue.
// What those leave of the square of a wait comes from the few highest waits; a run that has
// not met them knows too little of what it does not know. With 1 in its place
// BenchmarkCoverage finds the variance of Cell B in 0.89 of 100 intervals, with 2 in 0.96.
const slack = 2

// wait estimates the mean wait of all jobs.
func (f *Fit) wait(level float64) result.Estimate {
	return f.Mean(f.Row.All(Waiting), level, "")
}

// observation is a row of control variates and, after them, of what was observed.
type observation struct {
	row    []float64
	values []float64 // of the row
}

// of makes the row, with controls and no values yet, in place.
func (o *observation) of(controls []float64, values int) {
	o.row = append(o.row[:0], controls...)
	for range values {
		o.row = append(o.row, 0)
	}
	o.values = o.row[len(controls):]
}
