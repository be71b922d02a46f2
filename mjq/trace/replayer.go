package trace

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/recurrence/fast"
	"github.com/mjqueue/mjq/mjq/policy"
)

// history is what a replay has measured beside the account.
type history struct {
	end, work, waste, sojourn float64       // end: of all, from the first arrival; the others are integrals over time
	pile                      float64       // its height; 0 without the recurrence
	policy                    policy.Policy // nil: first come first served
	overtaken                 [][]float64   // by class that overtakes, and by class overtaken
}

// replayer takes the jobs of a trace one by one, by the recurrence.
type replayer struct {
	*account
	runs, pile *fast.Runs
	history
}

func newReplayer(a *account) *replayer {
	return &replayer{account: a, runs: fast.NewRuns(a.Servers), pile: fast.NewRuns(a.Servers)}
}

// take lets a job arrive.
func (p *replayer) take(j *Job) error {
	if err := p.accepts(j); err != nil {
		return err
	}
	class := p.arrive(j)
	now := p.last - p.first
	start, waste := p.runs.Step(now, int32(j.Need), j.Service)
	p.pile.Pile(int32(j.Need), j.Service)
	wait := start - now
	p.end = p.runs.Top()
	p.work += float64(j.Need) * j.Service
	p.waste += max(0, waste) // a difference of sums, which rounding may make negative
	p.sojourn += wait + j.Service
	p.history.pile = p.pile.Top()
	p.settle(p.jobs-1, class, outcome{wait: wait, service: j.Service, served: true})
	return nil
}

// scheduled takes the jobs of a trace and serves them under a policy in the end.
type scheduled struct {
	*account
	jobs []events.Logged
	history
}

// take keeps a job.
func (p *scheduled) take(j *Job) error {
	if err := p.accepts(j); err != nil {
		return err
	}
	p.jobs = append(p.jobs, events.Logged{Arrival: j.Arrival, Service: j.Service, Estimate: j.Estimate, Class: p.arrive(j), Need: j.Need})
	return nil
}

// eventsAtOnce is how many events are handled between looks at the context.
const eventsAtOnce = 4096

// serve runs the jobs under the policy and settles them in the order of arrival. It says
// whether it came to the end before ctx did.
func (p *scheduled) serve(ctx context.Context, report func(done, total float64)) (complete bool) {
	outcomes, done := make([]outcome, len(p.jobs)), 0
	s := p.simulator()
	s.Recorded = func(r *events.Record) {
		outcomes[r.Number] = outcome{wait: r.Wait, service: r.Service, preemptions: r.Preemptions, killed: r.Killed, served: true}
		done++
	}
	if p.Overtaking {
		p.countOvertaking(s)
	}
	s.ResetTo(events.Log(p.jobs), p.Seed)
	for s.Handle(eventsAtOnce) {
		if ctx.Err() != nil {
			break
		}
		if report != nil {
			report(float64(done), float64(len(p.jobs)))
		}
	}
	area := s.Take()
	p.end, p.waste, p.sojourn = area.Time, area.Wasted, area.System
	p.work = float64(p.Servers)*area.Time - area.Idle
	for n, o := range outcomes {
		p.settle(int64(n), p.jobs[n].Class, o)
	}
	return s.Done()
}

// simulator is an empty system for the jobs.
func (p *scheduled) simulator() *events.Simulator {
	var needs []int
	for i := range p.jobs {
		needs = append(needs, p.jobs[i].Need)
	}
	return events.NewScheduled(p.Servers, p.policy, needs)
}

// countOvertaking has the simulator count who overtakes whom.
func (p *scheduled) countOvertaking(s *events.Simulator) {
	p.overtaken = make([][]float64, len(p.groups))
	for c := range p.overtaken {
		p.overtaken[c] = make([]float64, len(p.groups))
	}
	s.CountOvertaking(len(p.groups), func(n int64, class int32, passed []int) {
		if n < p.warmUp() {
			return
		}
		for c, jobs := range passed {
			p.overtaken[class][c] += float64(jobs)
		}
	})
}
