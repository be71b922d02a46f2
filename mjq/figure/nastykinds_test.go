package figure_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/internal/palette"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/plots"
	"github.com/mjqueue/mjq/mjq/result"
)

// nasty is data of classes or policies that pictures find hard: values by name and place.
type nasty struct {
	names  []string
	x      []float64
	values func(k int, x float64) (value, half float64)
}

func nastyData() map[string]nasty {
	three, five := []string{"small", "medium", "large"}, []float64{0.2, 0.4, 0.6, 0.8, 1}
	var thirty, long []string
	for i := range 30 {
		thirty = append(thirty, fmt.Sprint("class ", i+1))
	}
	for i := range 4 {
		long = append(long, fmt.Sprintf("jobs of the department of theoretical and applied things, group %d, night queue", i+1))
	}
	grows := func(k int, x float64) (float64, float64) { return float64(k+1) * x / (1.1 - x), 0.1 }
	return map[string]nasty{
		"plain":    {three, five, grows},
		"equal":    {three, five, func(_ int, x float64) (float64, float64) { return 1 + x, 0 }},
		"alike":    {three, five, func(k int, x float64) (float64, float64) { return 100 + x + 1e-3*float64(k), 0 }},
		"one":      {three[:1], five[:1], grows},
		"zeros":    {three, five, func(int, float64) (float64, float64) { return 0, 0 }},
		"some 0":   {three, five, func(k int, x float64) (float64, float64) { return max(0, float64(k)*x-0.5), 0.01 }},
		"infinite": {three, five, func(k int, x float64) (float64, float64) { return 1 / max(0, 0.7-x*float64(k)/2), 0.1 }},
		"all ∞":    {three, five, func(int, float64) (float64, float64) { return math.Inf(1), 0 }},
		"unknown":  {three, five, func(int, float64) (float64, float64) { return math.NaN(), math.NaN() }},
		"wide":     {three, five, func(k int, x float64) (float64, float64) { return x + float64(k), 50 }},
		"decades":  {three, five, func(k int, x float64) (float64, float64) { return math.Pow(10, 9*x*float64(k+1)-9), 1e-12 }},
		"thirty":   {thirty, five, grows},
		"long":     {long, five, grows},
		// Four names that fill a legend of one row, of curves that cross too often to be named at their ends.
		"row": {[]string{"equation (15)", "one path, a million arrivals", "dominated coupling", "formula (3)"}, five,
			func(k int, x float64) (float64, float64) { return 1 + x + math.Sin(9*x+float64(k)), float64(k) }},
	}
}

func (n nasty) estimate(k int, x float64) result.Estimate {
	v, half := n.values(k, x)
	level := 0.95
	if half == 0 {
		level = 1
	}
	return result.Estimate{Value: v, HalfWidth: half, Level: level, N: 10}
}

// results is a result for every place.
func (n nasty) results() (out []*result.Result) {
	for _, x := range n.x {
		r := &result.Result{Stable: true, Rate: x, Level: 0.95, Unit: result.Seconds}
		r.Limit.Rate = 1.1
		for k, name := range n.names {
			c := result.ClassResult{Name: name, Need: k + 1}
			e := n.estimate(k, x)
			c.Waiting.Mean, c.Waiting.Variance, c.Response.Mean, c.Slowdown.Mean = e, e, e, e
			r.Stable = r.Stable && !math.IsInf(e.Value, 1)
			r.Classes = append(r.Classes, c)
		}
		r.All = r.Classes[0]
		r.WastedHOL, r.Idle = n.estimate(0, x), n.estimate(len(n.names)-1, x)
		out = append(out, r)
	}
	return out
}

func (n nasty) series() (out []result.Series) {
	for k, name := range n.names {
		out = append(out, result.Estimated(name, n.x, func(x float64) result.Estimate { return n.estimate(k, x) }))
	}
	return out
}

