package result

import (
	"fmt"
	"math"
)

// Exceedance is the probability that a time is exceeded.
type Exceedance struct {
	Time float64
	Prob Estimate
}

// Survival returns P(X > x), with an interval. It is exact from exact solvers, however small.
// From mjq.RareEvent it is known at the times of Beyond only. From other samples it is 1 -
// CDF(x), and unknown if few observations lie beyond x.
func (m *Metric) Survival(x float64) Estimate {
	for _, b := range m.TailProbability {
		if b.Time == x {
			return b.Prob
		}
	}
	if m.Curve.Known() && !m.unstable() && !math.IsNaN(x) {
		return m.exactly(m.Curve.Survival(x))
	}
	e := m.CDF(x)
	e.Value = 1 - e.Value
	return e
}

// beyondTable is the result of a run that splits: quarters of the time asked for.
func (r *Result) beyondTable() *Table {
	rows := append(append([]ClassResult(nil), r.Classes...), r.All)
	var names []string
	var needs []float64
	for i := range rows {
		names, needs = append(names, rows[i].Name), append(needs, float64(rows[i].Need))
	}
	needs[len(needs)-1] = math.NaN()
	t := NewTable(fmt.Sprintf("Probabilities of long waits%s (%s)", r.AtRate(6), r.Solver)).In(r.Unit)
	t.Text("class", names...).Numbers("servers", needs...)
	times := r.All.Waiting.TailProbability
	for quarter := 1; quarter <= 4; quarter++ {
		k := len(times)*quarter/4 - 1
		if k < 0 {
			continue
		}
		var column []Estimate
		for i := range rows {
			column = append(column, rows[i].Waiting.TailProbability[k].Prob)
		}
		t.Estimates(fmt.Sprintf("P(W > %.4g)", times[k].Time), column...)
	}
	t.Note = fmt.Sprintf("%g %% intervals, of %d replications with %d thresholds.", 100*r.Level, r.Run.Samples, len(r.Run.Thresholds))
	return t
}
