package coverage

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// rareEvents is a queue in which something happens seldom, and the numbers that tell how often.
type rareEvents struct {
	name   string
	m      mjq.Model
	told   []shareOf
	within float64 // what ServiceLevel is asked for; 0: nothing
	log    float64 // the share of jobs that are killed in replays of a log; 0: it is a model
}

// shareOf is one of these numbers. Truth tells it from an exact result; nil: of does.
type shareOf struct {
	name  string
	of    func(r *result.Result) result.Estimate
	truth func(r *result.Result) float64
}

func (s *shareOf) exactly(r *result.Result) float64 {
	if s.truth != nil {
		return s.truth(r)
	}
	return s.of(r).Value
}

// eachClass is the number of all jobs and of the last class.
func eachClass(name string, of func(c *result.ClassResult) result.Estimate) []shareOf {
	return eachClassBut(name, of, nil)
}

// eachClassBut is eachClass of a number that exact results tell in another way.
func eachClassBut(name string, of, exact func(c *result.ClassResult) result.Estimate) []shareOf {
	list := []shareOf{
		{name: name, of: func(r *result.Result) result.Estimate { return of(&r.All) }},
		{name: name + " of a class", of: func(r *result.Result) result.Estimate { return of(&r.Classes[len(r.Classes)-1]) }},
	}
	if exact != nil {
		list[0].truth = func(r *result.Result) float64 { return exact(&r.All).Value }
		list[1].truth = func(r *result.Result) float64 { return exact(&r.Classes[len(r.Classes)-1]).Value }
	}
	return list
}

// inTime are the shares of jobs that start, and are done, within a time.
func inTime(within float64) []shareOf {
	return shares(
		eachClassBut("ServiceLevel", func(c *result.ClassResult) result.Estimate { return c.Waiting.ServiceLevel }, func(c *result.ClassResult) result.Estimate { return c.Waiting.CDF(within) }),
		eachClassBut("ServiceLevel of responses", func(c *result.ClassResult) result.Estimate { return c.Response.ServiceLevel }, func(c *result.ClassResult) result.Estimate { return c.Response.CDF(within) }),
		eachClass("CDF", func(c *result.ClassResult) result.Estimate { return c.Waiting.CDF(within) }),
		eachClass("CDF of responses", func(c *result.ClassResult) result.Estimate { return c.Response.CDF(within) }))
}

var (
	blocked     = eachClass("Blocked", func(c *result.ClassResult) result.Estimate { return c.Blocked })
	left        = eachClass("Left", func(c *result.ClassResult) result.Estimate { return c.Left })
	delayed     = eachClass("NoWait", func(c *result.ClassResult) result.Estimate { return c.Waiting.NoWait })
	inLine      = eachClass("InLine", func(c *result.ClassResult) result.Estimate { return c.InLine })
	atOnce      = eachClass("AtOnce", func(c *result.ClassResult) result.Estimate { return c.AtOnce })
	preemptions = eachClass("Preemptions", func(c *result.ClassResult) result.Estimate { return c.Preemptions })
	lost        = eachClass("Lost", func(c *result.ClassResult) result.Estimate { return c.Lost })
	firstStart  = eachClass("FirstStart", func(c *result.ClassResult) result.Estimate { return c.FirstStart })
	scattered   = eachClass("Scattered", func(c *result.ClassResult) result.Estimate { return c.Scattered })

	blockedTime = eachClass("BlockedTime", func(c *result.ClassResult) result.Estimate { return c.BlockedTime })[1:]
	blockedWork = []shareOf{{name: "BlockedWork", of: func(r *result.Result) result.Estimate { return r.BlockedWork }}}
	onNodes     = []shareOf{{name: "Held", of: func(r *result.Result) result.Estimate { return r.Fragmentation.Held }},
		{name: "Stranded", of: func(r *result.Result) result.Estimate { return r.Fragmentation.Stranded }}}

	served      = eachClass("Arriving.Served", func(c *result.ClassResult) result.Estimate { return c.Arriving.Served })
	waits       = eachClass("Arriving.Delayed", func(c *result.ClassResult) result.Estimate { return c.Arriving.Delayed })
	meanWait    = eachClass("Arriving.MeanWait", func(c *result.ClassResult) result.Estimate { return c.Arriving.MeanWait })
	meanDelayed = eachClass("MeanDelayed", func(c *result.ClassResult) result.Estimate { return c.Waiting.MeanDelayed })
	carried     = eachClass("Carried", func(c *result.ClassResult) result.Estimate { return c.Carried })
	goodput     = []shareOf{{name: "Goodput", of: func(r *result.Result) result.Estimate { return r.Goodput }}}
	wasted      = []shareOf{{name: "WastedHOL", of: func(r *result.Result) result.Estimate { return r.WastedHOL }}}
	// Services have a mean of 1 where this is asked.
	lostShare = eachClassBut("LostShare", func(c *result.ClassResult) result.Estimate { return c.LostShare },
		func(c *result.ClassResult) result.Estimate { return result.Exact(c.Lost.Value/(1+c.Lost.Value), "") })
	// A job of the first of two levels overtakes all of the second that wait as it arrives.
	overtaking = []shareOf{{name: "Overtaking", of: func(r *result.Result) result.Estimate {
		if len(r.Overtaking) == 0 {
			return result.Unknown()
		}
		return r.Overtaking[0][1]
	}, truth: func(r *result.Result) float64 {
		low := r.Classes[1]
		return r.Rate * low.Prob * low.Waiting.Mean.Value
	}}}
)