// comparison has a policy for every place.
func (n nasty) comparison() *result.Comparison {
	c := &result.Comparison{Title: "four servers", Rate: 1, Level: 0.95, Unit: result.Seconds, Results: n.results()}
	for i := range c.Results {
		c.Policies = append(c.Policies, strings.Repeat("Priority(urgent).Preemptive(restart).Within(EASY.Estimates(Given()))", i%2)+fmt.Sprint("policy ", i))
	}
	for i, p := range c.Policies {
		for _, q := range c.Policies[i+1:] {
			d := result.Difference{Policy: p, Other: q}
			for k, name := range n.names {
				e := n.estimate(k, n.x[i])
				d.Classes = append(d.Classes, result.Change{Name: name, Waiting: e, Response: e, Slowdown: e})
			}
			d.All = d.Classes[0]
			c.Differences = append(c.Differences, d)
		}
	}
	return c
}

func (n nasty) transient() *result.Transient {
	t := &result.Transient{Level: 0.95, Unit: result.Seconds, Run: result.Run{Samples: 10}}
	for _, r := range n.results() {
		p := result.Part{From: r.Rate, To: r.Rate + 0.1, MeanJobs: r.WastedHOL, MeanQueue: r.Idle}
		for _, c := range r.Classes {
			p.Classes = append(p.Classes, result.PartClass{Name: c.Name, Waiting: c.Waiting})
		}
		t.Parts = append(t.Parts, p)
	}
	return t
}

func (n nasty) sizing() *result.Sizing {
	s := &result.Sizing{What: "servers", Best: 0.6, Level: 0.95, Unit: result.Seconds}
	for k, name := range n.names {
		s.Targets, s.Times = append(s.Targets, "mean wait of "+name), append(s.Times, true)
		for i, x := range n.x {
			if k == 0 {
				s.Points = append(s.Points, result.SizingPoint{Value: x})
			}
			s.Points[i].Targets = append(s.Points[i].Targets, n.estimate(k, x))
		}
	}
	return s
}

func (n nasty) changes() (out []result.Change) {
	for k, name := range n.names {
		out = append(out, result.Change{Name: name, Waiting: n.estimate(k, n.x[0])})
	}
	return out
}

// kinds is every kind of picture of the same data.
func (n nasty) kinds() map[string]interface{ SVG() ([]byte, error) } {
	series, results, compared := n.series(), n.results(), n.comparison()
	var values []result.Estimate
	tails := figure.New("How long jobs wait").X("waiting time x, s").Y("P(W > x)").LogY().Legible()
	steps := figure.New("Jobs in the queue").X("time, s").Y("jobs")
	var panels []*figure.Figure
	for k, name := range n.names {
		values = append(values, n.estimate(k, n.x[0]))
		var y []float64
		for _, x := range n.x {
			v, _ := n.values(k, x)
			y = append(y, v)
		}
		tails.Survival(name, n.x, y, 5000)
		if k < 5 {
			steps.Steps(name, n.x, y)
		}
		panels = append(panels, plots.Curves(name, series[k]).X("load").Y("mean wait, s"))
	}
	panels = panels[:min(len(panels), 4)]
	sweep := &result.Sensitivities{Unit: result.Seconds, Changes: n.changes()}
	return map[string]interface{ SVG() ([]byte, error) }{
		"curves": plots.Curves("A title", series...).X("load").Y("mean wait, s"), "log curves": plots.Curves("A title", series...).X("load").Y("mean wait, s").LogY(),
		"means": plots.Means(results...), "variances": plots.Variances(results...), "waste": plots.Waste(results...),
		"compare": plots.Compare(compared), "slowdowns": plots.CompareSlowdowns(compared), "changes by class": plots.CompareChanges(compared),
		"rows": plots.Rows("A title", n.names, values).X("mean wait, s"), "sensitivities": plots.Sensitivities(sweep),
		"survival": tails, "steps": steps, "by time": plots.ByTime(n.transient()), "jobs by time": plots.JobsByTime(n.transient()),
		"sizing": plots.Sizing(n.sizing()), "small multiples": figure.Multiples(2, "One caption.", panels...), "three columns": figure.Grid(3, panels...),
		"map": plots.Map(figure.New("A map").X("load").Y("share of wide jobs"), n.x, n.x, func(x, y float64) string {
			return n.names[min(len(n.names)-1, int(x*y*float64(len(n.names))))]
		}),
	}
}

