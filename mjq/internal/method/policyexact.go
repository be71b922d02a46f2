package method

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
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Under other policies than first come first served queues are solved by deferred
// revelation; see package deferred for which, and up to which size.

// policySource is where the exact values of such policies come from.
const policySource = "deferred revelation: the class of a job is drawn when the policy first looks at it"

// policyQueue is the queue with Poisson arrivals as package deferred sees it. The error
// says what keeps it from being solved.
func policyQueue(s *spec.Spec, rate float64) (*deferred.Queue, error) {
	return arrivingQueue(s, rate, nil)
}

// arrivingQueue is that with arrivals of that rate; nil if they are Poisson.
func arrivingQueue(s *spec.Spec, rate float64, in *states.Arrivals) (*deferred.Queue, error) {
	phases, err := phaseSystem(s)
	if err != nil {
		return nil, err
	}
	return deferred.NewWith(deferred.System{Servers: s.Servers, Rate: rate, Classes: phases.Classes}, in, s.Policy)
}

// policyArrivals are the arrivals by their matrices; nil if they are Poisson.
func policyArrivals(s *spec.Spec) *states.Arrivals {
	if s.Arrivals == nil || s.Poisson() {
		return nil
	}
	a := matrices(s)
	return &a
}

// policyExactFaults says why the queue under its policy is not solved exactly.
func policyExactFaults(f *check.Faults, s *spec.Spec) {
	if m, ok := s.Policy.(policy.MSR); ok {
		msrFaults(f, s, m)
		return
	}
	var in *states.Arrivals
	if s.Arrivals != nil && !s.Poisson() {
		if _, ok := arrival.AsMarkov(s.Arrivals); !ok {
			f.Add("arrivals %v: under policy %v only Poisson and Markovian arrivals are solved exactly, with gaps of phase type and rates that do not change by the hour; use mjq.Simulation{}", s.ArrivalName(), s.Policy)
		} else {
			neverComes(f, s)
			in = policyArrivals(s)
		}
	}
	_, err := arrivingQueue(s, 1, in)
	f.Join(err)
}

// policySize is how large the chain under the policy is. One that has to be cut, and of
// which too many levels would have to be solved to see how they fall, is thought of as cut
// where a queue at this part of its limit has left a probability of 1e-12.
func policySize(ctx context.Context, p *Problem, o *Options) (ExactSize, error) {
	var f check.Faults
	o.faults(&f)
	p.ArrivalFaults(&f)
	p.PolicyFaults(&f)
	Exact.suits(&f, p.Spec)
	if err := f.Err("exact"); err != nil {
		return ExactSize{}, err
	}
	if m, ok := p.Policy.(policy.MSR); ok {
		n, most := len(m.Schedules), 0
		for _, jobs := range m.Schedules {
			most = max(most, slices.Max(jobs))
		}
		return ExactSize{Phases: n, Levels: most, Bytes: 80 * float64(n*n+most*n*n), Flops: float64(len(m.Schedules[0])) * math.Pow(float64(n), 3) * float64(200+5*most)}, nil
	}
	st, err := p.Bound(ctx, nil)
	if err != nil {
		return ExactSize{}, err
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
	q, err := arrivingQueue(p.Spec, load*st.Rate, policyArrivals(p.Spec))
	if err != nil {
		return ExactSize{}, err
	}
	jobs := 10_000.
	if load < 1 {
		jobs = min(jobs, 28/-math.Log(load))
	}
	z, err := q.Size(ctx, int(jobs)+p.Servers)
	if err != nil {
		return ExactSize{}, fmt.Errorf("exact: %w", err)
	}
	return ExactSize{Phases: int(min(z.States, 1<<62)), Levels: z.Levels, Cut: z.Cut, Bytes: z.Bytes, Flops: z.Flops}, nil
}

// solvePolicy solves the open queue under its policy.
func solvePolicy(ctx context.Context, p *Problem, o *Options) (*result.Result, error) {
	if err := Exact.check(p, o); err != nil {
		return nil, err
	}
	if m, ok := p.Policy.(policy.MSR); ok {
		return p.msr(ctx, m)
	}
	x, err := openRun(ctx, p, o, 1)
	if err != nil {
		return nil, err
	}
	ok, err := x.begin(ctx, "exact, "+p.Policy.String(), policySource)
	if !ok {
		return x.r, err
	}
	x.started = time.Now()
	q, err := arrivingQueue(x.Spec, x.r.Rate, policyArrivals(x.Spec))
	if err != nil {
		return nil, fmt.Errorf("exact: %w", err)
	}
	m, err := q.SolveWithin(ctx, deferred.Options{Bytes: o.float(MaxBytes, exactBytes)})
	var unstable *mam.Unstable
	if errors.As(err, &unstable) {
		x.r.Stable = false
		x.unstable(x.r)
		return x.r, nil
	} else if err != nil {
		return nil, fmt.Errorf("exact: %w", err)
	}
	x.setMeasures(m)
	x.finish(true)
	return x.r, nil
}

// setMeasures fills in the means.
func (x *run) setMeasures(m *deferred.Measures) {
	r := x.r
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
		t.NoWait = known(c.NoWait)
		classes = append(classes, t)
		atOnce += x.Classes[i].Prob * c.NoWait
	}
	all.NoWait = known(atOnce)
	estimate.Fill(r, classes, &all, x.shares())
	s := float64(x.Servers)
	r.Utilization, r.Idle = known(m.Utilisation), known(s*(1-m.Utilisation))
	r.WastedHOL = result.Unknown()
	r.MeanJobs = known(m.Jobs)
	r.Jobs = result.Count{Factorial: []float64{m.Jobs, m.JobsSquare - m.Jobs}, P: m.Levels, Decay: m.Decay}
	r.Run.Residual = m.Residual
	r.Notes = append(r.Notes, fmt.Sprintf("Means only, from a chain of %d states; for distributions use mjq.Simulation{}.", m.States))
	if m.Cut > 0 {
		r.Notes = append(r.Notes, cutNote(m))
	}
}

// cutNote says what is known of the error of a chain that is cut.
func cutNote(m *deferred.Measures) string {
	switch {
	case m.Proved <= m.Error:
		return fmt.Sprintf("The chain is cut at %d jobs. Error bound proved: no mean is off by more than %.1g.", m.Cut, m.Error)
	case math.IsInf(m.Proved, 1):
		return fmt.Sprintf("The chain is cut at %d jobs. Error bound by comparison of cuts, not proved: that no mean is off by more than %.1g follows from how they change as the cut grows.", m.Cut, m.Error)
	}
	return fmt.Sprintf("The chain is cut at %d jobs. Error bound by comparison of cuts: that no mean is off by more than %.1g follows from how they change as the cut grows; proved is that none is by more than %.1g.", m.Cut, m.Error, m.Proved)
}
