package plots

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
	"github.com/mjqueue/mjq/mjq/workload"
)

// TestPlots draws every plot from real results, an unstable one among them.
func TestPlots(t *testing.T) {
	m := workload.FiveClassExponential()
	var results []*result.Result
	for _, rate := range []float64{2.2, 0.5, 1.2} { // out of order on purpose
		results = append(results, mjq.Must(m.AtRate(rate).Solve(context.Background(), mjq.Backward{Samples: 200})))
	}
	for name, f := range map[string]*figure.Figure{
		"means": Means(results...), "variances": Variances(results...), "quantiles": Quantiles(0.9, results...),
		"waste": Waste(results...), "tails": Tails(results[2]), "nothing": Means(), "waste of nothing": Waste(),
		"ribbon": QuantileRibbon("T15", results...), "ribbon of all": QuantileRibbon("", results...), "no ribbon": QuantileRibbon(""),
		"log-log tails": TailsLogLog(results[2]), "tails of nothing": Tails(results[0]),
	} {
		svg, err := f.SVG()
		if err != nil || len(svg) > 60_000 {
			t.Errorf("%s: %d bytes, %v", name, len(svg), err)
		}
		if name == "means" && (!strings.Contains(string(svg), "T15") || !strings.Contains(string(svg), "1.8")) {
			t.Error("the legend or the limit is missing")
		}
	}
	if results[0].Rate != 2.2 {
		t.Error("the results of the caller are in another order")
	}
}