func shares(lists ...[]shareOf) (all []shareOf) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// rareEventQueues are queues that Exact solves, with events from about one in a hundred jobs to
// about one in a million.
func rareEventQueues() (list []rareEvents) {
	add := func(name string, m mjq.Model, told []shareOf) {
		list = append(list, rareEvents{name: name, m: m, told: told})
	}
	turned := shares(blocked, blockedTime, blockedWork)
	for _, rate := range []float64{0.1, 0.2, 0.3, 0.5, 0.8, 1.3} {
		add(fmt.Sprintf("loss, 8 servers at λ = %v", rate), mjq.Servers(8).Poisson(rate).Class("one", 1, 0.9, mjq.ExpMean(1)).Class("three", 3, 0.1, mjq.ExpMean(1)).Loss(), turned)
	}
	for _, rate := range []float64{20, 25, 30, 36} {
		add(fmt.Sprintf("loss, 64 servers at λ = %v", rate), mjq.Servers(64).Poisson(rate).Class("one", 1, 0.95, mjq.LogNormalMeanSCV(1, 4)).Class("eight", 8, 0.05, mjq.ExpMean(1)).Loss(), turned)
	}
	for _, rate := range []float64{0.5, 1, 2} {
		add(fmt.Sprintf("loss in bursts λ = %v", rate), mjq.Servers(10).MMPP([]float64{3 * rate, rate / 3}, [][]float64{{-0.2, 0.2}, {0.1, -0.1}}).Class("one", 1, 1, mjq.ExpMean(1)).Loss(), shares(blocked, blockedTime))
	}
	for _, rate := range []float64{0.1, 0.4} {
		add(fmt.Sprintf("loss of batches λ = %v", rate), mjq.Servers(12).Poisson(rate).Batches(arrival.GeometricSize(3)).Class("one", 1, 1, mjq.ExpMean(1)).Loss(), shares(blocked, blockedTime))
	}
	for _, x := range []struct {
		load float64
		room int
	}{{0.5, 6}, {0.5, 10}, {0.5, 14}, {0.8, 12}, {0.8, 25}, {0.8, 40}, {0.9, 25}, {0.9, 50}} {
		add(fmt.Sprintf("room for %d load %v", x.room, x.load), mjq.Servers(2).Poisson(2*x.load).Class("one", 1, 1, mjq.ExpMean(1)).Room(x.room), shares(blocked, blockedTime, blockedWork, inLine, served, waits, meanWait, meanDelayed, carried, goodput))
	}
	for _, x := range []struct{ rate, patience float64 }{{1, 1}, {1, 10}, {2, 3}, {2, 10}, {3, 20}, {0.4, 1}, {0.15, 1}} {
		add(fmt.Sprintf("patience %v λ = %v", x.patience, x.rate), mjq.Servers(4).Poisson(x.rate).Class("one", 1, 0.7, mjq.ExpMean(1)).Class("two", 2, 0.3, mjq.ExpMean(1)).Patience(mjq.ExpMean(x.patience)), shares(left, inLine, served, waits, meanWait, meanDelayed, goodput))
	}
	for _, rate := range []float64{0.5, 1, 1.5, 2.5} {
		add(fmt.Sprintf("first come λ = %v", rate), mjq.Servers(8).Poisson(rate).Class("one", 1, 0.95, mjq.ExpMean(1)).Class("two", 2, 0.05, mjq.ExpMean(1)), shares(delayed, meanDelayed, wasted))
	}
	for _, rate := range []float64{0.002, 0.01, 0.05, 0.2} {
		add(fmt.Sprintf("preemption λ = %v", rate), mjq.Servers(1).Poisson(rate).Class("high", 1, 0.1, mjq.ExpMean(1)).Class("low", 1, 0.9, mjq.ExpMean(1)).
			Policy(mjq.Priority([]string{"high"}, []string{"low"}).Preemptive(mjq.Restart)), shares(preemptions, atOnce, lost, firstStart, lostShare))
	}
	for _, rate := range []float64{0.02, 0.06, 0.2, 0.6} {
		add(fmt.Sprintf("nodes λ = %v", rate), mjq.Nodes(2, 4).Poisson(rate).Class("one", 1, 0.6, mjq.ExpMean(1)).Class("two", 2, 0.25, mjq.ExpMean(1.25)).Class("four", 4, 0.15, mjq.ExpMean(1/0.7)), shares(onNodes, scattered))
		add(fmt.Sprintf("loss on nodes λ = %v", rate), mjq.Nodes(2, 4).Poisson(rate).Class("one", 1, 0.6, mjq.ExpMean(1)).Class("two", 2, 0.25, mjq.ExpMean(1.25)).Class("four", 4, 0.15, mjq.ExpMean(1/0.7)).Loss(), shares(blocked, blockedWork, scattered))
	}
	for _, rate := range []float64{0.01, 0.05, 0.2, 0.5} {
		add(fmt.Sprintf("passing λ = %v", rate), mjq.Servers(1).Poisson(rate).Class("high", 1, 0.1, mjq.ExpMean(1)).Class("low", 1, 0.9, mjq.ExpMean(1)).
			Policy(mjq.Priority([]string{"high"}, []string{"low"})), overtaking)
	}
	for _, x := range []struct{ load, within float64 }{{0.2, 5}, {0.2, 9}, {0.2, 15}, {0.5, 8}, {0.5, 16}, {0.5, 25}, {0.8, 20}, {0.8, 40}, {0.8, 65}} {
		add(fmt.Sprintf("within %v at load %v", x.within, x.load), mjq.Servers(1).Poisson(x.load).Class("one", 1, 0.9, mjq.ExpMean(1)).Class("two", 1, 0.1, mjq.ExpMean(1)), inTime(x.within))
		list[len(list)-1].within = x.within
	}
	for _, share := range []float64{1e-2, 1e-3, 1e-4, 1e-5, 1e-6} {
		add(fmt.Sprintf("killed %v", share), mjq.Model{}, killed)
		list[len(list)-1].log = share
	}
	return list
}

