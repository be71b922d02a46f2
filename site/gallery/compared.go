package main

import (
	"context"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/plots"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
)

// compared is a queue under four policies.
func compared(ctx context.Context) *result.Comparison {
	queue := mjq.Servers(4).Poisson(2).Class("small", 1, 0.8, mjq.ExpMean(1)).Class("big", 4, 0.2, mjq.ExpMean(0.5)).Unit("min")
	policies := []mjq.Policy{mjq.FCFS(), mjq.FirstFit(), mjq.EASY(), mjq.ServerFilling()}
	return mjq.Must(mjq.Compare(ctx, queue, policies, mjq.Simulation{Jobs: 5000, SlowdownThreshold: 0.1}))
}

// compare draws the mean wait of every class under every policy: a group of rows for each class.
func compare(ctx context.Context) picture { return plots.Compare(compared(ctx)) }

// compareChanges draws by how many percent waits differ from those under the first policy.
func compareChanges(ctx context.Context) picture {
	return plots.CompareChanges(compared(ctx))
}

// compareQuantiles draws the wait that one job in a hundred exceeds, by class and policy.
func compareQuantiles(ctx context.Context) picture {
	return plots.CompareQuantiles(0.99, compared(ctx))
}

// compareSlowdowns draws the time in the system as a multiple of the service time.
func compareSlowdowns(ctx context.Context) picture {
	return plots.CompareSlowdowns(compared(ctx))
}

// compareTails draws the probability of waiting longer than x under every policy, for one class.
func compareTails(ctx context.Context) picture {
	return plots.CompareTails("big", compared(ctx))
}

// rows draws estimates with names, the largest at the top.
func rows(ctx context.Context) picture {
	var names []string
	var waits []result.Estimate
	for _, c := range mjq.Must(five().AtLoad(0.8).Solve(ctx, mjq.Backward{Samples: 2000})).Classes {
		names, waits = append(names, c.Name), append(waits, c.Waiting.Mean)
	}
	return plots.Rows("Wide jobs wait longest", names, waits).X("mean wait, min")
}

// best is the best policy for small and big jobs.
func best(ctx context.Context) *result.Optimum {
	queue := mjq.Servers(4).Poisson(1.8).Class("small", 1, 0.8, mjq.ExpMean(1)).Class("big", 4, 0.2, mjq.ExpMean(0.5))
	return mjq.Must(queue.Optimum(ctx, mjq.RelErr(1e-3)))
}

// decisions draws what the best policy starts, by the waiting jobs of two classes.
func decisions(ctx context.Context) picture { return plots.Decisions(best(ctx), 20) }

// decisionsWhile draws the same while two small jobs run.
func decisionsWhile(ctx context.Context) picture {
	return plots.DecisionsWhile(best(ctx), 20, 2, 0)
}

// regions draws any answer by two parameters as filled regions: what a job of a need and a time
// leaves of 16 servers that four jobs may use at most.
func regions(context.Context) picture {
	needs := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	f := figure.New("From nine servers on a job of its kind runs alone").X("servers of a job").Y("jobs in the system")
	return plots.Map(f, needs, []float64{1, 2, 3, 4}, func(need, jobs float64) string {
		return map[bool]string{true: "all run", false: "some wait"}[need*jobs <= 16]
	}).Caption("Two jobs of nine servers do not fit on 16.")
}

// day is a day with a rush hour.
func day(ctx context.Context) *result.Transient {
	queue := mjq.Servers(4).Profile(24, 0.2, 0.4, 1.2, 2.6, 1.8, 0.6).
		Class("small", 1, 0.8, mjq.ExpMean(1)).Class("wide", 3, 0.2, mjq.ExpMean(1)).Unit("h")
	return mjq.Must(queue.ByTime(ctx, 24, mjq.Exact{}))
}

// byTime draws the mean wait by the time at which jobs arrive.
func byTime(ctx context.Context) picture { return plots.ByTime(day(ctx)) }

// jobsByTime draws how many jobs are there by the time.
func jobsByTime(ctx context.Context) picture { return plots.JobsByTime(day(ctx)) }

// noWaitByTime draws the probability of starting at once, by the time of arrival.
func noWaitByTime(ctx context.Context) picture { return plots.NoWaitByTime(day(ctx)) }

// quantilesByTime draws the wait that one job in ten exceeds, by the time of arrival.
func quantilesByTime(ctx context.Context) picture {
	queue := mjq.Servers(4).Profile(24, 0.2, 0.4, 1.2, 2.6, 1.8, 0.6).Class("small", 1, 1, mjq.ExpMean(1)).Unit("h")
	return plots.QuantilesByTime(0.9, mjq.Must(queue.ByTime(ctx, 12, mjq.Simulation{Jobs: 5000})))
}

// arrivalFit draws the arrivals of a log beside the process that was fitted to them.
func arrivalFit(ctx context.Context) picture {
	log := mjq.Must(trace.ReadCSV("made", strings.NewReader(made()), trace.CSV{}))
	return plots.ArrivalFit(mjq.Must(log.Fit(ctx, trace.Fit{Servers: 4, Arrivals: trace.Best})).Arrivals)
}
