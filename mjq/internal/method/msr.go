package method

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/modulated"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Schedules are what a Markovian service rate policy goes by: how many jobs of each need
// run, in ascending order of the needs, and the chain that turns from one to another.
type Schedules struct {
	Jobs      [][]int
	Generator [][]float64
}

const msrSource = "Chen, Grosof, Berg: Markovian service rate policies; a QBD for each need"

// msrFaults says why the queue under such a policy has no exact solution.
func msrFaults(f *check.Faults, s *spec.Spec, m policy.MSR) {
	p := New(s)
	needs, _ := capacityKinds(s)
	p.msrServices(f, needs)
	if s.Arrivals != nil {
		f.That(p.Poisson(), "arrivals %v: with these policies only Poisson arrivals are solved", p.ArrivalName())
	}
	p.scheduleFaults(f, Schedules{m.Schedules, m.Generator}, len(needs))
}

// msr solves the queue under a Markovian service rate policy.
func (p *Problem) msr(ctx context.Context, m policy.MSR) (*result.Result, error) {
	const what = "Markovian service rates"
	s := Schedules{m.Schedules, m.Generator}
	var f check.Faults
	p.ArrivalFaults(&f)
	msrFaults(&f, p.Spec, m)
	if err := f.Err(what); err != nil {
		return nil, err
	}
	needs, _ := capacityKinds(p.Spec)
	rates := p.msrServices(&f, needs)
	started := time.Now()
	queues, limit, err := p.msrQueues(needs, rates, s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if p.Load != nil {
		p = p.WithArrivals(p.WithRate(*p.Load * limit))
	}
	r := &result.Result{Solver: "exact, MSR", Source: msrSource, Model: p.Headline(), Rate: p.Rate(), Level: 1, Stable: p.Rate() < limit,
		Limit: *p.stabilityAt(limit, 0, "closed form", msrSource)}
	p.outline(r)
	if !r.Stable {
		p.unstable(r)
		return r, nil
	}
	if err := p.msrMeans(ctx, r, queues, needs); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	r.Run.Version, r.Run.Complete, r.Run.Elapsed = result.Version, true, time.Since(started)
	r.Notes = append(r.Notes, "Means only; a wait is the response less the service, for jobs are stopped as the chain turns.")
	return r, nil
}

// msrLimit is the rate at which the schedules have as much work for some need as they do in
// the long run, whatever the services.
func (p *Problem) msrLimit(m policy.MSR) float64 {
	shares, limit := m.Shares(), math.Inf(1)
	needs, _ := capacityKinds(p.Spec)
	for k, need := range needs {
		served, brought := 0.0, 0.0
		for i, share := range shares {
			served += share * float64(m.Schedules[i][k])
		}
		for _, c := range p.Classes {
			if c.Need == need.Need {
				brought += c.Prob * c.Service.Mean()
			}
		}
		limit = min(limit, served/brought)
	}
	return limit
}

// msrServices are the rates of service by need, which must be one for each.
func (p *Problem) msrServices(f *check.Faults, needs []result.CapacityNeed) []float64 {
	f.That(p.Plain(), "these policies are for servers that are alike")
	rates := make([]float64, len(needs))
	for k, need := range needs {
		for _, c := range p.Classes {
			if c.Need != need.Need {
				continue
			}
			rate, ok := law.MemorylessRate(c.Service)
			switch {
			case !ok:
				f.Add("class %q: service %v is not exponential, which the queues of these policies take; use ExpMean", c.Name, c.Service)
			case rates[k] != 0 && math.Abs(rate/rates[k]-1) > 1e-12:
				f.Add("class %q: it needs as many servers as another class with another mean service; give them one", c.Name)
			}
			rates[k] = rate
		}
	}
	return rates
}

// CapacityPolicy draws the schedules of a capacity anew at a rate, each with the probability of
// its share, which carries all that any policy carries.
func CapacityPolicy(c *result.Capacity, rate float64) policy.Policy {
	var p policy.MSR
	if !(rate > 0) {
		rate = math.NaN() // a fault of the policy, which names it
	}
	for i, x := range c.Schedules {
		p.Schedules = append(p.Schedules, x.Jobs)
		row := make([]float64, len(c.Schedules))
		for j, y := range c.Schedules {
			if i != j {
				row[j] = rate * y.Share
				row[i] -= row[j]
			}
		}
		p.Generator = append(p.Generator, row)
	}
	return p
}

// scheduleFaults says what is wrong with schedules.
func (p *Problem) scheduleFaults(f *check.Faults, s Schedules, needs int) {
	f.That(len(s.Generator) == len(s.Jobs), "%d schedules and a generator of %d rows; give a row to each", len(s.Jobs), len(s.Generator))
	const most = 500
	f.That(len(s.Jobs) <= most, "%d schedules: at most %d are solved", len(s.Jobs), most)
	order, _ := capacityKinds(p.Spec)
	for i, jobs := range s.Jobs {
		if len(jobs) != needs {
			f.Add("schedule %d has %d numbers of jobs; give one for each of %d different needs, in ascending order", i+1, len(jobs), needs)
			continue
		}
		used := 0
		for k, n := range jobs {
			f.That(n >= 0, "schedule %d: %d jobs of need %d; give 0 or more", i+1, n, order[k].Need)
			used += n * order[k].Need
		}
		f.That(used <= p.Servers, "schedule %d takes %d servers of %d; run fewer jobs", i+1, used, p.Servers)
	}
	for i, row := range s.Generator {
		if len(row) != len(s.Generator) {
			f.Add("row %d of the generator has %d rates of %d", i+1, len(row), len(s.Generator))
			continue
		}
		sum, out := 0.0, 0.0
		for j, rate := range row {
			f.That(i == j || rate >= 0 && !math.IsInf(rate, 1), "row %d of the generator: rate %v to schedule %d; give one of 0 or more", i+1, rate, j+1)
			sum += rate
			out = max(out, math.Abs(rate))
		}
		f.That(math.Abs(sum) <= 1e-9*out, "row %d of the generator sums to %v, not 0", i+1, sum)
	}
}

// msrQueues are the queues of the needs at arrival rate 1, and the rate that the one
// carries that is overcome first.
func (p *Problem) msrQueues(needs []result.CapacityNeed, services []float64, s Schedules) (queues []modulated.Queue, limit float64, err error) {
	m := len(s.Jobs)
	g := mat.NewDense(m, m, nil)
	for i, row := range s.Generator {
		g.SetRow(i, row)
	}
	limit = math.Inf(1)
	for k, need := range needs {
		q := modulated.Queue{Service: services[k], Generator: g}
		for _, c := range p.Classes {
			if c.Need == need.Need {
				q.Arrival += c.Prob
			}
		}
		for _, jobs := range s.Jobs {
			q.Servers = append(q.Servers, jobs[k])
		}
		carries, err := q.Capacity()
		if err != nil {
			return nil, 0, err
		}
		queues, limit = append(queues, q), min(limit, carries/q.Arrival)
	}
	return queues, limit, nil
}

// msrMeans solves each queue and fills in the means.
func (p *Problem) msrMeans(ctx context.Context, r *result.Result, queues []modulated.Queue, needs []result.CapacityNeed) error {
	known := func(v float64) result.Estimate { return result.Exact(v, "exact") }
	classes := make([]estimate.Tally, len(r.Classes))
	jobs, busy, response := 0.0, 0.0, 0.0
	for k, q := range queues {
		q.Arrival *= r.Rate
		s, err := q.Solve(ctx)
		var away *mam.Unstable
		if errors.As(err, &away) { // next to the limit, by rounding
			r.Stable = false
			p.unstable(r)
			return nil
		} else if err != nil {
			return err
		}
		jobs, busy = jobs+s.Jobs, busy+s.Running*float64(needs[k].Need)
		for i := range r.Classes {
			if c := &r.Classes[i]; c.Need == needs[k].Need {
				classes[i] = solvedMeans(known, s.Jobs/q.Arrival-1/q.Service, s.Jobs/q.Arrival)
				response += c.Prob * (s.Jobs / q.Arrival)
			}
		}
		r.Run.Residual = max(r.Run.Residual, s.Residual)
	}
	all := solvedMeans(known, response-p.MeanService(), response)
	estimate.Fill(r, classes, &all, p.shares())
	s := float64(p.Servers)
	r.MeanJobs, r.Utilization, r.Idle, r.WastedHOL = known(jobs), known(busy/s), known(s-busy), result.Unknown()
	r.Jobs = result.Count{Factorial: []float64{jobs}}
	return nil
}