// exact is the truth.
func (q *rareEvents) exact() *result.Result {
	if q.log > 0 {
		return always(q.log)
	}
	return mjq.Must(q.m.Solve(background, mjq.Exact{}))
}

// methods are short runs, of 16,000 jobs and their warm-up.
func (q *rareEvents) methods() []coverageMethod {
	if q.log > 0 {
		return killing(q.log)
	}
	passing := slices.ContainsFunc(q.told, func(s shareOf) bool { return s.name == "Overtaking" })
	return []coverageMethod{
		{"Simulation", func(seed uint64) (*result.Result, error) {
			return q.m.Solve(background, mjq.Simulation{Jobs: 500, Replications: 32, Within: q.within, Overtaking: passing}, mjq.Seed(seed))
		}},
		{"batch means", func(seed uint64) (*result.Result, error) {
			return q.m.Solve(background, mjq.Simulation{Jobs: 16_000, BatchMeans: 20, Within: q.within, Overtaking: passing}, mjq.Seed(seed))
		}},
		{"Unbiased", func(seed uint64) (*result.Result, error) {
			return q.m.Solve(background, mjq.Unbiased{Samples: 64, PathLength: 250, Within: q.within}, mjq.Seed(seed))
		}},
		{"Forward", func(seed uint64) (*result.Result, error) {
			return q.m.Solve(background, mjq.Forward{Jobs: 500, Replications: 32}, mjq.Seed(seed))
		}},
	}
}

// coverage counts the intervals of each number in runs from a seed on; none of those that the method
// or the exact solution does not tell.
func (q *rareEvents) coverage(method coverageMethod, exact *result.Result, first, runs int) []tallied {
	list := make([]tallied, len(q.told))
	for run := range runs {
		r, err := method.ask(uint64(first + run))
		if err != nil {
			return list // it is not for this queue
		}
		for i, told := range q.told {
			e, truth := told.of(r), told.exactly(exact)
			if !e.Known() || math.IsNaN(truth) {
				continue
			}
			t := &list[i]
			t.runs++
			if math.IsNaN(e.HalfWidth) {
				continue
			}
			t.given++
			if math.Abs(e.Value-truth) <= e.HalfWidth+1e-12 {
				t.held++
			}
		}
	}
	return list
}

