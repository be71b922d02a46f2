package methods

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
	"github.com/mjqueue/mjq/mjq/internal/scarcity"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// The default target: the half-width of the mean wait of every class is within this part of the
// mean wait, or of the mean service time of the class, whichever is wider. Nobody needs the third
// digit of a wait that is a ten-thousandth of the service.
const (
	partOfWait    = 0.02
	partOfService = 0.005
)

// usual answers to the default target: by a first run, and by longer ones as long as it is
// missed and the budget lasts, which is MaxJobs if given. Each run begins with the random
// numbers of the one before.
func usual(ctx context.Context, p *problem.Problem, m run.Method, o problem.Options) (*result.Result, error) {
	b := &budget{jobs: o.MaxJobs.Take(), operations: func(waiting float64) float64 { return operations(p, m, waiting) }}
	p, load, err := loaded(ctx, p)
	if err != nil {
		return nil, err
	}
	l := firstLength(p, load, b)
	var r *result.Result
	for spent := 0.0; ; {
		longer, err := run.Solve(ctx, p, asLong(m, l.settings()), o)
		if r == nil || longer != nil && jobsOf(longer) > jobsOf(r) {
			r = longer
		}
		if err != nil || !r.Stable {
			return r, err
		}
		spent += l.total()
		v := judge(p, r, load)
		if r.Run.Met = v.more <= 1; r.Run.Met {
			return remark(r, v.met()), nil
		}
		more := b.more(max(margin*v.more, worthwhile), l.total(), spent, r.All.Waiting.Mean.Value*r.Rate)
		if more < worthwhile {
			return remark(r, v.missed(p, l.total())), nil
		}
		l = l.times(more)
	}
}

// asLong is the method that is chosen, with runs of a length.
func asLong(m run.Method, l problem.Length) run.Method {
	if isForward(m) {
		return sampler.Forward{Jobs: l.Jobs, WarmUp: l.WarmUp, Replications: l.Replications, Controls: problem.PlainControls}
	}
	return simulation.Method{Jobs: l.Jobs, WarmUp: l.WarmUp, Replications: l.Replications}
}

// loaded is the problem with a limit that is good enough for the run, and the fraction of it.
func loaded(ctx context.Context, p *problem.Problem) (*problem.Problem, float64, error) {
	if p.Features().Has(spec.Sent) {
		return p, 0, nil
	}
	if rough, load, ok := limit.Rough(p); ok {
		return rough, load, nil
	}
	st, err := limit.Bound(ctx, p, nil)
	if err != nil {
		return nil, 0, err
	}
	return p, p.Rate() / st.Rate, nil
}

// jobsOf is how many jobs a result is of.
func jobsOf(r *result.Result) float64 { return float64(r.Run.Samples) * float64(r.Run.Jobs) }

const (
	// margin is by how much longer the next run is than the last one says that it need be.
	margin = 1.2
	// worthwhile is by what a run has to be longer than the one before, and is at least if the budget
	// allows.
	worthwhile = 1.3
)

// verdict is how a result stands to the default target.
type verdict struct {
	more    float64 // times the jobs that the class with the widest interval needs; up to 1: the target is met
	class   int     // this class
	e       result.Estimate
	allowed float64  // half-width
	small   []string // classes of which part of the service time is the wider
}

// judge goes over the classes. A class of which no job has waited meets the target if the bound
// of P(W > 0) does: the wait is then within that part of the service time.
func judge(p *problem.Problem, r *result.Result, load float64) (v verdict) {
	for i := range r.Classes {
		c := &r.Classes[i]
		e, unit := c.Waiting.Mean, p.Classes[i].Service.Mean()
		if p.Room != nil && *p.Room == 0 {
			e, unit = c.Blocked, 1
		}
		allowed := max(partOfWait*math.Abs(e.Value), partOfService*unit)
		if allowed > partOfWait*math.Abs(e.Value) {
			v.small = append(v.small, c.Name)
		}
		seen := jobsOf(r) * c.Prob
		more := math.Pow(e.HalfWidth/allowed, 2)
		switch {
		case math.IsInf(e.Value, 0):
			more = 0
		case e.Value == 0 && !(e.HalfWidth > 0):
			more = -math.Log(1-r.Level) / (seen * partOfService)
		case math.IsNaN(more):
			more = max(least(p, r, i, load), 2*scarce/seen, 2)
		}
		if more > v.more {
			v.more, v.class, v.e, v.allowed = more, i, e, allowed
		}
	}
	return v
}

// least is about how many times the jobs the mean wait of a class takes to have an interval.
func least(p *problem.Problem, r *result.Result, class int, load float64) float64 {
	jobs, c := jobsOf(r), &r.Classes[class]
	all := scarcity.Of(p.Spec, load).Waiting(r.All.Waiting.Mean.Value, r.All.Waiting.Variance.Value)
	own := all.Samples(jobs*c.Prob).Waiting(c.Waiting.Mean.Value, c.Waiting.Variance.Value)
	enough := all.Enough(scarcity.MeanWait, scarcity.Least) / jobs
	if !p.Features().Has(spec.Reordered) && !own.Together(1) {
		return enough // control variates tell of the class from all jobs
	}
	return max(enough, scarcity.Least/own.Effective(1))
}

// met says which of its two parts the target was.
func (v *verdict) met() string {
	text := fmt.Sprintf("The default target is met: half-widths of mean waits are at most %g %% of the mean wait", 100*partOfWait)
	if len(v.small) > 0 {
		text += fmt.Sprintf(", or %g %% of the mean service time for %s", 100*partOfService, named(v.small))
	}
	return text + "."
}

// missed says what was not reached, and what would be enough.
func (v *verdict) missed(p *problem.Problem, jobs float64) string {
	text := fmt.Sprintf("The default target is missed: the mean wait of class %s is %v after %.2g jobs; the half-width should be at most %.2g", p.Classes[v.class].Name, v.e, jobs, v.allowed)
	if math.IsNaN(v.e.HalfWidth) {
		return text + ". Give MaxJobs for a longer run."
	}
	return fmt.Sprintf("%s. It takes about %.2g jobs: raise MaxJobs to that to reach it.", text, margin*v.more*jobs)
}

// named are some classes, or how many they are.
func named(classes []string) string {
	const mostNamed = 5
	switch n := len(classes); {
	case n == 1:
		return "class " + classes[0]
	case n > mostNamed:
		return fmt.Sprintf("%d classes", n)
	}
	return "classes " + strings.Join(classes, ", ")
}

// remark puts a note before the others.
func remark(r *result.Result, note string) *result.Result {
	if r != nil {
		r.Notes = append([]string{note}, r.Notes...)
	}
	return r
}
