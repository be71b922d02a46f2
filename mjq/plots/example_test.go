package plots_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/plots"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

// Means returns a figure, to which a curve of one's own can be added.
func ExampleMeans() {
	m := mjq.Servers(2).Class("job", 1, 1, mjq.ExpMean(1))
	var results []*result.Result
	var rates, means []float64
	for rate := 0.25; rate < 2; rate += 0.25 {
		results = append(results, mjq.Must(m.AtRate(rate).Solve(context.Background(), mjq.Backward{Samples: 1000})))
		rates, means = append(rates, rate), append(means, rate*rate/(4-rate*rate))
	}
	svg, err := plots.Means(results...).Theory("M/M/2", rates, means).SVG()
	fmt.Println(len(svg) > 5_000, err)
	// Output: true <nil>
}

func ExampleTails() {
	m := workload.FiveClassExponential().Poisson(1.4)
	r := mjq.Must(m.Solve(context.Background(), mjq.Backward{Samples: 1000}))
	fmt.Println(plots.Tails(r).YRange(1e-3, 1).Title())
	// Output: How long jobs wait at λ = 1.4
}

// ExampleQuantileRibbon draws the spread of waiting times over loads that end
// beyond the limit: the curves stop there and an arrow marks the rate.
func ExampleQuantileRibbon() {
	m := workload.FiveClassExponential()
	var results []*result.Result
	for _, rate := range []float64{0.4, 0.8, 1.2, 2.2} {
		results = append(results, mjq.Must(m.AtRate(rate).Solve(context.Background(), mjq.Backward{Samples: 100})))
	}
	svg, err := plots.QuantileRibbon("T15", results...).SVG()
	fmt.Println(len(svg) < 60_000, err)
	// Output: true <nil>
}

// One picture of a queue under several policies.
func ExampleCompare() {
	m := workload.FiveClassExponential().Poisson(1.4)
	c := mjq.Must(mjq.Compare(context.Background(), m, []mjq.Policy{mjq.FCFS(), mjq.EASY(), mjq.ServerFilling()},
		mjq.Simulation{Jobs: 5000, Replications: 8}))
	svg, err := plots.Compare(c).SVG()
	fmt.Println(len(svg) > 2_000, err)
	fmt.Println(plots.CompareTails("T15", c).Title())
	// Output:
	// true <nil>
	// How long jobs wait: T15
}

// ExampleByTime draws the waits over a day, and how many jobs there are.
func ExampleByTime() {
	m := mjq.Servers(2).Profile(24, 0.1, 1, 0.4).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 2, 0.5, mjq.ExpMean(1))
	day := mjq.Must(m.ByTime(context.Background(), 12, mjq.Exact{}))
	fmt.Println(plots.ByTime(day).Title())
	fmt.Println(plots.JobsByTime(day).Title())
	// Output:
	// How waits go with the time
	// How many jobs there are
}

// What the best policy of two classes does, from none to 20 waiting jobs of each.
func ExampleDecisions() {
	m := mjq.Servers(4).Poisson(1.5).Class("small", 1, 0.8, mjq.ExpMean(1)).Class("big", 4, 0.2, mjq.ExpMean(0.5))
	best := mjq.Must(m.Optimum(context.Background(), mjq.RelErr(1e-3)))
	fmt.Println(plots.Decisions(best, 20).Title())
	fmt.Println(plots.DecisionsWhile(best, 20, 2, 0).Title())
	// Output:
	// Jobs that the optimal policy starts
	// Jobs that the optimal policy starts
}

// Waits of two policies as multiples of those under a third, with the wait that is asked for.
func ExampleCurves() {
	ctx := context.Background()
	m := mjq.Servers(4).Poisson(1).Class("small", 1, 0.8, mjq.ExpMean(1)).Class("big", 4, 0.2, mjq.ExpMean(1))
	waits := func(p mjq.Policy) result.Series {
		s := mjq.Must(mjq.Sweep(ctx, m.Policy(p), mjq.Grid{Rates: []float64{0.5, 1, 1.5}}, mjq.Exact{}))
		return s.Series(p.String(), result.MeanWait("big"))
	}
	fcfs := waits(mjq.FCFS())
	ratio := mjq.Must(waits(mjq.MostServersFirst()).Over(fcfs))
	for i, rate := range ratio.X {
		fmt.Printf("λ = %.1f: %.3f times\n", rate, ratio.Values[i].Value)
	}
	f := plots.Curves("Big jobs first", fcfs, ratio).X("arrival rate").Y("wait, and its ratio").Target(1, "asked for")
	_, err := f.SVG()
	fmt.Println(err)
	// Output:
	// λ = 0.5: 1.019 times
	// λ = 1.0: 0.893 times
	// λ = 1.5: 0.497 times
	// <nil>
}

// A sweep and a sizing draw themselves.
func ExampleSweep() {
	ctx := context.Background()
	m := mjq.Servers(4).Poisson(1.2).Class("small", 1, 0.8, mjq.ExpMean(1)).Class("big", 4, 0.2, mjq.ExpMean(1))
	sweep := mjq.Must(mjq.Sweep(ctx, m, mjq.Grid{Servers: []int{4, 6, 8}}, mjq.Exact{}))
	fmt.Println(plots.Sweep(sweep).Target(0.1, "target").Title())
	fmt.Println(plots.Sizing(mjq.Must(m.FewestServers(ctx, mjq.MeanWait(0.1)))).Title())
	// Output:
	// Mean waiting time by class
	// Fewest servers: 8
}

// What several small changes bring, as rows: the caption says what is certain.
func ExampleChanges() {
	changes := []result.Change{
		{Name: "four more servers", Waiting: result.Estimate{Value: -2, HalfWidth: 0.5, Level: 0.95}},
		{Name: "shorter jobs", Waiting: result.Estimate{Value: -1, HalfWidth: 1.5, Level: 0.95}},
	}
	f := plots.Changes("More servers shorten waits", "min", changes)
	_, caption, _ := f.Apart()
	fmt.Println(f.Title())
	fmt.Println(caption)
	// Output:
	// More servers shorten waits
	// Left of the line jobs wait less long. Largest certain change: four more servers, -2.00 ± 0.50 min. 1 of 2 intervals hold the line. Bars are 95 % CIs.
}

// Which of two policies has the shorter mean wait, by the load and the share of wide jobs.
func ExampleMap() {
	at := []float64{0.2, 0.4, 0.6, 0.8}
	f := plots.Map(figure.New("FCFS is enough at low load").X("load").Y("share of wide jobs"), at, at, func(load, wide float64) string {
		if load+wide/2 < 0.8 {
			return "FCFS"
		}
		return "EASY"
	})
	_, err := f.SVG()
	fmt.Println(f.Title(), err)
	// Output: FCFS is enough at low load <nil>
}