// TestQuantilesAreDecidedBeforehand: near the limit a quantile has an interval in each of many short
// runs or in none, whatever their largest waits. It was given in few, which were those too high.
func TestQuantilesAreDecidedBeforehand(t *testing.T) {
	m := mjq.Servers(1).Poisson(0.9).Class("one", 1, 1, mjq.ExpMean(1))
	truth := mjq.Must(m.Solve(background, mjq.Exact{}))
	const runs = 40
	var waits []*result.Metric
	for seed := range uint64(runs) {
		waits = append(waits, &mjq.Must(m.Solve(background, mjq.Simulation{Jobs: 4000, WarmUp: 4000}, mjq.Seed(seed+1))).All.Waiting)
	}
	for _, c := range []struct {
		p     float64
		given int
	}{{0.5, runs}, {0.9, runs}, {0.99, 0}, {0.999, 0}} {
		given, held := 0, 0
		for _, w := range waits {
			q := w.Quantile(c.p)
			if math.IsNaN(q.HalfWidth) {
				continue
			}
			if given++; q.Covers(truth.All.Waiting.Quantile(c.p).Value) {
				held++
			}
		}
		if given != c.given || float64(held) < 0.85*float64(given) {
			t.Errorf("%v-quantile: %d of %d runs have an interval, want %d, and %d hold", c.p, given, runs, c.given, held)
		}
	}
}

// TestSharesOfRareEvents: intervals of shares and numbers of events that a short run meets once, or
// never, hold: 0.93 of all and 0.85 of each number of each queue in 40 runs, whose standard error is
// 0.035. Of Student's intervals, which are 0 wide without an event, three in four did.
func TestSharesOfRareEvents(t *testing.T) {
	const runs = 40
	var all tallied
	for i, q := range rareEventQueues() {
		if every := oracle.Sized(8, 1); i%every != every/4 {
			continue
		}
		exact := q.exact()
		for k, one := range q.coverage(q.methods()[0], exact, 1, runs) {
			if all.add(&one); one.held < 0.85*one.given {
				t.Errorf("%s: %v of %v intervals of %s hold", q.name, one.held, one.given, q.told[k].name)
			}
		}
	}
	if all.held < 0.93*all.given || all.given < 0.75*all.runs {
		t.Errorf("%v of %v intervals hold, of %v runs", all.held, all.given, all.runs)
	}
}

// TestUsersAlone asks a queue that has no arrivals but the jobs of its users whatever takes an
// interval: with somebody who follows the run, targets, and batches.
func TestUsersAlone(t *testing.T) {
	m := mjq.Servers(4).Class("one", 1, 1, mjq.ExpMean(1)).Users("one", 6, mjq.ExpMean(2)).Loss()
	truth := mjq.Must(m.Solve(background, mjq.Exact{})).All.Blocked.Value
	follow := mjq.Progress(func(mjq.Step) {})
	for i, opts := range [][]mjq.Option{
		{mjq.Simulation{Jobs: 4000}, follow}, {mjq.Simulation{Jobs: 4000}, mjq.RelErr(0.1), follow}, {mjq.Simulation{Jobs: 4000}, mjq.HalfWidth(0.01)},
		{mjq.Simulation{Jobs: 50_000, BatchMeans: 20}, follow}, {follow}, {mjq.RelErr(0.1)},
	} {
		r, err := m.Solve(background, append(opts, mjq.Seed(1))...)
		if err != nil {
			t.Errorf("%d: %v", i, err)
			continue
		}
		if e := r.All.Blocked; !(e.HalfWidth < 0.05) || math.Abs(e.Value-truth) > 2*e.HalfWidth+1e-9 {
			t.Errorf("%d: blocked %v, exactly %v", i, e, truth)
		}
	}
}

// TestRareClassesWhereJobsAreDropped: what a class of which a run holds few jobs does to a queue that
// turns jobs away or loses them is in its intervals, or it has none: waits, their variances and what
// becomes of the jobs, of all and of the class itself.
func TestRareClassesWhereJobsAreDropped(t *testing.T) {
	const runs = 60
	told := shares(blocked, left, inLine, served, meanWait, eachClass("mean wait", func(c *result.ClassResult) result.Estimate { return c.Waiting.Mean }),
		eachClass("variance", func(c *result.ClassResult) result.Estimate { return c.Waiting.Variance }),
		eachClass("variance of responses", func(c *result.ClassResult) result.Estimate { return c.Response.Variance }))
	seldom := func(prob, mean, scv float64) mjq.Model {
		return mjq.Servers(4).Poisson(1.5).Class("often", 1, 1-prob, mjq.ExpMean(1)).Class("seldom", 4, prob, mjq.HyperExpMeanSCV(mean, scv))
	}
	for name, m := range map[string]mjq.Model{
		"room":       seldom(1e-3, 5, 30).Room(8),
		"room, rare": seldom(2e-4, 20, 10).Room(8),
		"patience":   seldom(1e-3, 5, 30).Patience(mjq.ExpMean(4)),
		"loss":       seldom(1e-3, 5, 30).Loss(),
	} {
		q := rareEvents{name: name, m: m, told: told}
		exact := q.exact()
		for i, x := range q.coverage(q.methods()[0], exact, 1, runs) {
			if x.held < 0.85*x.given {
				t.Errorf("%s: %v of %v intervals of %s hold", name, x.held, x.given, q.told[i].name)
			}
		}
	}
}
