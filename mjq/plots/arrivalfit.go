package plots

import (
	"math"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
)

// ArrivalFit draws the arrivals of a log next to the process that was fitted to them. Panels
// show the index of dispersion of the counts by the length of the window, the correlations of
// interarrival times, and, if a period was given, the rate by the time in it.
func ArrivalFit(f *result.ArrivalFit) *figure.Panels {
	dispersion := figure.New("Variability of the counts").X("length of the window").Y("index of dispersion").LogX().LogY()
	dispersion.Points("log", f.Windows, f.Dispersion, nil)
	if x, y := known(f.Windows, f.DispersionModel); len(x) > 0 {
		dispersion.Theory("process", x, y)
	}
	dispersion.Convert(axis(f.Unit, 1), nil)
	lags := make([]float64, len(f.Correlations))
	for i := range lags {
		lags[i] = float64(i + 1)
	}
	correlation := figure.New("Correlation of interarrival times").X("lag, jobs").Y("correlation").Points("log", lags, f.Correlations, nil)
	if x, y := known(lags, f.CorrelationsModel); len(x) > 0 {
		correlation.Theory("process", x, y)
	}
	all := []*figure.Figure{dispersion, correlation}
	if f.Period > 0 {
		at := make([]float64, len(f.Rates)+1)
		for i := range at {
			at[i] = f.Period * float64(i) / float64(len(f.Rates))
		}
		label := "arrivals per unit of time"
		if f.Unit != "" {
			label = "arrivals"
		}
		all = append(all, figure.New("Arrivals by time").X("time of the period").Y(label).
			Histogram("log", at, f.Rates).Steps("process", at, append(f.RatesModel[:len(f.RatesModel):len(f.RatesModel)], f.RatesModel[len(f.RatesModel)-1])).
			Convert(axis(f.Unit, 1), axis(f.Unit, -1)))
	}
	for _, one := range all {
		one.Caption(f.Log + "; process: " + f.Chosen)
	}
	return figure.Grid(len(all), all...)
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
