package exact

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/deferred"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// policyArrivals are the arrivals by their matrices; nil if they are Poisson.
func policyArrivals(s *spec.Spec) *states.Arrivals {
	if s.Arrivals == nil || s.Poisson() {
		return nil
	}
	a := problem.Matrices(s)
	return &a
}

// policyExactFaults says why the queue under its policy is not solved exactly.
func policyExactFaults(f *check.Faults, s *spec.Spec) {
	if m, ok := s.Policy.(policy.Switching); ok {
		msrFaults(f, s, m.Switches())
		return
	}
	var in *states.Arrivals
	if s.Arrivals != nil && !s.Poisson() {
		if _, ok := arrival.AsMarkov(s.Arrivals); !ok {
			f.Add("arrivals %v: under policy %v only Poisson and Markovian arrivals are solved exactly, with gaps of phase type and rates that do not change by the hour; use mjq.Simulation{}", s.ArrivalName(), s.Policy)
		} else {
			problem.NeverComes(f, s)
			in = policyArrivals(s)
		}
	}
	_, err := problem.ArrivingQueue(s, 1, in)
	levelFaults(f, err, s)
}

// policySize is how large the chain under the policy is. One that has to be cut, and of
// which too many levels would have to be solved to see how they fall, is thought of as cut
// where a queue at this part of its limit has left a probability of 1e-12.
func policySize(ctx context.Context, p *problem.Problem, o *asked) (Size, error) {
	var f check.Faults
	o.Check(&f)
	p.ArrivalFaults(&f)
	p.PolicyFaults(&f)
	f.Join(run.Fits(o.Method, p.Spec)...)
	if err := f.Err("Exact"); err != nil {
		return Size{}, err
	}
	if x, ok := p.Policy.(policy.Switching); ok {
		m := x.Switches()
		n, most := len(m.Schedules), 0
		for _, jobs := range m.Schedules {
			most = max(most, slices.Max(jobs))
		}
		return Size{Phases: n, Levels: most, Bytes: 80 * float64(n*n+most*n*n), Flops: float64(len(m.Schedules[0])) * math.Pow(float64(n), 3) * float64(200+5*most)}, nil
	}
	if waysOf(p.Spec).closed {
		return Size{Phases: 1, Bytes: 1000, Flops: 1000}, nil
	}
	st, err := limit.Bound(ctx, p, nil)
	if err != nil {
		return Size{}, err
	}
	load := 0.9
	switch {
	case p.Load != nil:
		load = *p.Load
	case p.Arrivals != nil:
		load = p.Rate() / st.Rate
	}
	if p.Load != nil && p.Arrivals != nil {
		p = p.WithArrivals(p.WithRate(load * st.Rate))
	}
	q, err := problem.ArrivingQueue(p.Spec, load*st.Rate, policyArrivals(p.Spec))
	if err != nil {
		return Size{}, err
	}
	jobs := 10_000.
	if load < 1 {
		jobs = min(jobs, 28/-math.Log(load))
	}
	z, err := q.Size(ctx, int(jobs)+p.Servers)
	if err != nil {
		return Size{}, fmt.Errorf("Exact: %w", err)
	}
	return Size{Phases: int(check.Whole(z.States, 0, 1<<62)), Levels: z.Levels, Cut: z.Cut, Bytes: z.Bytes, Flops: z.Flops}, nil
}

// solvePolicy solves the open queue under its policy.
func solvePolicy(ctx context.Context, p *problem.Problem, o *asked) (*result.Result, error) {
	if err := run.Check(o.Method, p, &o.Options); err != nil {
		return nil, err
	}
	if m, ok := p.Policy.(policy.Switching); ok {
		return solveMSR(ctx, p, m.Switches())
	}
	if r, err := solveLevels(ctx, p, o); r != nil || err != nil {
		return r, err
	}
	x, err := run.Open(ctx, p, o.Method, &o.Options, 1)
	if err != nil {
		return nil, err
	}
	ok, err := x.Begin(ctx, "exact, "+p.Policy.String(), problem.PolicySource)
	if !ok {
		return x.Result, err
	}
	x.Started = time.Now()
	q, err := problem.ArrivingQueue(x.Spec, x.Result.Rate, policyArrivals(x.Spec))
	if err != nil {
		return nil, fmt.Errorf("Exact: %w", err)
	}
	m, err := q.SolveWithin(ctx, deferred.Options{Bytes: o.Bytes()})
	var unstable *mam.Unstable
	if errors.As(err, &unstable) {
		x.Result.Stable = false
		run.Unstable(x.Problem, x.Result)
		return x.Result, nil
	} else if err != nil {
		return nil, fmt.Errorf("Exact: %w", err)
	}
	setMeasures(x, m)
	if err := firstLevel(ctx, x, o, waysOf(x.Spec)); err != nil {
		return nil, err
	}
	x.Finish(true)
	return x.Result, nil
}

// setMeasures fills in the means.
func setMeasures(x *run.Run, m *deferred.Measures) {
	r := x.Result
	known := func(v float64) result.Estimate {
		e := result.Exact(v, "exact")
		e.HalfWidth = m.Error
		return e
	}
	all := solvedMeans(known, m.Wait, m.Response)
	var classes []estimate.Tally
	atOnce := 0.0 // of all jobs; NaN unless it is known of every class
	for i, c := range m.Classes {
		t := solvedMeans(known, c.Wait, c.Response)
		t.NoWait, t.AtOnce = known(c.NoWait), known(c.AtOnce)
		classes = append(classes, t)
		atOnce += x.Classes[i].Prob * c.NoWait
	}
	all.NoWait = known(atOnce)
	estimate.Fill(r, classes, &all, x.Shares())
	s := float64(x.Servers)
	r.Utilization, r.Idle = known(m.Utilisation), known(s*(1-m.Utilisation))
	r.WastedHOL = result.Unknown()
	r.MeanJobs = known(m.Jobs)
	r.Jobs = result.Count{Factorial: []float64{m.Jobs, m.JobsSquare - m.Jobs}, P: m.Levels, Decay: m.Decay}
	r.Run.Residual = m.Residual
	r.Notes = append(r.Notes, fmt.Sprintf("There are means but no distributions: under this policy Exact solves a chain of %d states. Use mjq.Simulation{} for distributions.", m.States))
	if m.Cut > 0 {
		r.Notes = append(r.Notes, cutNote(m))
	}
}

// cutNote says what is known of the error of a chain that is cut.
func cutNote(m *deferred.Measures) string {
	switch {
	case m.Proved <= m.Error:
		return fmt.Sprintf("No mean is off by more than %.1[2]g, by proof: the chain is truncated at %[1]d jobs.", m.Cut, m.Error)
	case math.IsInf(m.Proved, 1):
		return fmt.Sprintf("No mean should be off by more than %.1[2]g: the chain is truncated at %[1]d jobs, and comparing levels gives this bound without a proof. Compare with mjq.Simulation{}.", m.Cut, m.Error)
	}
	return fmt.Sprintf("No mean should be off by more than %.1[2]g, and none is by more than %.1[3]g, by proof: the chain is truncated at %[1]d jobs, and comparing levels gives the smaller bound.", m.Cut, m.Error, m.Proved)
}
