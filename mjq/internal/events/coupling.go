package events

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
)

// Coupling estimates stationary means under any policy without bias, from independent
// samples, by coupling the queue with itself one arrival later (Glynn and Rhee, J. Appl.
// Probab. 51A, 2014). With X_t what job t shows in the queue that starts empty with job
// 0, and Y_t in the one that starts with job 1, Y_{t+1} has the law of X_t, so that
//
//	E f(X_∞) = E f(X_k) + Σ_{t>k} E [f(X_t) - f(Y_t)]
//
// for every k; the differences end when the two are the same. A sample is the mean of that
// over Path successive k, from Burn on (Jacob, O'Leary and Atchadé, J. R. Statist. Soc.
// B 82, 2020), whose cost is about that of Burn + Path jobs. It has an expectation if
// the queue is stable and the two meet in a time of finite mean.
type Coupling struct {
	compiled.System         // with a policy; its room has neither Keep nor Users
	Rate            float64 // of arrivals
	Samples         int
	Burn, Path      int64 // Path 0: both are chosen, Burn alone only if it is negative
	Budget          int64 // jobs that the samples should take in all when Path is chosen
	Level           float64
	Workers         int
	Threshold       float64        // see Plan
	InTime          float64        // see Plan
	Enough          replicate.Rule // if not nil, asked after every sample whether to end
}

// Coupled is what a Coupling has found.
type Coupled struct {
	Result         // Batches are samples, Jobs those simulated in both systems
	Burn, Path     int64
	First, Longest int64 // the earliest and the latest job from which on the two were the same
	Hopeless       bool  // there are no means, because pairs did not meet within as many jobs as Longest says
}

// The trials that choose Burn and Path are replications far from those of the samples.
const (
	trials       = 64
	firstTrial   = 1 << 39
	mostOfTrial  = 1 << 18 // jobs
	fewestToFail = 4       // trials that do not end; a queue with so many is unstable, or next to it
	fewestJobs   = 8000    // of a path, if the budget allows
	usualSamples = 512     // share the budget; more take more
	burns        = 10      // a path is so many times as long as what is left out before it
)

// Run draws the samples until there are enough. When ctx ends it returns those that were
// complete by then, of replications 0 to some r without a gap. Report, if not nil, is told
// how many of how many are done.
func (p Coupling) Run(ctx context.Context, report func(done, total float64)) *Coupled {
	if p.Path == 0 || p.Burn < 0 {
		met := p.try(ctx, report)
		if len(met) < trials {
			return p.nothing(mostOfTrial, ctx.Err() == nil)
		}
		p.choose(met)
	}
	sum, hopeless := p.summary(), false
	replicate.InOrder(ctx, p.Samples, p.Workers, p.newCoupler,
		func(stop *atomic.Bool, c *coupler, rep int, o *coupled) bool { return c.sample(stop, uint64(rep), o) },
		func(_ int, o *coupled) (enough bool) {
			if hopeless = o.unmerged; hopeless {
				return true
			}
			sum.add(&p, o)
			if report != nil {
				report(float64(sum.samples), float64(p.Samples))
			}
			return p.Enough != nil && p.Enough(sum.samples, func() result.Estimate { return sum.mean(&p) })
		})
	if hopeless {
		return p.nothing(p.most(), true)
	}
	return &Coupled{Result: *sum.result(&p), Burn: p.Burn, Path: p.Path, First: sum.first, Longest: sum.longest}
}

// nothing is a result without samples.
func (p *Coupling) nothing(longest int64, hopeless bool) *Coupled {
	return &Coupled{Result: *p.summary().result(p), Burn: max(p.Burn, 0), Path: p.Path, Longest: longest, Hopeless: hopeless}
}

// try is the jobs at which trial pairs met, in increasing order; fewer than trials if
// ctx ended or too many did not meet.
func (p *Coupling) try(ctx context.Context, report func(done, total float64)) (met []int64) {
	failed := 0
	replicate.InOrder(ctx, trials, p.Workers, p.newCoupler,
		func(stop *atomic.Bool, c *coupler, rep int, at *int64) bool {
			c.first.Recorded, c.second.Recorded = nil, nil
			*at = c.meeting(stop, firstTrial+uint64(rep))
			return *at != 0
		},
		func(_ int, at *int64) (enough bool) {
			if report != nil {
				report(0, float64(p.Samples))
			}
			if *at < 0 {
				failed++
				return failed == fewestToFail
			}
			met = append(met, *at)
			return false
		})
	for len(met) < trials && len(met)+failed == trials {
		met = append(met, mostOfTrial)
	}
	slices.Sort(met)
	return met
}

// meeting is the job from which on a pair is the same; -1 if it is given up, 0 if
// stopped.
func (c *coupler) meeting(stop *atomic.Bool, rep uint64) int64 {
	for c.begin(stop, c.Input, rep); !c.same(); c.step() {
		switch {
		case stop.Load():
			return 0
		case c.beyond(mostOfTrial):
			return -1
		}
	}
	if stop.Load() {
		return 0
	}
	return c.next
}

// choose sets Burn to a job at which nearly all pairs have met, unless it is given, and
// Path to a multiple of it, within the budget.
func (p *Coupling) choose(met []int64) {
	share := p.Budget / int64(min(p.Samples, usualSamples))
	if p.Burn < 0 {
		p.Burn = met[len(met)*15/16]
		if p.Path == 0 {
			p.Burn = min(p.Burn, share/4)
		}
	}
	if p.Path == 0 {
		p.Path = max(1, min(max(fewestJobs, burns*p.Burn), share-p.Burn))
	}
}
