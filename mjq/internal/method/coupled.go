package method

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// coupled is Unbiased under policies other than first come first served, and where
// arrivals say of which class a job is: each sample is a run of the queue coupled with itself one arrival later, averaged along the path.
var coupled = &Method{
	Name: "Unbiased", About: unbiasedAbout,
	Takes: N | Window | PathLength | RelErr | HalfWidth | SlowdownThreshold | InTime,
	what:  "unbiased sampling", source: "coupling with the queue one arrival later: Glynn and Rhee 2014, averaged as by Jacob, O'Leary and Atchadé 2020",
	keeps: 300e3, holds: 150e3,
	seed: seedUnbiased, usual: coupledSamples, by: overTime, anyPolicy: true,
	fits: countedFaults,
	plan: func(f *check.Faults, _ *Problem, o *Options) {
		n := o.drawing(N, coupledSamples)
		f.That(n != 1, "Samples %d: at least two samples are needed for an interval", n)
	},
	solver: func(*Options) string { return "unbiased, coupled" },
	total:  func(_ *Problem, o *Options) float64 { return float64(o.drawing(N, coupledSamples)) },
	draw:   drawCoupled,
}

const (
	// coupledSamples is the default number of samples.
	coupledSamples = 512
	// coupledBudget is how many jobs they take in all by default.
	coupledBudget = 20_000_000
	// fewestOfClass are the jobs of a class that all paths must hold on average for an
	// interval.
	fewestOfClass = 100
)

func drawCoupled(ctx context.Context, x *run) error {
	o, r := x.o, x.r
	samples := int(o.drawing(N, coupledSamples))
	plan := events.Coupling{Servers: x.Servers, Classes: len(x.Classes), Policy: x.discipline(), Needs: x.needs(), Types: x.types(), Rate: r.Rate, Input: x.sys.Input,
		Samples: samples, Burn: o.int(Window, -1), Path: o.int(PathLength, 0), Budget: coupledBudget,
		Level: o.Level, Workers: o.Workers, Threshold: o.float(SlowdownThreshold, 0), InTime: o.float(InTime, 0)}
	known := x.expose(false, false)
	plan.Enough = known.enough(o, firstCoupled, manySamples)
	for _, c := range x.Classes {
		plan.Probs = append(plan.Probs, c.Prob)
	}
	res := plan.Run(ctx, x.report)
	r.Run.Samples, r.Run.Steps = res.Batches, res.Jobs
	r.Run.Window, r.Run.Jobs, r.Run.MinWindow, r.Run.MaxWindow = res.Burn, res.Path, res.First, res.Longest
	x.finish(res.Hopeless || res.Batches == samples || ctx.Err() == nil)
	x.measured(r, &res.Result)
	if res.Hopeless {
		r.Notes = append(r.Notes, fmt.Sprintf("No means: queues that started one job apart were still different after %d jobs. Under %v the rate %.6g is beyond what is stable, or so near to it that nothing can be said at this cost; Simulate shows whether the queue grows.",
			res.Longest, x.discipline(), r.Rate))
		return nil
	}
	x.exactParts(r)
	x.coupledNotes(r, res)
	known.samples, known.jobs = float64(res.Batches), float64(res.Batches)*float64(res.Path)
	x.exposed = &known
	return nil
}

// discipline is the policy for the classes.
func (p *Problem) discipline() policy.Policy {
	if p.Policy == nil {
		return policy.FCFS{}
	}
	var classes []policy.Bound
	for _, c := range p.Classes {
		classes = append(classes, policy.Bound{Name: c.Name, Service: c.Service})
	}
	return policy.Bind(p.Policy, classes)
}

// firstCoupled samples are drawn before a target looks at their interval.
const firstCoupled = 128

// exactParts puts in what is known without drawing: unless jobs are killed, how busy the
// servers are and what the services add to the waits. Where preempted jobs lose service
// nothing is.
func (x *run) exactParts(r *result.Result) {
	if e, ok := x.Policy.(policy.Estimator); ok {
		if _, kills := e.Limits(); kills {
			return
		}
	}
	if x.Policy != nil && x.Policy.Properties().Loses {
		return
	}
	for i, c := range x.Classes {
		r.Classes[i].Response.Mean = plus(r.Classes[i].Waiting.Mean, c.Service.Mean())
	}
	r.All.Response.Mean = plus(r.All.Waiting.Mean, x.MeanService())
	r.MeanJobs = times(r.All.Response.Mean, r.Rate)
	x.busyServers(r)
	for j := range r.Resources {
		c := &r.Resources[j]
		busy := r.Rate * x.TypeWork(j)
		c.Idle = result.Exact(float64(c.Units)-busy, "Little's law")
		c.Utilization = result.Exact(busy/float64(c.Units), "Little's law")
	}
	mixedUnits(r)
}

// coupledNotes says which intervals cannot be trusted, and takes them away.
func (x *run) coupledNotes(r *result.Result, res *events.Coupled) {
	for i := range r.Classes {
		c := &r.Classes[i]
		if jobs := float64(res.Batches) * float64(res.Path) * c.Prob; jobs < fewestOfClass {
			withoutIntervals(c)
			r.Notes = append(r.Notes, fmt.Sprintf("The paths hold %.2g jobs of class %s, too few for intervals; give a longer PathLength, or a larger N.", jobs, c.Name))
		}
	}
}

// withoutIntervals leaves a class without intervals.
func withoutIntervals(c *result.ClassResult) {
	for _, m := range []*result.Metric{&c.Waiting, &c.Response, &c.Slowdown} {
		withhold(&m.Mean, false, false)
		withhold(&m.Variance, false, false)
		m.Effective = 0
	}
	for _, e := range []*result.Estimate{&c.Preemptions, &c.Killed, &c.Waiting.ServiceLevel, &c.Response.ServiceLevel} {
		withhold(e, false, false)
	}
}

// Under is the method that answers for the queue: another one where its policy is not
// first come first served, or its arrivals say of which class a job is.
func (m *Method) Under(s *spec.Spec) *Method {
	if m.beyond != nil && (!s.FirstCome() || s.Plain() && marked(s)) {
		return m.beyond
	}
	return m
}
