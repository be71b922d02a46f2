package exact

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
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

// msrFaults says why the queue under such a policy has no exact solution.
func msrFaults(f *check.Faults, s *spec.Spec, m policy.MSR) {
	p := problem.New(s)
	needs, _ := limit.CapacityKinds(s)
	msrServices(p, f, needs)
	if s.Arrivals != nil {
		f.That(p.Poisson(), "arrivals %v: with these policies only Poisson arrivals are solved", p.ArrivalName())
	}
	scheduleFaults(p, f, Schedules{m.Schedules, m.Generator}, len(needs))
}

// solveMSR solves the queue under a Markovian service rate policy.
func solveMSR(ctx context.Context, p *problem.Problem, m policy.MSR) (*result.Result, error) {
	const what = "Markovian service rates"
	s := Schedules{m.Schedules, m.Generator}
	var f check.Faults
	p.ArrivalFaults(&f)
	msrFaults(&f, p.Spec, m)
	if err := f.Err(what); err != nil {
		return nil, err
	}
	needs, _ := limit.CapacityKinds(p.Spec)
	rates := msrServices(p, &f, needs)
	started := time.Now()
	queues, carried, err := msrQueues(p, needs, rates, s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if p.Load != nil {
		p = p.WithArrivals(p.WithRate(*p.Load * carried))
	}
	r := &result.Result{Solver: "exact, MSR", Source: limit.MsrSource, Model: p.Headline(), Rate: p.Rate(), Level: 1, Stable: p.Rate() < carried,
		Limit: *limit.StabilityAt(p, carried, 0, "closed form", limit.MsrSource)}
	run.Outline(p, r)
	if !r.Stable {
		run.Unstable(p, r)
		return r, nil
	}
	if err := msrMeans(ctx, p, r, queues, needs); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	r.Run.Version, r.Run.Complete, r.Run.Elapsed = result.Version, true, time.Since(started)
	r.Notes = append(r.Notes, "There are means but no distributions; a wait is the response time less the service time, because the chain stops jobs. Use mjq.Simulation{} for distributions.")
	return r, nil
}

// msrServices are the rates of service by need, which must be one for each.
func msrServices(p *problem.Problem, f *check.Faults, needs []result.CapacityNeed) []float64 {
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

// scheduleFaults says what is wrong with schedules.
func scheduleFaults(p *problem.Problem, f *check.Faults, s Schedules, needs int) {
	f.That(len(s.Generator) == len(s.Jobs), "%d schedules and a generator of %d rows; give a row to each", len(s.Jobs), len(s.Generator))
	const most = 500
	f.That(len(s.Jobs) <= most, "%d schedules: at most %d are solved", len(s.Jobs), most)
	order, _ := limit.CapacityKinds(p.Spec)
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
func msrQueues(p *problem.Problem, needs []result.CapacityNeed, services []float64, s Schedules) (queues []modulated, carried float64, err error) {
	m := len(s.Jobs)
	g := mat.NewDense(m, m, nil)
	for i, row := range s.Generator {
		g.SetRow(i, row)
	}
	carried = math.Inf(1)
	for k, need := range needs {
		q := modulated{Service: services[k], Generator: g}
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
		queues, carried = append(queues, q), min(carried, carries/q.Arrival)
	}
	return queues, carried, nil
}

// msrMeans solves each queue and fills in the means.
func msrMeans(ctx context.Context, p *problem.Problem, r *result.Result, queues []modulated, needs []result.CapacityNeed) error {
	known := func(v float64) result.Estimate { return result.Exact(v, "exact") }
	classes := make([]estimate.Tally, len(r.Classes))
	jobs, busy, response := 0.0, 0.0, 0.0
	for k, q := range queues {
		q.Arrival *= r.Rate
		s, err := q.Solve(ctx)
		var away *mam.Unstable
		if errors.As(err, &away) { // next to the limit, by rounding
			r.Stable = false
			run.Unstable(p, r)
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
	estimate.Fill(r, classes, &all, p.Shares())
	s := float64(p.Servers)
	r.MeanJobs, r.Utilization, r.Idle, r.WastedHOL = known(jobs), known(busy/s), known(s-busy), result.Unknown()
	r.Jobs = result.Count{Factorial: []float64{jobs}}
	return nil
}
