package exact

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/law"
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

// serviceRates is for policies that go by a Markov chain of schedules.
var serviceRates = &solver{
	needs: spec.Ordered, serves: spec.Preempting, refuses: spec.Arriving | unlike | spec.Dropping,
	fits: func(s *spec.Spec) bool {
		_, ok := schedulesOf(s)
		return ok
	},
	faults: func(f *check.Faults, s *spec.Spec) {
		m, _ := schedulesOf(s)
		p := problem.New(s)
		needs, _ := limit.CapacityKinds(s)
		msrServices(p, f, needs)
		if s.Arrivals != nil {
			f.That(p.Poisson(), "arrivals %v: with these policies only Poisson arrivals are solved", p.ArrivalName())
		}
		scheduleFaults(p, f, m, len(needs))
	},
	size: func(_ context.Context, w *work) (Size, error) {
		m, _ := schedulesOf(w.Spec)
		n, most := len(m.Jobs), 0
		for _, jobs := range m.Jobs {
			most = max(most, slices.Max(jobs))
		}
		return Size{Phases: n, Levels: most, Bytes: 80 * float64(n*n+most*n*n), Flops: float64(len(m.Jobs[0])) * math.Pow(float64(n), 3) * float64(200+5*most)}, nil
	},
	solve: func(ctx context.Context, w *work) (*Answer, error) {
		if !w.begin(ctx, "exact, MSR", limit.MsrSource) {
			return nil, nil
		}
		needs, _ := limit.CapacityKinds(w.Spec)
		m, _ := schedulesOf(w.Spec)
		a := &Answer{Wasted: math.NaN(), Wait: make([]float64, len(w.Classes))}
		for k, q := range msrQueues(w.Problem, needs, m) {
			s, err := q.Solve(ctx)
			if err != nil {
				return nil, err
			}
			a.MeanJobs, a.Busy, a.Residual = a.MeanJobs+s.Jobs, a.Busy+s.Running*float64(needs[k].Need), max(a.Residual, s.Residual)
			for i, c := range w.Classes {
				if c.Need == needs[k].Need {
					a.Wait[i] = s.Jobs/q.Arrival - 1/q.Service
				}
			}
		}
		a.Jobs = result.Count{Factorial: []float64{a.MeanJobs}}
		a.Notes = []string{"There are means but no distributions; a wait is the response time less the service time, because the chain stops jobs. Use mjq.Simulation{} for distributions."}
		return a, nil
	},
}

// schedulesOf are the schedules of the policy; ok is false unless it goes by some.
func schedulesOf(s *spec.Spec) (m Schedules, ok bool) {
	of, ok := s.Policy.(policy.Switching)
	if ok {
		x := of.Switches()
		m = Schedules{x.Schedules, x.Generator}
	}
	return m, ok
}

// msrServices are the rates of service by need, which must be one for each.
func msrServices(p *problem.Problem, f *check.Faults, needs []result.CapacityNeed) []float64 {
	f.That(!p.Features().Has(spec.Unlike|spec.Placed), "these policies are for servers that are alike")
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

// msrQueues are the queues of the needs.
func msrQueues(p *problem.Problem, needs []result.CapacityNeed, s Schedules) (queues []modulated) {
	m := len(s.Jobs)
	g := mat.NewDense(m, m, nil)
	for i, row := range s.Generator {
		g.SetRow(i, row)
	}
	services := msrServices(p, new(check.Faults), needs)
	for k, need := range needs {
		q := modulated{Service: services[k], Generator: g}
		for _, c := range p.Classes {
			if c.Need == need.Need {
				q.Arrival += p.Rate() * c.Prob
			}
		}
		for _, jobs := range s.Jobs {
			q.Servers = append(q.Servers, jobs[k])
		}
		queues = append(queues, q)
	}
	return queues
}
