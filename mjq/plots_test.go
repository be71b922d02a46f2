package mjq

import (
	"strings"
	"testing"
)

// TestPlots draws every plot from real results, an unstable one among them.
func TestPlots(t *testing.T) {
	m := Must(FiveClassExponential().Build())
	var results []*Result
	for _, rate := range []float64{2.2, 0.5, 1.2} { // out of order on purpose
		results = append(results, Must(m.AtRate(rate).Sample().Backward().N(200).Run(background)))
	}
	for name, f := range map[string]*Figure{
		"means": PlotMeans(results...), "variances": PlotVariances(results...), "quantiles": PlotQuantiles(0.9, results...),
		"waste": PlotWaste(results...), "tails": PlotTails(results[2]), "nothing": PlotMeans(),
		"ribbon": PlotQuantileRibbon("T15", results...), "ribbon of all": PlotQuantileRibbon("", results...),
		"log-log tails": PlotTailsLogLog(results[2]), "tails of nothing": PlotTails(results[0]),
	} {
		svg, err := f.SVG()
		if err != nil || len(svg) > 60_000 {
			t.Errorf("%s: %d bytes, %v", name, len(svg), err)
		}
		if name == "means" && (!strings.Contains(string(svg), "T15") || !strings.Contains(string(svg), "1.8")) {
			t.Error("the legend or the limit is missing")
		}
	}
}

func TestPDFHasItsArea(t *testing.T) {
	m := Must(FiveClassExponential().Poisson(1.4).Build())
	w := &Must(m.Sample().Backward().N(2000).Run(background)).Class("T15").Waiting
	edges, density := w.PDF(40)
	area := 0.0
	for i, d := range density {
		area += d * (edges[i+1] - edges[i])
	}
	if want := 0.999 - w.CDF(0).Value; area < want-1e-3 || area > want+1e-3 {
		t.Errorf("the density has area %v, want %v", area, want)
	}
	if e, d := (&Metric{}).PDF(10); e != nil || d != nil {
		t.Error("nothing observed, yet a density")
	}
}
