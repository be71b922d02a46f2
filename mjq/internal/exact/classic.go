package exact

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/classic"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// fewPhases is the most phases of one server whose chain is preferred to the formula of M/G/1:
// it knows how many jobs there are, too.
const fewPhases = 60

// classicQueue is the queue as package classic has it; ok is false unless jobs are served first
// come first served in channels. Without arrivals it is that with Poisson arrivals.
func classicQueue(s *spec.Spec) (q *classic.Queue, ok bool) {
	channels, ok := s.Channels()
	if limit := float64(channels) / s.MeanService(); s.Load != nil {
		s = s.WithRate(*s.Load * limit)
	} else if s.Arrivals == nil {
		s = s.WithRate(limit / 2)
	}
	q = &classic.Queue{Channels: channels, Rate: s.Rate(), Poisson: s.Poisson(), Curves: true}
	q.Gap, _ = s.Gap()
	for _, c := range s.Classes {
		q.Services, q.Shares = append(q.Services, c.Service), append(q.Shares, c.Prob)
	}
	return q, ok && s.FirstCome() && !s.Turns()
}

// classicForm is the formula for the queue; nil if there is none.
func classicForm(s *spec.Spec) (*classic.Form, *classic.Queue) {
	if s.NeverWaits() && !s.Turns() {
		q, _ := classicQueue(s)
		return classic.Still, q
	}
	q, ok := classicQueue(s)
	if !ok {
		return nil, nil
	}
	f := classic.Of(q)
	if f == nil || f.Name == "M/G/1" && phasesOf(s) <= fewPhases {
		return nil, nil
	}
	return f, q
}

// hasFormula reports whether a formula solves the queue.
func hasFormula(s *spec.Spec) bool {
	f, _ := classicForm(s)
	return f != nil
}

// phasesOf is how many phases the service times have; infinitely many unless all have.
func phasesOf(s *spec.Spec) (sum float64) {
	for _, c := range s.Classes {
		n, ok := law.PhaseCount(c.Service)
		if !ok || c.Service.Survival(0) < 1 {
			return math.Inf(1)
		}
		sum += float64(n)
	}
	return sum
}

// classicSize is SizeOf of a formula.
func classicSize(_ context.Context, p *problem.Problem, o *asked) (Size, error) {
	if err := classicFaults(p, o); err != nil {
		return Size{}, err
	}
	f, q := classicForm(p.Spec)
	q.Curves = !o.MomentsOnly
	z := Size{Phases: 1, Levels: 1}
	z.Bytes, z.Flops = f.Cost(q)
	return z, nil
}

// classicFaults says what is wrong with the query.
func classicFaults(p *problem.Problem, o *asked) error {
	var f check.Faults
	o.Check(&f)
	run.Settings(&f, o.Method)
	p.ArrivalFaults(&f)
	p.PolicyFaults(&f)
	f.Asked(o.Bytes() > 0, "MaxBytes %v: give a positive number of bytes", o.Bytes())
	return f.Err("Exact")
}

// solveClassic answers by a formula.
func solveClassic(ctx context.Context, p *problem.Problem, o *asked) (*result.Result, error) {
	if err := classicFaults(p, o); err != nil {
		return nil, err
	}
	x, err := run.Open(ctx, p, o.Method, &o.Options, 1)
	if err != nil {
		return nil, err
	}
	f, q := classicForm(x.Spec)
	if f == nil { // only a rate keeps it from fitting
		return solvePhases(ctx, x.Problem, o)
	}
	ok, err := x.Begin(ctx, "exact", f.Name+", "+f.Source)
	if !ok {
		return x.Result, err
	}
	x.Started = time.Now()
	q.Curves = !o.MomentsOnly
	a, err := f.Solve(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("Exact: %w", err)
	}
	setClassic(x, q, a)
	r := x.Result
	r.Notes = append(r.Notes, fmt.Sprintf("The solution is the formula of %s. Source: %s.", f.Name, f.Source))
	if a.Without != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("There are moments but no distributions: %v. Use mjq.Forward{} for distributions.", a.Without))
	}
	if a.Ends > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("Quantiles and probabilities of waits hold up to %.2g, which a wait exceeds with probability %.2g: the tail is too heavy to go on.", a.Ends, a.Waiting.Survival(a.Ends)))
	}
	x.Finish(true)
	return r, nil
}

// setClassic fills in what a formula gives.
func setClassic(x *run.Run, q *classic.Queue, a *classic.Answer) {
	r := x.Result
	known := func(v float64) result.Estimate { return result.Exact(v, "closed form") }
	variance := spread(a.Mean, a.Second)
	var classes []estimate.Tally
	response2 := 0.0
	for _, c := range x.Classes {
		mean, service := c.Service.Mean(), c.Service.Variance()
		t := solved(known, a.Mean, variance, a.Mean+mean, variance+service)
		t.NoWait = known(a.NoWait)
		classes = append(classes, t)
		response2 += c.Prob * (variance + service + (a.Mean+mean)*(a.Mean+mean))
	}
	response := a.Mean + x.MeanService()
	all := solved(known, a.Mean, variance, response, spread(response, response2))
	all.NoWait = known(a.NoWait)
	estimate.Fill(r, classes, &all, x.Shares())
	s, busy := float64(x.Servers), r.Rate*x.Work()
	r.Utilization, r.Idle = known(busy/s), known(s-busy)
	r.WastedHOL = known(wasted(x, q, a))
	r.MeanJobs = known(r.Rate * response)
	r.Jobs = result.Count{Factorial: a.Jobs, P: a.Levels, Decay: a.Decay}
	r.Queue = result.Count{Factorial: a.Queue, Decay: a.Decay}
	if len(a.Response) == 0 {
		return
	}
	for i := range r.Classes {
		r.Classes[i].Waiting.Curve, r.Classes[i].Response.Curve = a.Waiting, a.Response[i]
	}
	r.All.Waiting.Curve, r.All.Response.Curve = a.Waiting, result.MixCurves(a.Response, x.Shares())
}

// spread is a variance from two moments, which may be infinite.
func spread(mean, second float64) float64 {
	if math.IsInf(second, 1) {
		return second
	}
	return second - mean*mean
}

// wasted is the mean number of servers idle while jobs wait: those that fill no channel.
func wasted(x *run.Run, q *classic.Queue, a *classic.Answer) (sum float64) {
	if a.Alone == nil {
		return float64(x.Servers-q.Channels*x.Classes[0].Need) * a.Queued
	}
	for i, c := range x.Classes {
		sum += float64(x.Servers-c.Need) * (q.Rate*c.Prob*c.Service.Mean() - a.Alone[i])
	}
	return sum
}
