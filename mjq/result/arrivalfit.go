package result

import (
	"fmt"
	"math"
)

// ArrivalFit shows how well arrival processes stand for the arrivals of a log: plain
// exported data.
type ArrivalFit struct {
	Log        string
	Jobs       int
	Unit       Unit               // of all times and rates; "" if it is not known
	Candidates []ArrivalCandidate // the best first
	Chosen     string             // the name of the one that the model takes

	Period     float64   // of Rates; 0 without them
	Rates      []float64 // of the log, by equal parts of the period
	RatesModel []float64 // and of the chosen process

	Windows         []float64 // lengths of time
	Dispersion      []float64 // index of dispersion of the counts in windows of these lengths: of the log
	DispersionModel []float64 // of the chosen process; NaN where it is not known

	Correlations      []float64 // of a gap with those 1, 2, ... later: of the log
	CorrelationsModel []float64
}

// ArrivalCandidate is an arrival process fitted to a log.
type ArrivalCandidate struct {
	Name          string
	Parameters    int
	LogLikelihood float64 // of the arrivals after the first
	BIC           float64 // Parameters ln(gaps) - 2 LogLikelihood; the lower the better
	Process       string  // as an expression
}

// Table compares the candidates: how much worse than the best each is.
func (f *ArrivalFit) Table() *Table {
	t := NewTable(fmt.Sprintf("Arrivals of %s: %d jobs, chosen: %s", f.Log, f.Jobs, f.Chosen)).Text("process").Numbers("parameters").
		Numbers("log-likelihood").Numbers("BIC above the best").Text("fitted")
	for _, c := range f.Candidates {
		t.Row(c.Name, c.Parameters, c.LogLikelihood, c.BIC-f.Candidates[0].BIC, shortest(c.Process))
	}
	t.Note = "A difference in BIC of 10 is strong evidence."
	return t
}

// shortest cuts a long expression.
func shortest(text string) string {
	const most = 70
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

// DispersionTable compares the index of dispersion of the log with that of the process.
func (f *ArrivalFit) DispersionTable() *Table {
	return NewTable("Index of dispersion of the counts").In(f.Unit).Numbers("window", f.Windows...).Time(1).Numbers("log", f.Dispersion...).Numbers(f.Chosen, f.DispersionModel...)
}

// CorrelationTable compares the correlations of gaps.
func (f *ArrivalFit) CorrelationTable() *Table {
	var lags []float64
	for i := range f.Correlations {
		lags = append(lags, float64(i+1))
	}
	return NewTable("Correlation of interarrival times").Numbers("lag", lags...).Numbers("log", f.Correlations...).Numbers(f.Chosen, f.CorrelationsModel...)
}

// RateTable compares the rates by time of day.
func (f *ArrivalFit) RateTable() *Table {
	var from []float64
	for i := range f.Rates {
		from = append(from, f.Period*float64(i)/float64(len(f.Rates)))
	}
	return NewTable("Rate by time of the period").In(f.Unit).Numbers("from", from...).Time(1).Numbers("log", f.Rates...).Time(-1).Numbers(f.Chosen, f.RatesModel...).Time(-1)
}

// String returns the tables of the fit as text.
func (f *ArrivalFit) String() string {
	s := f.Table().String() + "\n" + f.DispersionTable().String() + "\n" + f.CorrelationTable().String()
	if f.Period > 0 {
		s += "\n" + f.RateTable().String()
	}
	return s
}

// HTML returns the tables of the fit as HTML, for a notebook.
func (f *ArrivalFit) HTML() string {
	s := f.Table().HTML() + f.DispersionTable().HTML() + f.CorrelationTable().HTML()
	if f.Period > 0 {
		s += f.RateTable().HTML()
	}
	return s
}

// Candidate is the candidate of that name; ok is false without one.
func (f *ArrivalFit) Candidate(name string) (c ArrivalCandidate, ok bool) {
	for _, c := range f.Candidates {
		if c.Name == name {
			return c, true
		}
	}
	return ArrivalCandidate{LogLikelihood: math.NaN(), BIC: math.NaN()}, false
}
