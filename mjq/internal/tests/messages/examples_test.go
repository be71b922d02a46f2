package messages

import (
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/trace"
)

// queue is the model of most examples.
func queue() mjq.Model {
	return mjq.Servers(20).Poisson(1.4).Class("small", 1, 0.8, mjq.ExpMean(0.5)).Class("big", 10, 0.2, mjq.ExpMean(3))
}

// heavy has service times of infinite variance on one server.
func heavy(shape float64) mjq.Model {
	return mjq.Servers(1).Poisson(0.5).Class("pareto", 1, 1, mjq.LomaxScaleShape(0.5, shape))
}

// rare has a class that causes most waits and comes once in 100,000 jobs.
func rare() mjq.Model {
	return mjq.Servers(16).Poisson(6).Class("c", 1, 0.99999, mjq.ExpMean(1)).Class("r", 16, 0.00001, mjq.HyperExpMeanSCV(5, 30))
}

func notes() []message {
	q := queue()
	ln := mjq.Servers(20).Poisson(1.4).Class("small", 1, 0.8, mjq.ExpMean(0.5)).Class("big", 10, 0.2, mjq.LogNormalMeanSCV(3, 2))
	named := mjq.Servers(4).Poisson(0.5).Specific("first", mjq.Pick{Named: []int{1}}, 0.5, mjq.ExpMean(1)).Class("any", 2, 0.5, mjq.ExpMean(1))
	return []message{
		{"the choice is exact", solved(q)},
		{"the choice is by forward runs, and MaxJobs ends them", solved(ln, mjq.MaxJobs(400_000))},
		{"unstable", solved(q.AtRate(3), mjq.Exact{})},
		{"short replications", solved(q.AtLoad(0.95), mjq.Forward{Jobs: 2000, Replications: 8})},
		{"very short replications", solved(q.AtLoad(0.95), mjq.Forward{Jobs: 200, Replications: 8})},
		{"few samples", solved(q, mjq.Backward{Samples: 20})},
		{"samples that stop on their own", solved(q, mjq.Backward{Samples: 200, AgreeTogether: 1})},
		{"a largest window that is too short", solved(q.AtLoad(0.9), mjq.Backward{Samples: 20, Window: 100, MaxWindow: 200})},
		{"a first window that is too short", solved(q.AtLoad(0.9), mjq.Unbiased{Samples: 100, Window: 10})},
		{"service times of infinite variance", solved(heavy(1.8), mjq.Forward{Jobs: 2000})},
		{"too few moments for the mean", solved(heavy(2.5), mjq.Forward{Jobs: 2000})},
		{"too few moments for the variance", solved(heavy(5.5), mjq.Forward{Jobs: 20_000})},
		{"jobs that a run almost never meets", solved(rare(), mjq.Forward{Jobs: 20_000, Replications: 8})},
		{"jobs that samples almost never meet", solved(rare(), mjq.Backward{Samples: 100, Window: 20_000})},
		{"slowdowns of short service times", solved(q.Policy(mjq.FirstFit()), mjq.Simulation{Jobs: 2000})},
		{"correlated batches", solved(q.AtLoad(0.9), mjq.Simulation{Jobs: 4000, BatchMeans: 20})},
		{"a target that MaxJobs does not allow", solved(q, mjq.Forward{}, mjq.RelErr(0.001), mjq.MaxJobs(400_000))},
		{"a truncated chain", solved(mjq.Servers(4).Poisson(0.8).Class("small", 1, 0.7, mjq.ExpMean(1)).Class("big", 4, 0.3, mjq.ExpMean(1)).Policy(mjq.FirstFit()), mjq.Exact{})},
		{"pairs that do not meet", solved(q.AtRate(3.1).Policy(mjq.EASY()), mjq.Unbiased{Samples: 8, PathLength: 100})},
		{"a wait too rare for its run", solved(q, mjq.RareEvent{Wait: 40, Jobs: 500, WarmUp: 100, Replications: 4})},
		{"a recurrence that is not monotone", solved(named, mjq.Forward{Jobs: 2000})},
		{"the recursion as printed", solved(mjq.Resources("cpu", 8).Resources("gpu", 2).Poisson(0.5).Needing("a", mjq.Needs{"cpu": 2}, 1, mjq.ExpMean(1)).AsPrinted(), mjq.Forward{Jobs: 2000})},
		{"a log is one history", replayed("arrival,servers,service\n0,1,2\n1,2,3\n2,2,1\n4,1,1\n6,1,2\n9,1,1\n", trace.Replay{Servers: 2})},
		{"a log that overloads its servers", replayed("arrival,servers,service\n0,2,5\n1,2,5\n2,2,5\n3,2,5\n4,2,5\n5,2,5\n", trace.Replay{Servers: 2})},
	}
}

