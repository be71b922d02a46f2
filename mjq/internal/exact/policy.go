package exact

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/policychain"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// policies is for the policies of which there is a chain of counts.
var policies = &solver{
	needs: spec.Ordered, serves: spec.Serving | spec.Marked | spec.Dependent | spec.Batched, refuses: spec.Periodic | spec.Dropping | unlike,
	faults: func(f *check.Faults, s *spec.Spec) {
		q, in := problem.Compile(s), (*states.Arrivals)(nil)
		if s.Arrivals != nil && !s.Poisson() {
			if _, ok := arrival.AsMarkov(s.Arrivals); !ok {
				f.Add("arrivals %v: under policy %v only Poisson and Markovian arrivals are solved exactly, with gaps of phase type and rates that do not change by the hour; use mjq.Simulation{}", s.ArrivalName(), s.Policy)
			} else {
				states.NeverComes(f, q)
				in = states.ArrivalsOf(q)
			}
		}
		_, err := policychain.Of(q, 1, in)
		f.Join(err)
	},
	size: policySize,
	solve: func(ctx context.Context, w *work) (*Answer, error) {
		if !w.begin(ctx, "exact, "+w.Policy.String(), policychain.Source) {
			return nil, nil
		}
		q, err := policyQueue(w.Compiled(), w.Result.Rate)
		if err != nil {
			return nil, err
		}
		m, err := q.SolveWithin(ctx, policychain.Options{Bytes: w.how.Bytes()})
		if err != nil {
			return nil, err
		}
		a := policyAnswer(m, float64(w.Servers))
		a.then = w.firstLevel(waysOf(w.Spec))
		return a, nil
	},
}

// policySize is how large the chain under the policy is. One that has to be cut, and of
// which too many levels would have to be solved to see how they fall, is thought of as cut
// where a queue at this part of its limit has left a probability of 1e-12.
func policySize(ctx context.Context, w *work) (Size, error) {
	p := w.Problem
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
	q, err := policyQueue(p.Compiled(), load*st.Rate)
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

// policyQueue is the queue with arrivals of a rate.
func policyQueue(q *compiled.System, rate float64) (*policychain.Queue, error) {
	return policychain.Of(q, rate, states.ArrivalsOf(q))
}

// policyAnswer is the means.
func policyAnswer(m *policychain.Measures, servers float64) *Answer {
	a := &Answer{Error: func(float64) float64 { return m.Error }, Busy: m.Utilisation * servers, Wasted: math.NaN(), MeanJobs: m.Jobs,
		Jobs:     result.Count{Factorial: []float64{m.Jobs, m.JobsSquare - m.Jobs}, P: m.Levels, Decay: m.Decay},
		Residual: m.Residual, Notes: []string{fmt.Sprintf("There are means but no distributions: under this policy Exact solves a chain of %d states. Use mjq.Simulation{} for distributions.", m.States)}}
	for _, c := range m.Classes {
		a.Wait, a.Response = append(a.Wait, c.Wait), append(a.Response, c.Response)
		a.NoWait, a.AtOnce, a.Lost = append(a.NoWait, c.NoWait), append(a.AtOnce, c.AtOnce), append(a.Lost, c.Lost)
	}
	if m.Cut > 0 {
		a.Notes = append(a.Notes, cutNote(m))
	}
	return a
}

// cutNote says what is known of the error of a chain that is cut.
func cutNote(m *policychain.Measures) string {
	switch {
	case m.Proved <= m.Error:
		return fmt.Sprintf("No mean is off by more than %.1[2]g, by proof: the chain is truncated at %[1]d jobs.", m.Cut, m.Error)
	case math.IsInf(m.Proved, 1):
		return fmt.Sprintf("No mean should be off by more than %.1[2]g: the chain is truncated at %[1]d jobs, and comparing levels gives this bound without a proof. Compare with mjq.Simulation{}.", m.Cut, m.Error)
	}
	return fmt.Sprintf("No mean should be off by more than %.1[2]g, and none is by more than %.1[3]g, by proof: the chain is truncated at %[1]d jobs, and comparing levels gives the smaller bound.", m.Cut, m.Error, m.Proved)
}
