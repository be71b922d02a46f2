package trace

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
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
	kept                      float64       // time for which limits kept jobs out of the queue
	onNodes                   []float64     // of nodes: integrals over time, as events.Simulator.TakeNodes has them
	anywhere                  float64       // jobs that lie on any nodes
	idleUnits                 []float64     // of a log with types: idle by type, then those idle while a job waits
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
	p.settle(p.jobs-1, class, outcome{Served: estimate.Served{Wait: wait, FirstWait: wait, Service: j.Service}, served: true})
	return nil
}

// scheduled takes the jobs of a trace and serves them under a policy in the end.
type scheduled struct {
	*account
	parts []*part
	class []int32 // by job, its group
	history
}

func newScheduled(a *account, p policy.Policy) *scheduled {
	s := &scheduled{account: a, parts: a.replay.parts(), history: history{policy: p}}
	_, levels := p.(policy.Leveled)
	_, stops := p.(policy.Stopper)
	for _, one := range s.parts {
		one.levels = levels || stops
	}
	return s
}

// take keeps a job.
func (p *scheduled) take(j *Job) error {
	if err := p.accepts(j); err != nil {
		return err
	}
	k, err := p.replay.partOf(j)
	if err != nil {
		return err
	}
	class := int32(p.arrive(j))
	p.parts[k].add(j, int32(len(p.class)), class)
	if len(p.Limits) > 0 {
		p.parts[k].limits.add(&p.Replay, j)
	}
	p.class = append(p.class, class)
	return nil
}

// eventsAtOnce is how many events are handled between looks at the context.
const eventsAtOnce = 4096

// serve runs the jobs under the policy and settles them in the order of arrival. It says
// whether it came to the end before ctx did.
func (p *scheduled) serve(ctx context.Context, report func(done, total float64)) (complete bool) {
	outcomes, done := make([]outcome, len(p.class)), 0
	complete = true
	for _, one := range p.parts {
		if len(one.jobs) == 0 {
			continue
		}
		s := events.New(one.system(p.history.policy))
		if len(p.Limits) > 0 {
			s.Limit(&one.limits.Limits)
		}
		s.Recorded = func(r *events.Record) {
			n, o := s.Fed(r.Number), outcome{Served: r.Served, served: true}
			if len(p.Limits) > 0 {
				o.kept = max(0, r.Arrival-one.jobs[n].Arrival)
				o.Wait, o.FirstWait = o.Wait+o.kept, o.FirstWait+o.kept
				p.sojourn += o.kept
				p.kept += o.kept
			}
			outcomes[one.numbers[n]] = o
			done++
		}
		if p.Overtaking {
			p.countOvertaking(s, one)
		}
		s.ResetTo(events.Log(one.jobs), p.Seed)
		for s.Handle(eventsAtOnce) {
			if ctx.Err() != nil {
				break
			}
			if report != nil {
				report(float64(done), float64(len(p.class)))
			}
		}
		p.add(one, s)
		complete = complete && s.Done()
	}
	for n, o := range outcomes {
		p.settle(int64(n), int(p.class[n]), o)
	}
	return complete
}

// add takes what a part has measured into the history, whose times are from the first arrival of
// all.
func (p *scheduled) add(one *part, s *events.Simulator) {
	area := s.Take()
	p.end = max(p.end, one.jobs[0].Arrival-p.first+area.Time)
	p.waste += area.Wasted
	p.sojourn += area.System
	p.work += float64(one.servers)*area.Time - area.Idle
	if one.nodes != nil {
		p.onNodes, p.anywhere = make([]float64, 4), one.nodes.anywhere()
		s.TakeNodes(p.onNodes, 1)
	}
	if one.units != nil {
		p.idleUnits = make([]float64, 2*len(one.units))
		s.TakeUnits(p.idleUnits, 1)
	}
}

// countOvertaking has the simulator of a part count who overtakes whom.
func (p *scheduled) countOvertaking(s *events.Simulator, one *part) {
	p.overtaken = make([][]float64, len(p.groups))
	for c := range p.overtaken {
		p.overtaken[c] = make([]float64, len(p.groups))
	}
	classes := max(len(p.groups), len(one.group))
	s.CountOvertaking(classes, func(n int64, class int32, passed []int) {
		if int64(one.numbers[s.Fed(n)]) < p.warmUp() {
			return
		}
		for c, jobs := range passed {
			if jobs > 0 {
				p.overtaken[one.class(int(class))][one.class(c)] += float64(jobs)
			}
		}
	})
}
