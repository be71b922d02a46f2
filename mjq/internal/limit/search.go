package limit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Where theory has no limit, runs of the simulation from an empty start are asked whether
// a rate is stable: by the last moment of the run at which no job waited.
//
// At the limit what waits is, from afar, a Brownian motion reflected at 0, whose last
// visit there in a run of length T is in its first quarter, or in its last, with
// probability 1/3 each (the law of the arc sine). Below the limit it is rather late,
// above rather early. So that of eight runs all are late at a rate that is not stable, or
// all early at one that is, has a probability of at most 3^-8 = 0.00015. A rate
// at which they disagree is left open. Longer runs leave fewer rates open, and the
// interval is what they leave.

const (
	limitRuns  = 8      // that must agree
	stayRuns   = 16     // that must where some jobs give up
	stayLooks  = 256    // in such a run
	firstRun   = 10_000 // jobs of the shortest
	limitJobs  = 2e7    // of all runs, with a target
	limitError = 0.01   // relative, without being told
	// usualSearch is the operations of all runs without a target, and waitingThere the jobs that
	// wait near a limit.
	usualSearch, waitingThere = 1e9, 10
	longestRun                = 5e6     // jobs, each of which may wait in memory
	edge                      = 1. / 16 // of the interval: how finely what is left open is looked for
)

// limitSearch looks for a limit between rates that are stable, low, and not, high.
type limitSearch struct {
	*problem.Problem
	o         *problem.Options
	low, high float64
	length    int64
	longest   int64 // length of a run so far
	jobs      int64 // simulated
	most      int64
	runs      int // of a rate
	report    func(done, total float64)
}

// searchLimit finds an interval that holds the limit.
func searchLimit(ctx context.Context, p *problem.Problem, o *problem.Options) (*result.Stability, error) {
	s := &limitSearch{Problem: problem.New(p.Unloaded()), o: o, high: mostSearched(ctx, p), length: firstRun, most: o.MaxJobs.Or(searchJobs(p, o)), report: o.Throttled(), runs: limitRuns}
	if p.Features().Has(spec.Turning) {
		s.runs = stayRuns
	}
	target := o.RelErr.Or(limitError)
	for ; s.high-s.low > target*(s.high+s.low); s.length *= 4 {
		if !s.affords() || s.length > longestRun {
			break
		}
		if err := s.narrow(ctx); err != nil {
			if ctx.Err() == nil || s.low == 0 {
				return nil, err
			}
			return s.found(target), err
		}
	}
	return s.found(target), nil
}

// searchJobs is how many jobs a search spends without MaxJobs: what a target takes, or else about
// a second.
func searchJobs(p *problem.Problem, o *problem.Options) int64 {
	if o.RelErr.Is {
		return limitJobs
	}
	busy := problem.New(p.WithRate(p.IdealRate()))
	return max(2*limitRuns*firstRun, check.Whole(usualSearch/busy.SimulatedOperations(waitingThere), 1, limitJobs))
}

// affords reports whether the jobs allowed are enough for one more rate.
func (s *limitSearch) affords() bool { return s.length*int64(s.runs) <= s.most-s.jobs }

// narrow finds, with runs of one length, rates that are stable and rates that are not
// until what is left open between them is found to a sixteenth.
func (s *limitSearch) narrow(ctx context.Context) error {
	open := math.NaN()
	for math.IsNaN(open) && s.affords() && s.high-s.low > edge*limitError*s.high {
		rate := (s.low + s.high) / 2
		v, err := s.judge(ctx, rate)
		if err != nil {
			return err
		}
		if !s.take(rate, v) {
			open = rate
		}
	}
	return s.edges(ctx, open)
}

// edges looks below and above a rate that is open for the nearest ones that are not.
func (s *limitSearch) edges(ctx context.Context, open float64) error {
	if math.IsNaN(open) {
		return nil
	}
	for _, end := range []*float64{&s.low, &s.high} {
		for from := open; s.affords() && math.Abs(from-*end) > edge*(s.high-s.low) && from > s.low; {
			rate := (*end + from) / 2
			v, err := s.judge(ctx, rate)
			if err != nil {
				return err
			}
			if !s.take(rate, v) {
				from = rate
			}
		}
	}
	return nil
}

// take moves an end of the interval to a rate that has been judged; false if it is open.
func (s *limitSearch) take(rate float64, v int) bool {
	switch v {
	case -1:
		s.low = max(s.low, rate)
	case 1:
		s.high = min(s.high, rate)
	}
	return v != 0
}

