package playground

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// Measure is a number with a name and the half-width of its interval, 0 where it is exact.
type Measure struct {
	Name  string `json:"name"`
	Value Number `json:"value"`
	Half  Number `json:"half"`
}

// listed are the measures that are known, in their order.
func listed(names []string, values ...result.Estimate) (list []Measure) {
	for i, e := range values {
		if e.Known() {
			list = append(list, Measure{names[i], Number(e.Value), Number(e.HalfWidth)})
		}
	}
	return list
}

// more are the measures of a class that has what the page adds.
func more(c *result.ClassResult) []Measure {
	lost := c.Lost
	if !c.Interruptions.Known() {
		lost = result.Estimate{Value: math.NaN()} // by preemption
	}
	return listed([]string{"failures a job", "lost a job", "ETTR", "mean size", "resizes a job", "stretch", "users thinking"},
		c.Interruptions, lost, c.ETTR, c.Size, c.Resizes, c.Stretch, c.Thinking)
}

// whole are the measures of the servers.
func whole(r *result.Result) []Measure {
	goodput := r.Goodput
	if !r.Up.Known() {
		goodput = result.Estimate{Value: math.NaN()} // jobs are turned away or leave, which their shares say
	}
	list := listed([]string{"servers up", "busy with jobs that are served", "on", "in setup"}, r.Up, goodput, r.Energy.On, r.Energy.Setup)
	if on, setup := r.Energy.On, r.Energy.Setup; on.Known() && setup.Known() {
		list = append(list, Measure{"asleep", Number(servers(r) - on.Value - setup.Value), Number(on.HalfWidth + setup.HalfWidth)})
	}
	return list
}

// opening is the first answer of a queue with servers that fail or sleep, jobs that stretch or users: its
// limit where that is known at once.
func (s *Setting) opening(ctx context.Context, m mjq.Model) Answer {
	per := s.per()
	a := Answer{Rate: Number(m.Rate()), Ideal: Number(m.IdealRate()), Limit: Number(math.NaN()), Stable: true}
	if s.sent() {
		a.Verdict = "Stable whatever the users do, because they wait for their jobs."
		return a
	}
	if m.Spec().HasUsers() && m.Spec().FirstCome() {
		if a, known := a.bounded(ctx, m, per); known {
			a.Verdict += " That is without the jobs of users, who wait and send fewer."
			return a
		}
	}
	a.Stable = m.OfferedLoad() < 1
	a.Verdict = fmt.Sprintf("%.4g jobs %s arrive; servers that are always up and on could take %.4g at most. If the queue can take fewer than arrive, these waits grow with the length of the run.", m.Rate(), per, m.IdealRate())
	if !a.Stable {
		a.Verdict = fmt.Sprintf("Unstable: %.4g jobs %s arrive, and the servers could take %.4g at most.", m.Rate(), per, m.IdealRate())
	}
	return a
}

// bounded is the answer with the limit, if that is known without a simulation.
func (a Answer) bounded(ctx context.Context, m mjq.Model, per string) (Answer, bool) {
	st, err := m.Stability(ctx, mjq.Exact{})
	if err != nil || !(st.Rate > 0) || math.IsInf(st.Rate, 1) {
		return a, false
	}
	b := judged(m, st, per)
	a.Verdict, a.Limit, a.Stable = b.Verdict, b.Limit, b.Stable
	return a, true
}

// beyond adds the waits of such a queue: those of a short run at once, which have distributions, then the
// limit and exact means where a chain has them in a second or two, or longer runs.
func (a Answer) beyond(ctx context.Context, m mjq.Model, s *Setting, tell func(Answer)) {
	const short, long = 2_000, 100_000
	var exact *result.Result
	for _, jobs := range []int{short, 20_000, long} {
		r, err := m.Solve(ctx, mjq.Simulation{Jobs: jobs/8 + 500, Replications: 8}, mjq.Seed(s.Seed+1))
		if err == nil {
			a = a.with(r)
		}
		if jobs == short {
			if err == nil {
				tell(a)
			}
			if exact = exactly(ctx, m); exact != nil && !m.Spec().HasUsers() {
				a, _ = a.bounded(ctx, m, s.per())
			}
		}
		switch {
		case err != nil && exact == nil:
			a.Error, a.Done = plain(err), true
		case err != nil:
			a = a.with(exact)
			a.Done = true
		case exact != nil && jobs > short:
			a = a.exactMeans(exact)
			a.Sampled, a.Done = true, true
		default:
			a.Done = jobs == long || !a.Stable
		}
		if jobs > short || a.Done {
			tell(a)
		}
		if a.Done {
			return
		}
	}
}

// exactly is the exact result where a browser has it at once; nil elsewhere.
func exactly(ctx context.Context, m mjq.Model) *result.Result {
	if m.Spec().HasUsers() && !sentBy(m.Spec().Classes) {
		return nil // how far a chain has to be cut takes long to find
	}
	if size, err := (mjq.Exact{}).Size(m); err != nil || size.Cut != 0 || !(size.Flops < quickFlops) {
		return nil
	}
	r, err := m.Solve(ctx, mjq.Exact{})
	if err != nil {
		return nil
	}
	return r
}
