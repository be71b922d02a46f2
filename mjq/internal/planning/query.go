package planning

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
	"github.com/mjqueue/mjq/mjq/result"
)

// Query is what is sought. Options has seed, workers and progress.
type Query struct {
	Problem *problem.Problem
	Targets []Target
	Asked   run.Method // nil: exact where that is quick, else ever longer runs
	Options problem.Options
	Seed    uint64
	Level   float64
	MaxJobs int64   // of a look; 0: usualJobs
	RelErr  float64 // of the largest rate
	Costs   Costs
	Costed  bool // costs are sought, whatever the targets

	Sought Border
	Class  string             // whose need is sought
	Prices map[string]float64 // of a unit of each type of resource, for the cheapest mix
}

// Border is what is sought.
type Border int

// The borders; the fewest servers by default.
const (
	Servers Border = iota
	Rate
	Need
	Mix
)

// Find finds what is sought. When ctx ends it returns what has been looked at, along with
// the error of the context.
func Find(ctx context.Context, q Query) (*result.Sizing, error) {
	return cache.Answer(q.question, q.Options.Fresh,
		func(s *result.Sizing, at time.Time) { s.Remembered = at },
		func(*result.Sizing) bool { return true },
		func() (*result.Sizing, error) { return q.find(ctx) })
}

func (q *Query) find(ctx context.Context) (*result.Sizing, error) {
	switch q.Sought {
	case Rate:
		return LargestRate(ctx, *q)
	case Need:
		return LargestNeed(ctx, *q, q.Class)
	case Mix:
		return CheapestMix(ctx, *q, q.Prices)
	}
	return FewestServers(ctx, *q)
}

// question is the whole of what is asked.
func (q *Query) question() *cache.Question {
	prices, err := json.Marshal(q.Prices)
	x := q.Problem.Question("sizing", &q.Options, q.Asked).Text(nameOf(q.Asked)).Numbers(uint64(q.Sought)).Text(q.Class).Written(prices, err).
		Numbers(q.Seed, uint64(q.MaxJobs)).Reals(q.Level, q.RelErr, q.Costs.Server, q.Costs.Wait, q.Costs.Energy)
	for _, t := range q.Targets {
		x.Numbers(uint64(t.Kind)).Text(t.Class).Reals(t.At, t.Bound)
	}
	return x
}

func (q *Query) maxJobs() int64 {
	if q.MaxJobs > 0 {
		return q.MaxJobs
	}
	return usualJobs
}

// threshold is that of the slowdowns asked about, or 0.
func (q *Query) threshold() float64 {
	for _, t := range q.Targets {
		if t.Kind == Slowdown {
			return t.At
		}
	}
	return 0
}

// Faults are all that is wrong with the query whatever it seeks.
func (q *Query) Faults(f *check.Faults) {
	q.Options.Check(f)
	p := q.Problem
	p.ArrivalFaults(f)
	p.PolicyFaults(f)
	f.That(len(q.Targets) > 0 || q.Costed, "no goal: give one, as MeanWait(0.25)")
	threshold := q.threshold()
	for _, t := range q.Targets {
		t.faults(f, p.Spec)
		f.That(t.Kind != Slowdown || t.At == threshold, "MeanSlowdown(%v, %v): another slowdown has the threshold %v; one run has one", t.At, t.Bound, threshold)
	}
	f.That(q.Asked == nil || threshold == 0 || is[simulation.Method](q.Asked), "MeanSlowdown: only Simulation measures slowdowns; leave the method out, or give it that")
	q.Costs.faults(f, q.Costed)
	f.That(q.Costs.Energy == 0 || p.Watts != nil, "%v: the power of a server is not known; add Watts to the model, or leave the price of energy out", q.Costs)
	q.dropFaults(f)
}

// Costs are what a server costs in a unit of time, and a job in a unit of time that it
// waits, and what an amount of energy costs.
type Costs struct{ Server, Wait, Energy float64 }

// String is the costs as they are given.
func (c Costs) String() string {
	if c.Energy == 0 {
		return fmt.Sprintf("Costs{%v, %v}", c.Server, c.Wait)
	}
	return fmt.Sprintf("Costs{%v, %v, %v}", c.Server, c.Wait, c.Energy)
}

