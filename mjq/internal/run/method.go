package run

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"strings"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/interval"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Row is the row of a method in the table of methods: all that does not depend on its settings.
type Row struct {
	Name  string // as the query calls it
	About string // what it answers, in a line

	Takes   []string // of RelErr, HalfWidth and MaxJobs
	Without []string // fields of its struct that it takes for other queues only

	Source       string             // in results
	Seed         uint64             // by default; see package problem
	Usual        int64              // number of samples by default; 0 where there are none
	By           interval.Averaging // what it averages
	Serves       spec.Features      // what a queue may have, each of these with some others
	Hits         bool               // it has failures hit jobs, also where they only interrupt them
	Keeps, Holds float64            // about how many bytes a class takes, and again for each goroutine

	Served func(s *spec.Spec) spec.Features                        // of those, what a queue may have that has the rest; nil: all
	Refuse func(f *check.Faults, s *spec.Spec)                     // why not, of the queue; its arrivals may be missing
	Aim    func(r *result.Result) (e result.Estimate, name string) // what a target is about; nil: the mean wait
}

// lacks are the features of a queue that the method does not serve.
func (r *Row) lacks(s *spec.Spec) spec.Features {
	serves := r.Serves
	if r.Served != nil {
		serves = r.Served(s)
	}
	return s.Features() &^ serves
}

// Method is a way to find how long jobs wait: a struct of its settings. Each stands in a file of
// its own, which says what it takes; package methods lists them.
type Method interface{ Row() *Row }

// Sampler is a method that fills a result by drawing.
type Sampler interface {
	Method
	Plan(f *check.Faults, p *problem.Problem, o *problem.Options) // faults of the settings for a queue that fits
	Solver() string                                               // as the result names it
	Total(p *problem.Problem, o *problem.Options) float64         // what progress counts to
	Draw(ctx context.Context, x *Run) error                       // fills the result
}

// Answerer is a method that finds the whole result by itself.
type Answerer interface {
	Method
	Answer(ctx context.Context, p *problem.Problem, o *problem.Options) (*result.Result, error)
}

// Beyond is a method that is another one, with the same settings, for queues of which that serves
// more.
type Beyond interface{ Beyond() Method }

// Momentary is a method that may leave distributions out.
type Momentary interface{ Moments() Method }

// Under is the method that answers for the queue.
func Under(m Method, s *spec.Spec) Method {
	b, ok := m.(Beyond)
	if !ok {
		return m
	}
	other := b.Beyond()
	if lacks := func(m Method) int { return bits.OnesCount32(uint32(m.Row().lacks(s))) }; lacks(other) < lacks(m) {
		return other
	}
	return m
}

// Fits says why the method is not for this queue, each fault with its remedy; nothing
// if it is. The queue must be valid; it may lack arrivals.
func Fits(m Method, s *spec.Spec) []error {
	if m = Under(m, s); rewrites(m, s) {
		q, _ := problem.Uninterrupted(problem.New(s))
		s = q.Spec
	}
	r := m.Row()
	var f check.Faults
	lacks := r.lacks(s)
	spec.Refuse(&f, s, ^lacks, r.Name, func() string { return instead(r, s) })
	if lacks.Has(spec.Placed) || r.Refuse == nil {
		return f.List()
	}
	r.Refuse(&f, s)
	return f.List()
}

// Serves reports whether a method serves all features of a queue.
func Serves(m Method, s *spec.Spec) bool { return m.Row().lacks(s) == 0 }

// instead says which other methods of waits are for a queue.
func instead(not *Row, s *spec.Spec) string {
	var names []string
	for _, m := range Methods {
		r := Under(m, s).Row()
		if r.Name == not.Name || r.Aim != nil || r.lacks(s) != 0 {
			continue
		}
		var f check.Faults
		if r.Refuse != nil {
			r.Refuse(&f, s)
		}
		if f.None() {
			names = append(names, "mjq."+r.Name+"{}")
		}
	}
	switch n := len(names); n {
	case 0:
		return "no method serves all that it has together; leave one of its properties out"
	case 1:
		return "use " + names[0]
	default:
		return "use " + strings.Join(names[:n-1], ", ") + " or " + names[n-1]
	}
}

// Check is all that keeps the method from running.
func Check(m Method, p *problem.Problem, o *problem.Options) error {
	var f check.Faults
	r := m.Row()
	o.Check(&f)
	Settings(&f, m)
	p.DrawingFaults(&f)
	p.PolicyFaults(&f)
	f.Join(Fits(m, p.Spec)...)
	f.Memory(float64(len(p.Classes))*(r.Keeps+r.Holds), "%s of %d classes; make one class of those that need the same and have the same service times, or use mjq.Simulation{}", r.Name, len(p.Classes))
	if s, ok := m.(Sampler); ok {
		f.Settings(func(f *check.Faults) { s.Plan(f, p, o) })
	}
	return f.Err(r.Name)
}

// workers are as many goroutines as there is memory for.
func (r *Row) workers(p *problem.Problem, o *problem.Options) int {
	n := float64(len(p.Classes))
	return min(o.Workers, 1+int(max(0, check.MostMemory-n*(r.Keeps+r.Holds))/(1+n*r.Holds)))
}

