package turned

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// answer is what a solver has found, by class. What is nil is not known.
type answer struct {
	arrived                            []float64 // jobs that come in a unit of time
	blocked, blockedTime, left, atOnce []float64 // shares
	queue, served                      []float64 // mean numbers
	mean, second                       []float64 // moments of the wait of the jobs that start
	curve                              func(ctx context.Context) ([]result.Curve, error)
	busy                               float64 // servers
	wasted                             float64
	units                              []float64 // of each type of resource, busy
	jobs                               []float64 // probabilities of 0, 1, ... jobs in the system
	scattered                          []float64 // of nodes: shares of the jobs that come
	fragmentation                      *result.Fragmentation
	notes                              []string
}

// mostOperations is what a chain may take: some minutes of one core.
const mostOperations = 5e11

// Solve solves a queue which Faults lets pass within so many bytes, with distributions if they are
// wanted. When ctx ends there is nothing to keep but the
// moments.
func Solve(ctx context.Context, p *problem.Problem, o *problem.Options, bytes float64, curves bool) (*result.Result, error) {
	how := route(nil, p.Spec)
	size := how.size(p.Spec)
	x, err := run.Open(ctx, p, nil, o, size.Flops)
	if err != nil {
		return nil, err
	}
	ok, err := x.Begin(ctx, "exact", how.source)
	if !ok {
		return x.Result, err
	}
	x.Started = time.Now()
	report := o.Throttled()
	most := chain.Limits{States: 2_000_000, Bytes: bytes, Flops: mostOperations, ReportSolving: func(part float64) {
		if report != nil {
			report(part*size.Flops, size.Flops)
		}
	}}
	a, err := how.solve(ctx, x.Spec, most)
	var large *chain.TooLarge
	if errors.As(err, &large) && large.Remedy == "" {
		return nil, tooLarge(err)
	} else if err != nil {
		return nil, fmt.Errorf("Exact: %w", err)
	}
	a.fill(x.Spec, x.Result)
	if a.curve != nil && curves {
		if o.Moments != nil {
			o.Moments(x.Result)
		}
		curves, err := a.curve(ctx)
		if err != nil && ctx.Err() == nil {
			x.Result.Notes = append(x.Result.Notes, fmt.Sprintf("There are moments but no distributions: %v.", err))
			x.Finish(true)
			return x.Result, nil
		} else if err != nil {
			x.Result.Notes = append(x.Result.Notes, "Interrupted before the distributions were found; moments are complete.")
			return x.Result, errors.Join(errors.New("Exact: interrupted; the result holds the moments"), err)
		}
		shares := a.shares()
		for k := range curves {
			x.Result.Classes[k].Waiting.Curve = curves[k]
		}
		x.Result.All.Waiting.Curve = result.MixCurves(curves, shares)
	}
	x.Finish(true)
	return x.Result, nil
}

// carried is how many jobs of a class are served in a unit of time.
func (a *answer) carried(k int) float64 { return a.arrived[k] * (1 - a.blocked[k] - a.leave(k)) }

func (a *answer) leave(k int) float64 {
	if a.left == nil {
		return 0
	}
	return a.left[k]
}

// shares are the shares of the classes of the jobs that are served.
func (a *answer) shares() []float64 {
	out, all := make([]float64, len(a.arrived)), 0.0
	for k := range out {
		out[k] = a.carried(k)
		all += out[k]
	}
	for k := range out {
		out[k] /= all
	}
	return out
}

// known is a number without an error.
func known(v float64) result.Estimate { return result.Exact(v, "exact") }

// fill makes the result.
func (a *answer) fill(s *spec.Spec, r *result.Result) {
	tallies, shares := make([]estimate.Tally, len(a.arrived)), a.shares()
	for k := range tallies {
		tallies[k] = a.class(s, k)
	}
	all := a.all(s, r, tallies, shares)
	estimate.Fill(r, tallies, &all, shares)
	a.servers(s, r)
}