func (c Costs) faults(f *check.Faults, given bool) {
	if given {
		f.Asked(c.Server > 0 && c.Wait >= 0 && !math.IsInf(c.Server, 1) && !math.IsInf(c.Wait, 1),
			"%v: a server must cost something and waiting must not pay; both finite", c)
		f.Asked(c.Energy >= 0 && !math.IsInf(c.Energy, 1), "%v: energy must not pay, and its price must be finite", c)
	}
}

// of is the cost in a unit of time, λ E[W] jobs waiting on average, those that give up among them.
func (c Costs) of(servers int, r *result.Result) result.Estimate {
	if c == (Costs{}) {
		return result.Unknown()
	}
	e := r.All.Waiting.Mean
	if all := r.All.Arriving.MeanWait; all.Known() {
		e = all
	}
	e.Value = c.Server*float64(servers) + c.Wait*r.Rate*e.Value
	e.HalfWidth *= c.Wait * r.Rate
	if c.Energy > 0 && r.Stable {
		e.Value += c.Energy * r.Energy.Power.Value
		e.HalfWidth += c.Energy * r.Energy.Power.HalfWidth
	}
	return e
}

// open checks the query, sets the rate of a model at a load, and begins the result.
func (q *Query) open(what string, f *check.Faults) (*looker, error) {
	q.Faults(f)
	if err := f.Err(""); err != nil {
		return nil, err
	}
	q.Options = q.Options.Unbounded() // the budget and the precision are of the search
	s := &result.Sizing{What: what, Model: q.Problem.Headline(), Level: q.Level, Best: math.NaN(), Meets: math.NaN(), Misses: math.NaN()}
	for _, t := range q.Targets {
		s.Targets, s.Times = append(s.Targets, t.in(q.Problem.Unit)), append(s.Times, t.time())
	}
	return &looker{q: q, found: s, notes: map[float64][]string{}}, nil
}

// close sets what is known on both sides, and the answer. more says that larger values
// meet the targets.
func (l *looker) close(more bool) *result.Sizing {
	s := l.found
	for _, p := range s.Points {
		better := func(than float64) bool { return math.IsNaN(than) || (p.Value < than) == more }
		if p.Verdict.OK() && better(s.Best) {
			s.Best = p.Value
		}
		if p.Verdict == result.Meets && better(s.Meets) {
			s.Meets = p.Value
		}
		if p.Verdict == result.Misses && (math.IsNaN(s.Misses) || (p.Value > s.Misses) == more) {
			s.Misses = p.Value
		}
	}
	return s
}

// undecided notes why the answer is not sure, after what its own run had to say.
func (l *looker) undecided() {
	s := l.found
	s.Notes = append(l.notes[s.Best], s.Notes...)
	if s.Confirmed || math.IsNaN(s.Best) {
		return
	}
	longer := "Raise MaxJobs to decide it."
	after := fmt.Sprintf(" after %.3g jobs", float64(l.q.maxJobs()))
	if l.q.Asked != nil {
		after, longer = "", "Lengthen the run of the method that you gave, or leave the method out."
	}
	if t, e, unseen := l.unseen(); unseen {
		l.note(fmt.Sprintf("Not confirmed: the run of the answer met no job against %v, which shows no more than a share of %.2g with its part of the error probability. A longer run, or mjq.Exact{} where it fits, may give another answer. %s", t.call(), e.HalfWidth, longer))
		return
	}
	l.note(fmt.Sprintf("Not confirmed: a neighbouring candidate is undecided%s. %s", after, longer))
}

// unseen is a goal on a share that the run of the answer supports only by jobs that it did not
// meet.
func (l *looker) unseen() (t Target, e result.Estimate, unseen bool) {
	best := l.found.At(l.found.Best)
	if best == nil || best.Verdict != result.LikelyMeets {
		return t, e, false
	}
	for i, e := range best.Targets {
		t := l.q.Targets[i]
		none := t.Kind == Within && e.Value == 1 || (t.Kind == Blocked || t.Kind == Left) && e.Value == 0
		if none && e.HalfWidth > 0 && t.verdict(e) == result.LikelyMeets {
			return t, e, true
		}
	}
	return t, e, false
}
