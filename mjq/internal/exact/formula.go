package exact

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/classic"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// fewPhases is the most phases of one server whose chain is preferred to the formula of M/G/1:
// it knows how many jobs there are, too.
const fewPhases = 60

// classicQueue is the queue as package classic has it; ok is false unless jobs are served in
// channels. Without arrivals it is that with Poisson arrivals.
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
	return q, ok
}

// classicForm is the formula for the queue; nil if there is none.
func classicForm(s *spec.Spec) (*classic.Form, *classic.Queue) {
	if s.NeverWaits() {
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

// formula is for queues of classic theory, which have a formula.
var formula = &solver{
	serves: spec.Arriving, fits: hasFormula,
	size: func(_ context.Context, w *work) (Size, error) {
		f, q := classicForm(w.Spec)
		q.Curves = !w.how.MomentsOnly
		z := Size{Phases: 1, Levels: 1}
		z.Bytes, z.Flops = f.Cost(q)
		return z, nil
	},
	solve: func(ctx context.Context, w *work) (*Answer, error) {
		f, q := classicForm(w.Spec)
		if !w.begin(ctx, "exact", f.Name+", "+f.Source) {
			return nil, nil
		}
		q.Curves = !w.how.MomentsOnly
		found, err := f.Solve(ctx, q)
		if err != nil {
			return nil, err
		}
		a := classicAnswer(w.Spec, q, found)
		a.Notes = append(a.Notes, fmt.Sprintf("The solution is the formula of %s. Source: %s.", f.Name, f.Source))
		if found.Without != nil {
			a.Notes = append(a.Notes, fmt.Sprintf("There are moments but no distributions: %v. Use mjq.Forward{} for distributions.", found.Without))
		}
		if found.Ends > 0 {
			a.Notes = append(a.Notes, fmt.Sprintf("Quantiles and probabilities of waits hold up to %.2g, which a wait exceeds with probability %.2g: the tail is too heavy to go on.", found.Ends, found.Waiting.Survival(found.Ends)))
		}
		return a, nil
	},
}

// classicAnswer is what a formula gives.
func classicAnswer(s *spec.Spec, q *classic.Queue, found *classic.Answer) *Answer {
	n := len(s.Classes)
	a := &Answer{By: "closed form", Wait: slices.Repeat([]float64{found.Mean}, n), Second: slices.Repeat([]float64{found.Second}, n),
		NoWait: slices.Repeat([]float64{found.NoWait}, n), Busy: s.Rate() * s.Work(), Wasted: wasted(s, q, found),
		Jobs: result.Count{Factorial: found.Jobs, P: found.Levels, Decay: found.Decay}, Line: result.Count{Factorial: found.Queue, Decay: found.Decay}}
	if len(found.Response) > 0 {
		a.curves = func(context.Context) (waiting, response []result.Curve, err error) {
			return slices.Repeat([]result.Curve{found.Waiting}, n), found.Response, nil
		}
	}
	return a
}

// wasted is the mean number of servers idle while jobs wait: those that fill no channel.
func wasted(s *spec.Spec, q *classic.Queue, a *classic.Answer) (sum float64) {
	if a.Alone == nil {
		return float64(s.Servers-q.Channels*s.Classes[0].Need) * a.Queued
	}
	for i, c := range s.Classes {
		sum += float64(s.Servers-c.Need) * (q.Rate*c.Prob*c.Service.Mean() - a.Alone[i])
	}
	return sum
}