// class returns the estimates for the jobs of a class.
func (a *answer) class(s *spec.Spec, k int) (t estimate.Tally) {
	if s.Room != nil {
		t.Blocked, t.BlockedTime = known(a.blocked[k]), known(a.blockedTime[k])
	}
	if a.left != nil {
		t.Left = known(a.left[k])
	}
	if a.scattered != nil {
		t.Scattered = known(a.scattered[k])
	}
	t.InLine, t.Carried = known(a.queue[k]/(a.arrived[k]*(1-a.blocked[k]))), known(a.carried(k))
	if a.atOnce != nil {
		t.NoWait = known(a.atOnce[k] / (1 - a.blocked[k] - a.leave(k)))
	}
	if a.mean != nil {
		service, wait := s.Classes[k].Service, a.second[k]-a.mean[k]*a.mean[k]
		t.Waiting.Mean, t.Waiting.Variance = known(a.mean[k]), known(wait)
		t.Response.Mean, t.Response.Variance = known(a.mean[k]+service.Mean()), known(wait+service.Variance())
	}
	return t
}

// all is what is known of all jobs, with the share of the work that is turned away.
func (a *answer) all(s *spec.Spec, r *result.Result, classes []estimate.Tally, shares []float64) (t estimate.Tally) {
	var work, lost, blocked, left, carried, queue, in, scattered, atOnce float64
	for k, rate := range a.arrived {
		c := &s.Classes[k]
		work += rate * float64(c.Need) * c.Service.Mean()
		lost += rate * a.blocked[k] * float64(c.Need) * c.Service.Mean()
		blocked += rate * a.blocked[k]
		left += rate * a.leave(k)
		carried += a.carried(k)
		queue += a.queue[k]
		in += rate * (1 - a.blocked[k])
		scattered += rate * classes[k].Scattered.Value
		atOnce += shares[k] * classes[k].NoWait.Value
	}
	came := a.rate()
	if s.Room != nil {
		t.Blocked, r.BlockedWork = known(blocked/came), known(lost/work)
	}
	if a.left != nil {
		t.Left = known(left / came)
	}
	if a.fragmentation != nil {
		t.Scattered, r.Fragmentation = known(scattered/came), *a.fragmentation
	}
	t.InLine, t.Carried = known(queue/in), known(carried)
	if a.atOnce != nil {
		t.NoWait = known(min(1, atOnce))
	}
	if a.mean != nil {
		t.Waiting.Mean, t.Waiting.Variance = mixed(shares, func(k int) (first, second float64) { return a.mean[k], a.second[k] })
		t.Response.Mean, t.Response.Variance = mixed(shares, func(k int) (first, second float64) {
			r := &classes[k].Response
			return r.Mean.Value, r.Variance.Value + r.Mean.Value*r.Mean.Value
		})
	}
	return t
}

// rate is how many jobs come in a unit of time.
func (a *answer) rate() (sum float64) {
	for _, rate := range a.arrived {
		sum += rate
	}
	return sum
}

// mixed is the mean and the variance over all classes of what has these moments in each.
func mixed(shares []float64, moments func(k int) (first, second float64)) (mean, variance result.Estimate) {
	var sum, square float64
	for k, share := range shares {
		first, second := moments(k)
		sum += share * first
		square += share * second
	}
	return known(sum), known(square - sum*sum)
}

// servers fills in what the servers do, and how many jobs there are.
func (a *answer) servers(s *spec.Spec, r *result.Result) {
	r.Rate = a.rate()
	for k := range r.Classes {
		r.Classes[k].Prob = a.arrived[k] / r.Rate
	}
	n := float64(s.Servers)
	r.Goodput, r.Utilization, r.Idle, r.WastedHOL = known(a.busy), known(a.busy/n), known(n-a.busy), known(a.wasted)
	if s.AlsoPreempted { // some work is done in vain
		r.Goodput = result.Unknown()
	}
	jobs := 0.0
	for k := range a.queue {
		jobs += a.queue[k] + a.served[k]
	}
	r.MeanJobs = known(jobs)
	if a.jobs != nil {
		square := 0.0
		for i, p := range a.jobs {
			square += float64(i) * float64(i-1) * p
		}
		r.Jobs = result.Count{Factorial: []float64{jobs, square}, P: a.jobs}
	}
	for j, busy := range a.units {
		x := s.Resources[j]
		r.Resources = append(r.Resources, result.ResourceResult{Name: x.Name, Units: x.Units, WastedHOL: known(0), Idle: known(float64(x.Units) - busy),
			Utilization: known(busy / float64(x.Units))})
	}
	run.MixedUnits(r)
	r.Notes = append(r.Notes, a.notes...)
}
