package plots

import (
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
)

// ArrivalFit draws the arrivals of a log next to the process that was fitted to them. Panels
// show the index of dispersion of the counts by the length of the window, the correlations of
// interarrival times, and, if a period was given, the rate by the time in it. Each caption says
// how far the log is from Poisson arrivals.
func ArrivalFit(f *result.ArrivalFit) *figure.Panels {
	all := []*figure.Figure{dispersion(f), correlation(f)}
	if f.Period > 0 && len(f.Rates) > 0 {
		all = append(all, rates(f))
	}
	return figure.Grid(len(all), all...)
}

func dispersion(f *result.ArrivalFit) *figure.Figure {
	one := figure.New("Variability of the counts").X("length of the window").Y("index of dispersion").LogX().LogY()
	one.Points("log", f.Windows, f.Dispersion, nil)
	if x, y := known(f.Windows, f.DispersionModel); len(x) > 0 {
		one.Theory("process", x, y)
	}
	text := "Process: " + f.Chosen + "."
	if _, y := known(f.Windows, f.Dispersion); len(y) > 0 {
		text = fmt.Sprintf("Counts vary up to %.2g times as much as Poisson's. ", slices.Max(y)) + text
	}
	return one.Convert(axis(f.Unit, 1), nil).Caption(text)
}

func correlation(f *result.ArrivalFit) *figure.Figure {
	lags := make([]float64, len(f.Correlations))
	for i := range lags {
		lags[i] = float64(i + 1)
	}
	one := figure.New("Correlation of interarrival times").X("lag, jobs").Y("correlation").Points("log", lags, f.Correlations, nil)
	if x, y := known(lags, f.CorrelationsModel); len(x) > 0 {
		one.Theory("process", x, y)
	}
	if len(lags) > 0 {
		one.Caption(fmt.Sprintf("Correlation with the next interarrival time: %.2g; Poisson arrivals have 0.", f.Correlations[0]))
	}
	return one
}

func rates(f *result.ArrivalFit) *figure.Figure {
	at := make([]float64, len(f.Rates)+1)
	for i := range at {
		at[i] = f.Period * float64(i) / float64(len(f.Rates))
	}
	label := "arrivals per unit of time"
	if f.Unit != "" {
		label = "arrivals"
	}
	one := figure.New("Arrivals by time").X("time of the period").Y(label)
	if sameRates(f) {
		one.Histogram("log and process", at, f.Rates)
	} else {
		one.Histogram("log", at, f.Rates).Steps("process", at, append(f.RatesModel[:len(f.RatesModel):len(f.RatesModel)], f.RatesModel[len(f.RatesModel)-1]))
	}
	busiest := slices.Index(f.Rates, slices.Max(f.Rates))
	text := fmt.Sprintf("Busiest: from %s to %s.", short3(f.Unit, 1, at[busiest]), short3(f.Unit, 1, at[busiest+1]))
	if sameRates(f) {
		text += " The process has the rates of the log."
	}
	return one.Convert(axis(f.Unit, 1), axis(f.Unit, -1)).Caption(text)
}

// sameRates reports whether the process has the rates of the log.
func sameRates(f *result.ArrivalFit) bool {
	return slices.EqualFunc(f.Rates, f.RatesModel, func(a, b float64) bool { return math.Abs(a-b) <= 1e-6*a })
}

// known leaves out what is NaN.
func known(x, y []float64) (at, of []float64) {
	for i := range y {
		if !math.IsNaN(y[i]) {
			at, of = append(at, x[i]), append(of, y[i])
		}
	}
	return at, of
}