func limitNotes() []message {
	heavyMix := mjq.Servers(4).Class("long", 1, 0.9, mjq.LomaxScaleShape(0.6, 1.9)).Class("wide", 4, 0.1, mjq.ExpMean(0.3))
	return []message{
		{"a search by simulation", limited(queue().Policy(mjq.EASY()), mjq.RelErr(0.2), mjq.MaxJobs(400_000))},
		{"service times of infinite variance", limited(heavyMix, mjq.MaxJobs(200_000))},
		{"a class that a run almost never meets", limited(mjq.Servers(4).Class("small", 1, 0.999999, mjq.LogNormalMeanSCV(1, 1)).Class("wide", 4, 0.000001, mjq.ExpMean(1)), mjq.MaxJobs(200_000))},
	}
}

func modelErrors() []message {
	return []message{
		{"nothing", faulty(mjq.Servers(0))},
		{"no classes", faulty(mjq.Servers(4).Poisson(1))},
		{"a need above the servers", faulty(queue().Servers(5))},
		{"probabilities", faulty(mjq.Servers(4).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 1, 0.6, mjq.ExpMean(1)))},
		{"service times", faulty(mjq.Servers(4).Class("a", 1, 1, mjq.ExpMean(-1)))},
		{"a rate", faulty(queue().AtRate(-2))},
		{"a policy for other needs", faulty(queue().Policy(mjq.Quickswap(3)))},
		{"several at once", faulty(mjq.Servers(4).Poisson(-1).Class("a", 5, 0.5, mjq.ExpMean(0)))},
	}
}

func questionErrors() []message {
	q := queue()
	return []message{
		{"no arrivals", solved(mjq.Servers(1).Class("a", 1, 1, mjq.ExpMean(1)))},
		{"Exact with other services", solved(mjq.Servers(2).Poisson(0.5).Class("a", 1, 1, mjq.LogNormalMeanSCV(1, 4)), mjq.Exact{})},
		{"Dominated beyond its load", solved(q, mjq.Dominated{})},
		{"Certified with a heavy tail", solved(heavy(2.5), mjq.Certified{})},
		{"Unbiased with a negative setting", solved(q, mjq.Unbiased{Samples: -1})},
		{"RareEvent without a wait", solved(q, mjq.RareEvent{})},
		{"a target without a moment", solved(heavy(2.5), mjq.Forward{}, mjq.RelErr(0.01))},
		{"few batches", solved(q, mjq.Simulation{BatchMeans: 5})},
		{"a level", solved(q, mjq.Level(1.5))},
		{"two methods", solved(q, mjq.Exact{}, mjq.Forward{})},
		{"an exact limit that is not known", limited(q.Policy(mjq.EASY()), mjq.Exact{})},
		{"the pile under a policy", limited(q.Policy(mjq.EASY()), mjq.Pile{})},
		{"a log with a need of 0", replayed("arrival,servers,service\n0,0,2\n", trace.Replay{Servers: 2})},
		{"a log without a column", replayed("arrival,servers\n0,1\n", trace.Replay{Servers: 2})},
	}
}