// TestKindsOfPictures draws every kind with data that are hard to draw: text stays apart, inside and
// large enough on a page and on a telephone, and marks inside.
func TestKindsOfPictures(t *testing.T) {
	for data, n := range nastyData() {
		for kind, p := range n.kinds() {
			name := kind + " of " + data
			svg, err := p.SVG()
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			figure.CheckText(t, name, svg)
			figure.CheckMarks(t, name, svg)
		}
	}
}

// TestLegible: what a picture decides and says by itself.
func TestLegible(t *testing.T) {
	all := nastyData()
	said := func(f *figure.Figure) string {
		_, text, _ := f.Apart()
		return f.Title() + ". " + text + " " + string(mjq.Must(f.SVG()))
	}
	for name, want := range map[string]string{
		"equal": "medium and large lie on small", "alike": "ratio to small", "zeros": "marks 0", "some 0": "marks 0", "infinite": "marks an infinite value", "wide": "Undecided: ",
	} {
		got := said(plots.Curves("A title", all[name].series()...).X("load").Y("mean wait, s").LogY())
		if !strings.Contains(got, want) {
			t.Errorf("a picture of %s data does not say %q", name, want)
		}
		if plain := said(plots.Curves("A title", all["plain"].series()...).X("load").Y("mean wait, s").LogY()); strings.Contains(plain, want) {
			t.Errorf("a picture of plain data says %q", want)
		}
	}
	if got := said(plots.Rows("A title", all["wide"].names, []result.Estimate{{Value: 1, HalfWidth: 50, Level: 0.95}, {Value: 2, HalfWidth: 50, Level: 0.95}, {Value: 3, HalfWidth: 50, Level: 0.95}})); !strings.Contains(got, "Undecided") {
		t.Error("rows with intervals wider than their range decide")
	}
	if never := said(figure.New("t").LogY().Survival("a", []float64{1, 2}, []float64{0, 0}, 5000).Survival("b", []float64{1, 2}, []float64{1, 0.5}, 5000)); !strings.Contains(never, "a: never in 5000") {
		t.Error("a class that never waits is not told")
	}
}

// TestIdleIsPink: areas of what is idle through blocking are as pink as in pictures of other kinds.
func TestIdleIsPink(t *testing.T) {
	// An area is a fifth of its colour over white.
	over := func(c uint8) float64 { return 255*0.8 + float64(c)*0.2 }
	got := [3]float64{over(figure.Idle.R), over(figure.Idle.G), over(figure.Idle.B)}
	want := [3]float64{float64(palette.Idle.R), float64(palette.Idle.G), float64(palette.Idle.B)}
	if got != want {
		t.Errorf("idle areas are %v, elsewhere %v", got, want)
	}
}

// TestSampledTailsJoin: tails of samples of one law, which differ by noise alone, are one curve with
// all names; that of another law stays apart, and few samples of the same two laws do not.
func TestSampledTailsJoin(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	said := func(n int) string {
		f := figure.New("Waits").X("x").Y("P(W > x)").LogY().Legible()
		for _, name := range []string{"a", "b", "c", "other"} {
			mean := 1.0
			if name == "other" {
				mean = 1.1
			}
			var x, y []float64
			sample := make([]float64, n)
			for i := range sample {
				sample[i] = mean * rng.ExpFloat64()
			}
			slices.Sort(sample)
			for k := range 41 {
				at := float64(k) / 20
				beyond, _ := slices.BinarySearch(sample, at)
				x, y = append(x, at), append(y, 1-float64(beyond)/float64(n))
			}
			f.Survival(name, x, y, n)
		}
		_, text, _ := f.Apart()
		return text
	}
	many, few := said(20_000), said(50)
	if !strings.Contains(many, "within the width of a line or two standard errors") || strings.Contains(many, "other") {
		t.Errorf("20,000 samples: %q", many)
	}
	if !strings.Contains(few, "other") {
		t.Errorf("50 samples: %q", few)
	}
}