// Solve answers for the problem by a method. When ctx ends it returns what it has, along with the
// error of the context. Beyond the stability limit it returns a result with Stable
// false.
func Solve(ctx context.Context, p *problem.Problem, m Method, o problem.Options) (_ *result.Result, err error) {
	m = Under(m, p.Spec)
	row := m.Row()
	defer problem.Caught(row.Name, &err)
	o.Seed = o.SeedOr(row.Seed)
	_, users := m.(own)
	ask := func() *cache.Question { return p.Question(row.Name, &o, m) }
	if users || o.Seen != nil || Device(m) == problem.Auto { // on which the machine has a say
		ask = nil
	}
	return cache.Answer(ask, o.Fresh, Remembered, o.Sound, func() (*result.Result, error) {
		r, err := answer(ctx, p, m, o)
		if r != nil && err == nil && !r.Stable && !users {
			r, err = levels(ctx, p, m, o, r)
		}
		if r != nil && !users {
			r.Run.Method = Text(m, &o)
			r.Derive()
			energy(p, r)
			oneRow(r)
		}
		return r, err
	})
}

// slower is why a method takes longer on a GPU than on the cores; empty if it does not.
func slower(m Sampler, p *problem.Problem, o *problem.Options) string {
	path, _ := Setting[int](m, "PathLength")
	if reps, forward := Setting[int](m, "Replications"); forward {
		return problem.SlowerOnGPU(float64(problem.Count(reps, problem.UsualReplications)), false)
	}
	return problem.SlowerOnGPU(m.Total(p, o), path > 0)
}

// answer is Solve without memory.
func answer(ctx context.Context, p *problem.Problem, by Method, o problem.Options) (*result.Result, error) {
	if rewrites(by, p.Spec) {
		return Interrupted(ctx, p, func(ctx context.Context, q *problem.Problem) (*result.Result, error) {
			if x, ok := by.(Momentary); ok { // distributions of the time that jobs hold servers are slow to compute
				by = x.Moments()
			}
			return answer(ctx, q, by, o)
		})
	}
	if a, ok := by.(Answerer); ok {
		return a.Answer(ctx, p, &o)
	}
	m, row := by.(Sampler), by.Row()
	if err := Check(m, p, &o); err != nil {
		return nil, err
	}
	x, err := Open(ctx, p, m, &o, m.Total(p, &o))
	if err != nil {
		return nil, err
	}
	if p.Load != nil { // now that the rate is known
		if err := Check(m, x.Problem, &o); err != nil {
			return nil, err
		}
	}
	x.Sampling = x.System(o.Seed, row.workers(p, &o))
	at, err := problem.PlaceOn(Device(m), &x.Sampling, "", slower(m, p, &o))
	if err != nil {
		return nil, err
	}
	defer at.End()
	ok, err := x.Begin(ctx, m.Solver(), row.Source)
	if !ok {
		return x.Result, err
	}
	if o.Targeted() {
		known := x.Expose(false, false)
		if err := known.Untargeted(ctx, &o, x.Result.Rate, row.By); err != nil {
			return nil, fmt.Errorf("%s: %w", row.Name, err)
		}
	}
	x.Started, x.Report = time.Now(), o.Throttled()
	if err := m.Draw(ctx, x); err != nil {
		return nil, err
	}
	if _, takes := Setting[problem.Processor](m, "Device"); takes {
		at.Record(x.Result)
	}
	if replicate.Nothing(ctx, x.Result) {
		return x.Result, replicate.Interrupted(ctx, x.Result)
	}
	rarity := x.rarity()
	estimate.FewEvents(x.Result, rarity)
	fewHits(x.Problem, x.Result)
	if x.Exposed != nil {
		x.Exposed.Apply(x.Result)
	}
	if neverWaits(x.Problem) {
		noWait(x.Result)
	} else {
		estimate.NoneWaited(x.Result, rarity, "Ask for more jobs, or use mjq.Exact{} or mjq.RareEvent{} where they fit.")
	}
	interval.NoteQuantiles(x.Result, rarity)
	tails := interval.HeavyTails(ctx, x.Problem, x.Result, row.By)
	if threshold, takes := Setting[float64](m, "SlowdownThreshold"); takes {
		interval.SlowdownTails(x.Problem, x.Result, threshold, &tails)
	}
	if x.Result.All.Waiting.Mean.Known() {
		oneRow(x.Result)
	}
	if !x.meets(&o) {
		o.NoteTarget(x.Result, unserved(p, row.Aim))
	}
	return x.Result, replicate.Interrupted(ctx, x.Result)
}

// meets reports whether a run in which no job waited meets its target for what it is: no job can
// wait, or so few that their waits, taken for services, are within HalfWidth.
func (x *Run) meets(o *problem.Options) bool {
	e := x.Result.All.Waiting.Mean
	if !o.Targeted() || e.Value != 0 || x.Room != nil && *x.Room == 0 {
		return false
	}
	bound := math.NaN()
	if seen := float64(x.Result.Run.Samples) * float64(x.Result.Run.Jobs); !o.RelErr.Is && seen > 0 {
		bound = -math.Log(1-o.Level) / seen * x.MeanService()
	}
	x.Result.Run.Met = x.NeverWaits() || bound <= o.HalfWidth.Or(0)
	return x.Result.Run.Met
}

// Remembered notes when an answer was kept.
func Remembered(r *result.Result, at time.Time) { r.Run.Remembered = at }
