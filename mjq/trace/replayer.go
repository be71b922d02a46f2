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
	span                 float64       // over which averages are: the window, or all from the first arrival
	busy, waste, sojourn float64       // integrals over it
	work                 float64       // server-time of all jobs
	pile                 float64       // its height; 0 without the recurrence
	policy               policy.Policy // nil: first come first served
	noted                []string      // on its settings
	overtaken            [][]float64   // by class that overtakes, and by class overtaken
	kept                 float64       // time for which limits kept jobs out of the queue
	onNodes              []float64     // of nodes: integrals over time, as events.Simulator.TakeNodes has them
	anywhere             float64       // jobs that lie on any nodes
	on, setup            float64       // integrals over it of servers that sleep: those on, and those in setup
	later                float64       // in a loop, by how much the last job came later than in the log
	looped               int           // jobs that came after the end of another
	up                   float64       // integral of the servers that are up, where they fail
	hours                events.Hours  // by what jobs do then
	idleUnits            []float64     // of a log with types: idle by type, then those idle while a job waits
}

// replayer takes the jobs of a trace one by one, by the recurrence.
type replayer struct {
	*account
	runs, pile *fast.Runs
	late       []late
	over       bool // a job that starts after the window has come
	history
}

// late is a job that runs when the window ends.
type late struct{ need, end float64 }

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
	p.span = p.runs.Top()
	p.work += float64(j.Need) * j.Service
	if stop := p.until - p.first; p.span <= stop || p.until == 0 {
		p.waste += max(0, waste) // a difference of sums, which rounding may make negative
		p.sojourn += wait + j.Service
		p.busy = p.work
	} else {
		p.inWindow(stop, j, now, start, waste)
	}
	p.history.pile = p.pile.Top()
	p.book(p.jobs-1, class, outcome{Served: estimate.Served{Wait: wait, FirstWait: wait, Service: j.Service}, served: true})
	return nil
}

// inWindow adds the part of a job up to the end of the window. first come, first served, the job after
// those that started is the only one that holds others up.
func (p *replayer) inWindow(stop float64, j *Job, now, start, waste float64) {
	need, end := float64(j.Need), start+j.Service
	p.sojourn += max(0, min(end, stop)-now)
	p.busy += need * max(0, min(end, stop)-start)
	switch {
	case start <= stop:
		p.waste += max(0, waste)
		if end > stop {
			p.late = append(p.late, late{need, end})
		}
	case !p.over: // it waits at the end of the window: what is idle until it starts does not count
		p.over = true
		after := float64(p.Servers) * (start - stop)
		for _, l := range p.late {
			after -= l.need * (min(l.end, start) - stop)
		}
		p.waste += max(0, waste-after)
	}
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
		one.levels, one.owned = levels || stops, p.Properties().Owned
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
	number := int32(len(p.class))
	p.parts[k].add(j, number, class, p.parts[k].form(&p.Replay, j, number-int32(p.begun)))
	if len(p.Limits) > 0 {
		p.parts[k].limits.add(&p.Replay, j)
	}
	if p.Loop {
		p.parts[k].loop.add(j)
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
	least := 0.
	for _, one := range p.parts {
		if len(one.jobs) == 0 {
			continue
		}
		system := one.system(p.history.policy)
		system.Failing = p.failed(len(one.needs))
		s := events.New(system)
		if len(p.Limits) > 0 {
			s.Limit(&one.limits.Limits)
		}
		s.Recorded = func(r *events.Record) {
			n, o := s.Fed(r.Number), outcome{Served: r.Served, served: true}
			if len(p.Limits) > 0 {
				came := one.jobs[n].Arrival
				if p.Loop {
					came = s.Came(n)
				}
				o.kept = max(0, r.Arrival-came)
				o.Wait, o.FirstWait = o.Wait+o.kept, o.FirstWait+o.kept
				kept := o.kept
				if p.until > 0 {
					kept = min(kept, max(0, p.until-came))
				}
				p.sojourn += kept
				p.kept += kept
			}
			if number := one.numbers[n]; system.Elastic != nil && int64(number) >= p.warmUp() {
				p.groups[p.class[number]].sizes.add(r)
			}
			outcomes[one.numbers[n]] = o
			done++
		}
		if p.Overtaking {
			p.countOvertaking(s, one)
		}
		if p.Loop {
			s.Follow(one.jobs, one.loop.follows, p.Seed)
		} else {
			s.ResetTo(events.Log(one.jobs), p.Seed)
		}
		handle := func(events func(n int) (more bool)) {
			for events(eventsAtOnce) && ctx.Err() == nil {
				if report != nil {
					report(float64(done), float64(len(p.class)))
				}
			}
		}
		if p.until > 0 {
			handle(func(n int) bool { return s.HandleTo(p.until, n) })
			p.average(one, s)
			handle(s.Handle)
			p.worked(one, s.Take())
		} else {
			handle(s.Handle)
			p.average(one, s)
		}
		complete = complete && s.Done()
		if system.Failing != nil {
			p.history.hours = s.TakeHours()
		}
		if p.Loop {
			p.moved(one, s)
		}
		if one.stretched != nil {
			least += one.least
		}
	}
	if least > 0 {
		p.work = least
	}
	for n, o := range outcomes {
		p.book(int64(n), int(p.class[n]), o)
	}
	return complete
}

// moved notes how far a loop has moved the jobs.
func (p *scheduled) moved(one *part, s *events.Simulator) {
	last := p.first
	for n := range one.jobs {
		if at := s.Came(int64(n)); at > last {
			last = at
		}
	}
	p.later, p.last, p.looped = last-p.last, last, one.loop.waiting
}

// average takes what a part has measured into the history, whose times are from the first arrival of
// all.
func (p *scheduled) average(one *part, s *events.Simulator) {
	area := s.Take()
	p.span = max(p.span, one.jobs[0].Arrival-p.first+area.Time)
	p.waste += area.Wasted
	p.sojourn += area.System
	p.on, p.setup = p.on+area.On, p.setup+area.Setup
	p.busy += float64(one.servers)*area.Time - area.Idle
	p.worked(one, area)
	var up [1]float64
	s.TakeAway(up[:], 1)
	p.up = up[0]
	if one.nodes != nil {
		p.onNodes, p.anywhere = make([]float64, 4), one.nodes.anywhere()
		s.TakeNodes(p.onNodes, 1)
	}
	if one.units != nil {
		p.idleUnits = make([]float64, 2*len(one.units))
		s.TakeUnits(p.idleUnits, 1)
	}
}

// worked adds the work of a time.
func (p *scheduled) worked(one *part, area events.Area) {
	p.work += float64(one.servers)*area.Time - area.Idle
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