// TestByTime draws courses, simulated ones with parts in which nobody comes, and exact.
func TestByTime(t *testing.T) {
	m := mjq.Servers(2).Profile(24, 0, 1, 0.2).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 2, 0.5, mjq.ExpMean(1))
	ctx := context.Background()
	day, exact := mjq.Must(m.ByTime(ctx, 6, mjq.Simulation{Jobs: 500, Replications: 4})), mjq.Must(m.ByTime(ctx, 6, mjq.Exact{}))
	for _, c := range []*result.Transient{day, exact, {}} {
		for name, f := range map[string]*figure.Figure{"means": ByTime(c), "quantiles": QuantilesByTime(0.9, c), "no wait": NoWaitByTime(c), "jobs": JobsByTime(c)} {
			if _, err := f.SVG(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if svg := string(mjq.Must(ByTime(exact).SVG())); !strings.Contains(svg, "uniformisation") || !strings.Contains(svg, "time of the period") {
		t.Error("the figure says neither how nor what")
	}
	if _, got, _ := QuantilesByTime(0.9, exact).Apart(); !strings.HasPrefix(got, "Not known by this method.") {
		t.Errorf("an empty picture says %q", got)
	}
}

// TestTimeConcludes: the caption says who waits longest and when, and whether intervals tell that.
func TestTimeConcludes(t *testing.T) {
	c := &result.Transient{Unit: "h", Level: 0.95, Solver: "simulation", Run: result.Run{Samples: 9, Seed: 3}}
	for i, wait := range []float64{1, 3, 2} {
		part := result.Part{From: float64(2 * i), To: float64(2*i + 2)}
		for k, name := range []string{"small", "wide"} {
			w := result.PartClass{Name: name}
			w.Waiting.Mean = result.Estimate{Value: wait + float64(k), HalfWidth: 0.5, Level: 0.95}
			part.Classes = append(part.Classes, w)
		}
		part.MeanJobs, part.MeanQueue = result.Estimate{Value: 7, Level: 0.95}, result.Estimate{Value: 5 + wait, HalfWidth: 1.5, Level: 0.95}
		c.Parts = append(c.Parts, part)
	}
	for want, f := range map[string]*figure.Figure{
		"Highest for wide at 3 h: 4.0 h; lowest at 1 h: 2.0 h. Bands are 95 % CIs. Method: simulation; seed 3.":                                                                            ByTime(c),
		"The same at all times in the system: 7. Highest in the queue at 3 h: 8; lowest at 1 h: 6, which the intervals do not tell apart. Bands are 95 % CIs. Method: simulation; seed 3.": JobsByTime(c),
	} {
		if _, got, _ := f.Apart(); got != want {
			t.Errorf("the caption is\n%q, want\n%q", got, want)
		}
	}
	if got := NoWaitByTime(c).Title(); !strings.HasPrefix(got, "Who need not wait") {
		t.Errorf("the probability of no wait is called %q", got)
	}
}

// TestChangesName: what makes a queue unstable is told apart from the largest change.
func TestChangesName(t *testing.T) {
	at := func(v, half float64) result.Estimate { return result.Estimate{Value: v, HalfWidth: half, Level: 0.95} }
	want := "Left of the line jobs wait less long. Largest certain change: one more, -2.00 ± 0.50. Unstable: one fewer. Bars are 95 % CIs."
	got := certain("", []string{"one fewer", "one more"}, []result.Estimate{at(math.Inf(1), math.NaN()), at(-2, 0.5)})
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestExactHasNoBars: captions of exact results explain no bars.
func TestExactHasNoBars(t *testing.T) {
	m := mjq.Servers(2).Poisson(1).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 2, 0.5, mjq.ExpMean(0.5))
	if _, got, _ := Means(mjq.Must(m.Solve(t.Context(), mjq.Exact{}))).Apart(); strings.Contains(got, "CI") || strings.Contains(got, "seed") {
		t.Error(got)
	}
}

// TestDecisionsConclude: the caption says what the policy does most often where both classes wait.
func TestDecisionsConclude(t *testing.T) {
	m := mjq.Servers(4).Poisson(1.8).Class("small", 1, 0.8, mjq.ExpMean(1)).Class("big", 4, 0.2, mjq.ExpMean(0.5))
	f := Decisions(mjq.Must(m.Optimum(t.Context(), mjq.PolicyIteration{Preemptive: true})), 8)
	// Big jobs go first until four small ones fill the servers: three columns of eight.
	if _, got, _ := f.Apart(); !strings.HasPrefix(got, "With both classes there the policy runs 4 small in 63 % of the places, and 1 big in 38 %. 4 servers") {
		t.Error(got)
	}
}

// TestArrivalFit draws the fit to a log, with a period and without.
func TestArrivalFit(t *testing.T) {
	var jobs []trace.Job
	for i := range 400 {
		jobs = append(jobs, trace.Job{Arrival: float64(i*i%7) + 3*float64(i), Need: 1, Service: 1})
	}
	log := trace.New("made", jobs)
	for _, how := range []trace.Fit{{Servers: 2, Arrivals: trace.Best}, {Servers: 2, Arrivals: trace.Best, Period: 24, Parts: 4}} {
		if svg, err := ArrivalFit(mjq.Must(log.Fit(context.Background(), how)).Arrivals).SVG(); err != nil || !strings.Contains(string(svg), "Correlation of interarrival times") {
			t.Errorf("%d bytes, %v", len(svg), err)
		}
	}
}

func TestResources(t *testing.T) {
	c := mjq.Resources("cpu", 8).Resources("gpu", 4).
		Needing("serve", mjq.Needs{"cpu": 1}, 0.6, mjq.ExpMean(0.5)).
		Needing("train", mjq.Needs{"cpu": 2, "gpu": 3}, 0.4, mjq.ExpMean(1))
	var results []*result.Result
	for _, load := range []float64{0.8, 0.3} {
		results = append(results, mjq.Must(c.AtLoad(load).Solve(context.Background(), mjq.Forward{Jobs: 1000, Replications: 2})))
	}
	svg := string(mjq.Must(Resources(results...).SVG()))
	for _, part := range []string{"cpu, a job waits", "gpu, in all", "% of gpu idle while a job waits at λ = "} {
		if !strings.Contains(svg, part) {
			t.Errorf("the figure lacks %q", part)
		}
	}
	if _, err := Resources().SVG(); err != nil {
		t.Errorf("no results: %v", err)
	}
}

// TestCompare draws comparisons, with a policy under which the queue is unstable: policies and
// classes are names on the axis, in words.
func TestCompare(t *testing.T) {
	m := mjq.Servers(4).Poisson(2.2).Class("one", 1, 0.8, mjq.ExpMean(1)).Class("four", 4, 0.2, mjq.ExpMean(0.5))
	c := mjq.Must(mjq.Compare(context.Background(), m, []mjq.Policy{mjq.FirstFit(), mjq.FCFS(), mjq.ServerFilling()},
		mjq.Simulation{Jobs: 3000, Replications: 4}))
	for what, f := range map[string]*figure.Figure{"means": Compare(c), "slowdowns": CompareSlowdowns(c), "quantiles": CompareQuantiles(0.9, c), "tails": CompareTails("", c), "changes": CompareChanges(c)} {
		svg, err := f.SVG()
		if err != nil || !strings.Contains(string(svg), "server filling") || what != "tails" && !strings.Contains(string(svg), ">four<") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, got, _ := CompareTails("four", c).Apart(); !strings.HasPrefix(got, "One job in a hundred waits longer than ") || !strings.Contains(got, " under FCFS. ") {
		t.Errorf("the caption of tails is %q", got)
	}
	if _, err := Compare(&result.Comparison{}).SVG(); err != nil {
		t.Errorf("nothing: %v", err)
	}
}

// TestSpoken: names of policies are words, unless two would be the same.
func TestSpoken(t *testing.T) {
	got := spoken([]string{"FCFS", "EASY.Estimates(Given())", "Priority(urgent;normal,debug).Preemptive(restart).Within(EASY)", "Window(3)", "my own (one)"})
	want := []string{"FCFS", "EASY, users' limits", "urgent first, preempts, restarts, EASY", "window of 3 jobs", "my own (one)"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if same := []string{"Priority(a;b)", "Priority(a;c)"}; !slices.Equal(spoken(same), same) {
		t.Errorf("two policies are both called %q", spoken(same))
	}
}

// TestSweepCaption: the caption of a sweep explains the marks that are there, in words.
func TestSweepCaption(t *testing.T) {
	m := mjq.Servers(4).Poisson(1.2).Class("small", 1, 0.8, mjq.ExpMean(1)).Class("big", 4, 0.2, mjq.ExpMean(1))
	for want, s := range map[string]*result.Sweep{
		"Method: exact, moments only.": mjq.Must(mjq.Sweep(t.Context(), m, mjq.Grid{Loads: []float64{0.5}}, mjq.Exact{MomentsOnly: true})),
		"Bars are 95 % CIs. An arrow marks an unstable point. Method: backward, 20 samples.": mjq.Must(
			mjq.Sweep(t.Context(), m, mjq.Grid{Loads: []float64{0.5, 1.1}}, mjq.Backward{Samples: 20})),
	} {
		if got := caption(s); got != want {
			t.Errorf("caption is %q, want %q", got, want)
		}
	}
}
