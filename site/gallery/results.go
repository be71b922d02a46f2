package main

import (
	"context"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/plots"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
	"github.com/mjqueue/mjq/widgets"
)

// five is the queue of most pictures: 20 servers and five classes, in minutes.
func five() mjq.Model { return workload.FiveClassExponential().Unit("min") }

// meanWaits draws the mean wait of every class against the arrival rate, up to the stability limit.
func meanWaits(ctx context.Context) picture {
	loads := mjq.Grid{Loads: []float64{0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.1}}
	byLoad := mjq.Must(mjq.Sweep(ctx, five(), loads, mjq.Forward{Jobs: 5e4}))
	return plots.Means(byLoad.Results()...)
}

// bySize draws the mean wait of every class against what a sweep varies, here the servers, with a target.
func bySize(ctx context.Context) picture {
	sizes := mjq.Must(mjq.Sweep(ctx, five().AtRate(1.6), mjq.Grid{Servers: []int{18, 20, 22, 24, 28, 32}}, mjq.Forward{Jobs: 5e4}))
	return plots.Sweep(sizes).Target(5, "five minutes")
}

// spread draws quantiles of the wait of one class as a ribbon: half of the jobs and nine tenths of them.
func spread(ctx context.Context) picture {
	loads := mjq.Grid{Loads: []float64{0.4, 0.5, 0.6, 0.7, 0.8, 0.9}}
	byLoad := mjq.Must(mjq.Sweep(ctx, five(), loads, mjq.Backward{Samples: 1000}))
	return plots.QuantileRibbon("T15", byLoad.Results()...)
}

// unlucky draws a quantile, the wait that one job in a hundred exceeds.
func unlucky(ctx context.Context) picture {
	loads := mjq.Grid{Loads: []float64{0.5, 0.6, 0.7, 0.8, 0.9}}
	byLoad := mjq.Must(mjq.Sweep(ctx, five(), loads, mjq.Exact{}))
	return plots.Quantiles(0.99, byLoad.Results()...)
}

// tails draws the probability of waiting longer than x, on an axis that shows where samples end.
func tails(ctx context.Context) picture {
	return plots.Tails(mjq.Must(five().AtLoad(0.7).Solve(ctx, mjq.Exact{})))
}

// variances draws the variance of the waits, in the square of the unit of time.
func variances(ctx context.Context) picture {
	byLoad := mjq.Must(mjq.Sweep(ctx, five(), mjq.Grid{Loads: []float64{0.4, 0.6, 0.8, 0.9}}, mjq.Exact{MomentsOnly: true}))
	return plots.Variances(byLoad.Results()...)
}

// idle draws the servers that stand idle while a job waits, in pink as in every picture.
func idle(ctx context.Context) picture {
	loads := mjq.Grid{Loads: []float64{0.2, 0.4, 0.6, 0.8, 0.95}}
	byLoad := mjq.Must(mjq.Sweep(ctx, five(), loads, mjq.Exact{MomentsOnly: true}))
	return plots.Waste(byLoad.Results()...)
}

// resources draws the idle units of every type of resource.
func resources(ctx context.Context) picture {
	cluster := mjq.Resources("cpu", 256).Resources("gpu", 32).
		Needing("service", mjq.Needs{"cpu": 16}, 0.7, mjq.ExpMean(1)).
		Needing("training", mjq.Needs{"cpu": 64, "gpu": 16}, 0.3, mjq.ExpMean(4))
	byLoad := mjq.Must(mjq.Sweep(ctx, cluster, mjq.Grid{Loads: []float64{0.3, 0.6, 0.8, 0.9}}, mjq.Forward{Jobs: 3e4}))
	return plots.Resources(byLoad.Results()...)
}

// gantt draws which server works for which job. Servers idle through blocking are pale pink. In a
// notebook it can be played event by event.
func gantt(ctx context.Context) picture {
	queue := mjq.Servers(6).Poisson(1.1).Class("one", 1, 0.5, mjq.ExpMean(2)).
		Class("two", 2, 0.3, mjq.ExpMean(2)).Class("five", 5, 0.2, mjq.ExpMean(1.5)).Unit("min")
	path := mjq.Must(queue.Path(ctx, 0, 32, mjq.Seed(12)))
	return widgets.Gantt(path).Named("A job that needs five servers holds up the rest")
}

// sizing draws what a target asks about against the sizes that were tried.
func sizing(ctx context.Context) picture {
	answer := mjq.Must(five().AtRate(1.6).FewestServers(ctx, mjq.MeanWait(5), mjq.MaxJobs(5_000_000)))
	return plots.Sizing(answer)
}

// sensitivities draws what small changes of a model bring: rows, sorted, with a line at no change.
func sensitivities(ctx context.Context) picture {
	return plots.Sensitivities(mjq.Must(five().AtLoad(0.8).Sensitivities(ctx, mjq.MaxJobs(2_000_000))))
}

// changes draws rows of one's own in the same way.
func changes(context.Context) picture {
	about := func(name string, value, half float64) result.Change {
		return result.Change{Name: name, Waiting: result.Estimate{Value: value, HalfWidth: half, Level: 0.95}}
	}
	return plots.Changes("Four more servers help; shorter jobs may", "min", []result.Change{
		about("four more servers", -12, 3), about("jobs a tenth shorter", -4, 6), about("a tenth more jobs", 9, 2)})
}
