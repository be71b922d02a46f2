package run

import (
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// fewHits bounds the time lost where a run has seen no failure hit a job. It is at most the bound of the
// number of hits times what a hit costs at most on average: the mean service of a job at a random moment
// of its service, and recovery and detection. Without a bound there is no interval. Jobs that resume or
// migrate at no cost lose nothing, however many are hit, nor do jobs that wait for a window to end, nor
// those of the first level of a priority.
func fewHits(p *problem.Problem, r *result.Result) {
	stops := p.Policy != nil && p.Policy.Properties().Loses
	if !p.Fails() {
		if levels := p.Spec.Levels(); stops && !p.Away() && len(levels) > 0 {
			for _, i := range levels[0] { // whose jobs nobody stops
				nothingLost(&r.Classes[i])
			}
		}
		if hard := func(r spec.Reservation) bool { return r.Hard }; p.Away() && !stops && !slices.ContainsFunc(p.Reservations, hard) {
			for i := range r.Classes {
				nothingLost(&r.Classes[i])
			}
			nothingLost(&r.All)
		}
		return
	}
	worst, kept := 0., !stops
	for i := range r.Classes {
		c, after := &r.Classes[i], p.AfterFailure(i)
		if how := after.How; !stops && (how == policy.Resume || how == policy.Migrate) && after.Recovery+after.Detection == 0 {
			nothingLost(c)
			continue
		}
		kept = false
		service, slow := p.Classes[i].Service, 1.
		costs := after.Recovery + after.Detection
		if e := p.Classes[i].Elastic; e != nil { // which may have had no more than its least
			slow = e.Speed.On(p.Classes[i].Need) / e.Speed.On(e.Least)
			if e.Speed.Cost > 0 {
				slow = math.Inf(1) // as often as its size changes
			}
		}
		if mean := service.Mean(); mean > 0 {
			costs += slow * (service.Variance()/mean + mean)
		}
		worst = max(worst, costs)
		unseenLoss(c, costs)
	}
	if kept {
		nothingLost(&r.All)
	} else {
		unseenLoss(&r.All, worst)
	}
}

// nothingLost says that no job of a class can lose time.
func nothingLost(c *result.ClassResult) {
	for _, e := range []*result.Estimate{&c.Lost, &c.LostShare} {
		if e.Known() {
			*e = result.Exact(0, "nothing is lost")
		}
	}
}

// unseenLoss gives the time lost of a class of which no job was hit a bound.
func unseenLoss(c *result.ClassResult, costs float64) {
	if c.Interruptions.Value != 0 || c.Lost.Value != 0 || !c.Lost.Known() {
		return
	}
	if c.Lost.HalfWidth = c.Interruptions.HalfWidth * costs; math.IsInf(costs, 1) {
		c.Lost.HalfWidth = math.NaN()
	}
}