// judge is -1 for a rate at which all runs were late without a job that waits, 1 if all
// were early, and else 0.
func (s *limitSearch) judge(ctx context.Context, rate float64) (int, error) {
	at := s.WithArrivals(s.WithRate(rate))
	sys := at.System(s.o.Seed, s.o.Workers)
	last, free := make([]float64, s.runs), s.lastFree
	if s.runs == stayRuns {
		free = s.lastFew
	}
	inParallel(ctx, s.runs, s.o.Workers, func(i int, stop *atomic.Bool) {
		sim := events.New(*at.Compiled())
		sim.Replicate(sys.Input.Reader(uint64(i)).Until(stop))
		last[i] = free(ctx, sim)
	})
	if ctx.Err() != nil {
		return 0, errors.Join(fmt.Errorf("interrupted while the limit was known to lie between %.6g and %.6g only; ask again", s.low, s.high), context.Cause(ctx))
	}
	s.jobs, s.longest = s.jobs+s.length*int64(s.runs), s.length
	if s.report != nil {
		s.report(float64(s.jobs), float64(s.most))
	}
	late, early := true, true
	for _, at := range last {
		late, early = late && at > 0.75, early && at < 0.25
	}
	switch {
	case late:
		return -1, nil
	case early:
		return 1, nil
	}
	return 0, nil
}

// inParallel makes runs, so many at a time. Each is told to stop when ctx ends.
func inParallel(ctx context.Context, runs, workers int, run func(i int, stop *atomic.Bool)) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	var group panics.Group
	slots := make(chan struct{}, max(1, workers))
	for i := range runs {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			run(i, &stop)
		})
	}
	group.Wait()
}

// lastFree is the last arrival of a run that found nobody waiting, as a part of the run.
func (s *limitSearch) lastFree(ctx context.Context, sim *events.Simulator) (last float64) {
	for n := int64(1); n <= s.length; n++ {
		if n%256 == 0 && ctx.Err() != nil {
			break
		}
		sim.Until(n)
		if sim.Waiting() == 0 {
			last = float64(n) / float64(s.length)
		}
	}
	return last
}

// lastFew is lastFree where some jobs give up, or users wait, so that a stable queue may never be
// empty: the last of some looks that found no more jobs waiting that endure than there were early in the
// run. At the limit that is in the last quarter of the run with probability .59, in the first with .11
// (see TestLateAtTheLimit), and all of sixteen runs are late with .0002.
func (s *limitSearch) lastFew(ctx context.Context, sim *events.Simulator) (last float64) {
	endure := make([]bool, len(s.Classes))
	for i := range endure {
		endure[i] = s.Classes[i].Endures() > 0
	}
	early := 0
	for look := 1; look <= stayLooks && ctx.Err() == nil; look++ {
		sim.Until(s.length * int64(look) / stayLooks)
		waiting := sim.WaitingOf(endure)
		switch part := float64(look) / stayLooks; {
		case part < 3./32:
		case part <= 1./8:
			early = max(early, waiting)
		case waiting <= early:
			last = part
		}
	}
	return last
}

// found is the interval as a limit.
func (s *limitSearch) found(target float64) *result.Stability {
	half := (s.high - s.low) / 2
	st := StabilityAt(s.Problem, (s.low+s.high)/2, half, "simulation", "search over the rate: whether runs end with nobody waiting, by the law of the arc sine")
	st.Level, st.Jobs, st.Seed, st.Met = s.o.Level, s.jobs, s.o.Seed, half <= target*st.Rate
	st.Notes = append(st.Notes, fmt.Sprintf("The limit may be too high: it was found by simulation, with %d runs of up to %d jobs per rate, and slower instability goes undetected. Raise MaxJobs for longer runs.", s.runs, s.longest))
	withoutInterval(st, s.Problem, s.low, s.high)
	return st
}

// withoutInterval takes the interval of a limit away where no run shows how wide it is.
func withoutInterval(st *result.Stability, p *problem.Problem, low, high float64) {
	for _, c := range p.Classes {
		if problem.Heavy(c.Service) {
			st.HalfWidth, st.Met = math.NaN(), false
			st.Notes = append(st.Notes, fmt.Sprintf("The limit has no confidence interval: service times of class %q have infinite variance. It lies roughly between %.6g and %.6g. Bound the service times with BoundedPareto.", c.Name, low, high))
			return
		}
	}
}
