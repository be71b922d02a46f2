package exact

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/nodes"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// placedSource is where the answers for jobs on nodes come from.
const placedSource = "quasi-birth-and-death process of what is on the nodes, as multisets"

// placedFaults says why a queue on nodes is not solved exactly.
func placedFaults(f *check.Faults, s *spec.Spec) {
	if s.Arrivals != nil && !s.Poisson() {
		f.Add("arrivals %v on nodes: only Poisson arrivals are solved exactly; use mjq.Simulation{}", s.ArrivalName())
	}
	_, _, err := problem.SizedNodes(s, math.Inf(1))
	f.Join(err)
}

// placedSize is SizeOf for jobs on nodes: as if jobs could wait in every configuration, and as
// many configurations had each number of jobs.
func placedSize(_ context.Context, p *problem.Problem, o *asked) (Size, error) {
	if err := run.Check(o.Method, p, &o.Options); err != nil {
		return Size{}, err
	}
	_, n, err := problem.SizedNodes(p.Spec, math.Inf(1))
	if err != nil {
		return Size{}, err
	}
	z := Size{Phases: int(n.Configs), Levels: n.Jobs + 1, Bytes: 100 * n.Configs * n.Configs, Flops: 160 * math.Pow(n.Configs, 3)}
	for i := range z.Levels {
		upTo := n.Configs * float64(i+1) / float64(z.Levels)
		z.Bytes += 40 * upTo * upTo
		z.Flops += 5 * upTo * upTo * upTo
	}
	return z, nil
}

// solvePlaced solves the open queue on nodes.
func solvePlaced(ctx context.Context, p *problem.Problem, o *asked) (*result.Result, error) {
	size, err := placedSize(ctx, p, o)
	if err != nil {
		return nil, err
	}
	if most := o.Bytes(); size.Bytes > most {
		return nil, fmt.Errorf("Exact: the solution would have %v, more than the %.2g MB allowed; use MaxBytes, or mjq.Simulation{}", size, most/1e6)
	}
	x, err := run.Open(ctx, p, o.Method, &o.Options, 1)
	if err != nil {
		return nil, err
	}
	ok, err := x.Begin(ctx, "exact", placedSource)
	if !ok {
		return x.Result, err
	}
	x.Started = time.Now()
	s, err := problem.NodeSystem(x.Spec)
	if err != nil {
		return nil, fmt.Errorf("Exact: %w", err)
	}
	var report func(float64)
	if all := o.Throttled(); all != nil {
		report = func(part float64) { all(part, 1) }
	}
	m, err := s.Queue(ctx, x.Result.Rate, o.Bytes(), report)
	if err != nil {
		return notSolved(x, err)
	}
	setPlaced(x, m)
	x.Finish(true)
	return x.Result, nil
}

// setPlaced fills in what the chain tells.
func setPlaced(x *run.Run, m *nodes.Measures) {
	r := x.Result
	known := func(v float64) result.Estimate { return result.Exact(v, "exact") }
	var classes []estimate.Tally
	var first, second, response2, atOnce, scattered float64
	for i, c := range x.Classes {
		mean, square := m.Wait(i)
		service, variance := c.Service.Mean(), c.Service.Variance()
		t := solved(known, mean, square-mean*mean, mean+service, square-mean*mean+variance)
		t.NoWait, t.Scattered = known(m.AtOnce[i]), known(m.Scattered[i])
		classes = append(classes, t)
		first += c.Prob * mean
		second += c.Prob * square
		response2 += c.Prob * (square - mean*mean + variance + (mean+service)*(mean+service))
		atOnce += c.Prob * m.AtOnce[i]
		scattered += c.Prob * m.Scattered[i]
	}
	response := first + x.MeanService()
	all := solved(known, first, second-first*first, response, response2-response*response)
	all.NoWait, all.Scattered = known(atOnce), known(scattered)
	estimate.Fill(r, classes, &all, x.Shares())
	units := float64(x.Servers)
	r.Fragmentation = m.Fragmentation()
	r.WastedHOL, r.Idle, r.Utilization = known(m.Wasted), known(units-m.Busy), known(m.Busy/units)
	r.MeanJobs = known(m.Mean)
	r.Jobs = result.Count{Factorial: []float64{m.Mean, m.Square}, P: m.Jobs, Decay: m.Decay}
	r.Notes = append(r.Notes, fmt.Sprintf("There are means and variances but no distributions: on nodes Exact solves a chain with %d configurations while jobs wait. Use mjq.Simulation{} for distributions.", m.States))
}
