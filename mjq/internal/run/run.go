// Package run is a method at work: what all share, from checking the settings and finding
// the stability limit to filling a result and noting where its numbers must not be trusted.
package run

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/interval"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Run is a method at work: the problem with its rate known, and the result so far.
type Run struct {
	*problem.Problem
	Method   Method
	Options  *problem.Options
	Result   *result.Result
	Sampling sampling.System
	Report   func(done, total float64)
	Started  time.Time
	alive    func() // says while it waits for the stability limit that it does
	waited   time.Duration
	Exposed  *interval.Exposed // what the run can know, once it has been made
	exposure *interval.Exposed // what any run can, once it has been asked for
}

// Open begins a run by finding the rate of a problem at a load. While it waits for the
// limit, progress is none of total, the number that the method will count to; m may be nil.
func Open(ctx context.Context, p *problem.Problem, m Method, o *problem.Options, total float64) (*Run, error) {
	started := time.Now()
	x := &Run{Method: m, Options: o}
	if report := o.Throttled(); report != nil {
		x.alive = func() { report(0, total) }
	}
	var err error
	x.Problem, err = limit.Resolve(ctx, p, x.alive)
	x.waited = time.Since(started)
	return x, err
}

// Expose is what the run can know: by counted, of a class from its own jobs; with control
// variates by controlled.
func (x *Run) Expose(counted, controlled bool) interval.Exposed {
	if x.exposure == nil {
		e := interval.Expose(x.Problem, x.Result.Rate/x.Result.Limit.Rate)
		x.exposure = &e
	}
	e := *x.exposure
	batches, _ := Setting[int](x.Method, "BatchMeans")
	e.Counted, e.Controlled, e.Unfollowed = counted, controlled, batches != 0 || Device(x.Method) != problem.CPU
	return e
}

// Begin opens a result, and closes it at once (ok false) when the queue is unstable or
// ctx ends first.
func (x *Run) Begin(ctx context.Context, solver, source string) (ok bool, err error) {
	started := time.Now()
	st, err := limit.Bound(ctx, x.Problem, x.alive)
	if err != nil {
		return false, err
	}
	rate, highest := x.Rate(), st.Rate
	if st.HalfWidth > 0 {
		highest += st.HalfWidth
	}
	r := &result.Result{Solver: solver, Source: source, Model: x.Headline(), Rate: rate, Limit: *st, Level: x.Options.Level,
		Stable: rate < highest || math.IsInf(st.Rate, 1) || x.NeverWaits()}
	x.Result = r
	r.Run.Version, r.Run.Seed, r.Run.ElapsedLimit = result.Version, x.Options.Seed, x.waited+time.Since(started)
	Outline(x.Problem, r)
	r.Notes = append(r.Notes, x.Notes...)
	r.Notes = append(r.Notes, unproven(x.Spec)...)
	for _, note := range st.Notes {
		r.Notes = append(r.Notes, "Stability limit: "+note)
	}
	if st.HalfWidth > 0 && math.Abs(rate-st.Rate) <= 2*st.HalfWidth {
		r.Notes = append(r.Notes, fmt.Sprintf("The queue may be unstable: the rate %.6g lies within the error of the stability limit %v. Ask Stability for a smaller RelErr.", rate, st.Estimate()))
	}
	if s, levels := x.Levels(); r.Stable && levels && s.FirstEndless() >= 0 {
		r.Stable = false
		Endless(r)
		return false, nil
	}
	if r.Stable {
		return true, nil
	}
	Unstable(x.Problem, r)
	return false, nil
}

// unproven warns of what is not proven of the queue.
func unproven(s *spec.Spec) (notes []string) {
	if s.Features().Has(spec.Mixed) {
		notes = append(notes, "The stability limit is measured but not proved: some classes name their servers and others do not, so the recurrence is not monotone. Check it with another seed.")
	}
	if high, low, starves := s.Starving(); starves {
		notes = append(notes, fmt.Sprintf("Class %q starves if jobs of class %q never run out: they start while it waits for more servers, and take every server that becomes free. Use Preemptive, or leave out Passing.", high, low))
	}
	if p, ok := s.Policy.(policy.Noted); ok {
		notes = append(notes, p.Notes(s.PolicySystem())...)
	}
	if s.AsPrinted {
		notes = append(notes, "Jobs may overtake: the recursion as printed lets a later job that needs only other servers start before a waiting one. Leave out AsPrinted for first come, first served.")
	}
	return notes
}

// rarity is how the rare events of the run come: independently where it has drawn samples of the
// stationary queue and followed none of them.
func (x *Run) rarity() *estimate.Rarity {
	jobs, independent := float64(x.Result.Run.Samples), true
	if x.Exposed != nil && x.Exposed.Jobs > 0 {
		jobs, independent = x.Exposed.Jobs, false
	}
	return interval.Rarity(x.Problem, x.load(), jobs, independent)
}

// load is the fraction of the limit at which jobs arrive, those of users left out.
func (x *Run) load() float64 {
	if x.Arrivals == nil {
		return x.Result.Rate / x.Result.Limit.Rate
	}
	return x.Rate() / x.Result.Limit.Rate
}

// Finish notes how long the run took and whether it is complete.
func (x *Run) Finish(complete bool) { replicate.Finish(x.Result, x.Started, complete) }
