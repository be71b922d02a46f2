package trace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Scenario is a change of the system, of the policy or of the jobs.
type Scenario struct {
	Name   string
	Log    *Trace // the jobs; nil is the log itself
	Replay Replay

	Setting string // how the scheduler is told, as in slurm.conf; "" if it is no setting
	Costs   string // what it takes; "" if nothing
}

// Outlook is what scenarios would have meant for a log. It is plain data.
type Outlook struct {
	Title     string
	Unit      result.Unit // of all times
	Level     float64
	Days      int
	Base      Outcome // as it was
	Scenarios []Outcome
	Logged    *Validation // the base compared with the logged waits; nil if the log has none
	Log       result.Log  // of a log that was read: its window and its lines; else its zero value
	Notes     []string
}

// Outcome is what a scenario comes to.
type Outcome struct {
	Name   string
	Result *result.Result
	// Waiting is the mean wait, with an interval over the days of the log.
	Waiting result.Estimate
	// All and Classes are the changes of the mean wait against the base; negative is shorter. A
	// class that one of both has not is left out. With elastic jobs they also have the changes of the mean
	// response, which is the wait and the time in service.
	All     result.Change
	Classes []result.Change
	// Accounts are the same by account, whatever the classes are; nil of a log of fewer than two.
	Accounts []result.Change
	// Low and High are the ends of the interval of the change of the mean wait of all jobs, whose
	// half-width is the longer of both sides. It reaches farther away from 0 than towards it: a log
	// whose days happen to be calm shows less of any change.
	Low, High float64
	// LowResponse and HighResponse are the same of the change of the mean response, with elastic jobs; 0
	// without them.
	LowResponse, HighResponse float64 `json:",omitempty"`
	// IdleHours are server-hours without a job, BlockedHours those while a job waits; NaN with
	// types of resources.
	IdleHours, BlockedHours float64
	// Users whose jobs are in both, and how many of them wait longer or less long on average, by
	// more than a minute and a twentieth. WorstUser waits longer by WorstBy on average.
	Users, Worse, Better int
	WorstUser            string
	WorstBy              float64
	// Parts is how many parts of the log, of equal length, have jobs in both. In Shorter of them the
	// mean wait is shorter than that of the base by more than a hundredth, in Longer longer. They show the
	// direction of a change even where its size has no interval.
	Parts, Shorter, Longer int
	PerDay                 float64 // change of the waiting time of all jobs of a day together
	Setting, Costs         string  // of the scenario
}

// WhatIf replays the log as it was, base, and under each scenario, and says what would have
// changed: mean waits with paired differences, by class and of all jobs, idle server-hours, and
// for how many users it gets worse. If the log has waits, Logged compares
// the base with them.
//
// Intervals are by resampling the days of the log 999 times, in blocks of an eighth of the log;
// differences are of the same days. They are about the days of this log and say nothing of errors
// of the model, about which Logged does. They are as wide as the work of the days leaves open how
// close the load is to what can be served. There are none below 28 days, where that is left open
// altogether, where a few large jobs decide the load, or where busy days follow busy days; a note
// says which. Times must be in seconds.
//
// When ctx ends it returns the scenarios done by then, along with the error of the context.
// Options: those of every question.
func (t *Trace) WhatIf(ctx context.Context, base Replay, scenarios []Scenario, opts ...mjq.Option) (_ *Outlook, err error) {
	defer panics.Catch(&err)
	var f check.Faults
	t.scenarioFaults(&f, base, scenarios)
	if err := f.Err("WhatIf on trace " + t.Name); err != nil {
		return nil, err
	}
	t = t.windowed(base.Since, base.Until)
	q := t.asking(ctx, opts, 0)
	out := &Outlook{Log: t.account(), Unit: result.Seconds, Days: q.days, Title: fmt.Sprintf("Trace %s: %s in %s", t.Name, spec.Count(len(t.Jobs), "job"), spec.Count(q.days, "day"))}
	if q.base, err = q.run(Scenario{Name: "as it was", Replay: base}); err != nil {
		return nil, err
	}
	out.Level, q.resamples = q.base.level, resampleDays(q.days, q.base.seed)
	if out.Base = q.outcome(q.base, q.base); t.Jobs[0].WaitKnown {
		out.Logged = q.validate()
	}
	q.note(out, q.base)
	for _, s := range scenarios {
		run, wrong := q.run(s)
		if wrong != nil {
			err = errors.Join(err, fmt.Errorf("scenario %q: %w", s.Name, wrong))
		}
		if ctx.Err() != nil {
			break
		}
		if run != nil && wrong == nil {
			out.Scenarios = append(out.Scenarios, q.outcome(run, q.base))
			q.note(out, run)
		}
	}
	return out, err
}

// scenarioFaults says what is wrong with scenarios of a log, and with the log.
func (t *Trace) scenarioFaults(f *check.Faults, base Replay, scenarios []Scenario) {
	f.Join(t.daysFault())
	if len(base.Partitions) == 0 { // which may be the clusters
		f.Join(oneCluster(&t.Report))
	}
	for i, s := range scenarios {
		f.That(s.Name != "", "Scenarios: scenario %d has no name; give it one", i+1)
	}
}

// note says why a replay has no intervals, where it has none.
func (q *whatIf) note(out *Outlook, x *served) {
	switch {
	case q.days < fewestDays && x == q.base:
		out.Notes = append(out.Notes, q.noInterval())
	case q.days >= fewestDays && x.calm.why != "":
		out.Notes = append(out.Notes, fmt.Sprintf("%s: there are no intervals, because %s.", x.name, x.calm.why))
	}
}

// whatIf is the question of that name.
type whatIf struct {
	t         *Trace
	ctx       context.Context
	opts      []mjq.Option
	first     float64 // day
	days      int
	base      *served
	resamples [][]int

	workers     int // 0: as many as there are processors
	done, total int // replays, of a page
	report      func(done, total float64)
}

// asking is the question about a log.
func (t *Trace) asking(ctx context.Context, opts []mjq.Option, workers int) *whatIf {
	days, first := t.days()
	return &whatIf{t: t, ctx: ctx, opts: opts, first: first, days: len(days), workers: workers}
}

// served is a log that was replayed, with the wait of every job.
type served struct {
	name  string
	of    Scenario
	log   *Trace
	how   *replay
	waits []float64 // NaN of a job that was not served
	kept  []float64 // parts of the waits, for which limits kept jobs out of the queue
	spent []float64 // the time in service; nil where it is that of the log
	r     *result.Result
	a     *account
	level float64
	seed  uint64
	calm  calm
}

// run replays a scenario.
func (q *whatIf) run(s Scenario) (*served, error) {
	log := s.Log
	if log == nil {
		log = q.t
	}
	log = log.windowed(s.Replay.Since, s.Replay.Until)
	x := &served{name: s.Name, of: s, log: log, how: log.replayed(q.ctx, "WhatIf", s.Replay, q.opts), waits: make([]float64, len(log.Jobs)), kept: make([]float64, len(log.Jobs))}
	for i := range x.waits {
		x.waits[i] = math.NaN()
	}
	if len(s.Replay.Elastic) > 0 {
		x.spent = make([]float64, len(log.Jobs))
	}
	x.level, x.seed = x.how.Level, x.how.Seed
	x.how.outcomes = func(n int64, o outcome) {
		if o.served && n >= int64(x.how.WarmUp) {
			x.waits[n], x.kept[n] = o.Wait, o.kept
			if x.spent != nil {
				x.spent[n] = o.Service
			}
		}
	}
	var err error
	if x.r, x.a, err = x.how.run(q.ctx); x.r != nil {
		x.calm = q.calm(x)
	}
	return x, err
}

// outcome is what a scenario comes to against the base.
func (q *whatIf) outcome(x, base *served) Outcome {
	all, was := q.daily(x, nil), q.daily(base, nil)
	o := Outcome{Name: x.name, Result: x.r, IdleHours: x.a.idle / 3600, BlockedHours: x.a.blocked / 3600, Setting: x.of.Setting, Costs: x.of.Costs}
	if x.how.Units != nil {
		o.IdleHours, o.BlockedHours = math.NaN(), math.NaN()
	}
	o.Waiting, _ = q.estimate(all, nil, x.calm.factor)
	factor := max(x.calm.factor, base.calm.factor) // NaN if one is
	change, near := q.estimate(all, was, factor)
	o.All = result.Change{Name: "all", Waiting: change, Response: result.Unknown(), Slowdown: result.Unknown()}
	o.Low, o.High = uneven(change, near)
	o.PerDay = change.Value * float64(len(q.t.Jobs)) / float64(q.days)
	o.byPart(all, was)
	var classes []string
	for i := range x.r.Classes {
		classes = append(classes, x.r.Classes[i].Name)
	}
	o.Classes = q.changes(classes, q.dailyByClass(x, x.waits), q.dailyByClass(base, base.waits), factor)
	if of := q.dailyBy(x, x.waits, ByAccount); len(of) > 1 {
		o.Accounts = q.changes(slices.Sorted(maps.Keys(of)), of, q.dailyBy(base, base.waits, ByAccount), factor)
	}
	if x.spent != nil || base.spent != nil {
		q.responses(&o, x, base, factor)
	}
	o.byUser(x, base)
	return o
}

// uneven are the ends of the interval of a change, which is nearer to it on the side of 0.
func uneven(change result.Estimate, near float64) (low, high float64) {
	if change.Value < 0 {
		return change.Lo(), change.Value + near
	}
	return change.Value - near, change.Hi()
}

// changes are those of the mean wait, by name and day, of names that are in both.
func (q *whatIf) changes(names []string, of, before map[string][]daySum, factor float64) (list []result.Change) {
	for _, name := range names {
		if of[name] == nil || before[name] == nil {
			continue
		}
		if e, _ := q.estimate(of[name], before[name], factor); e.Known() {
			list = append(list, result.Change{Name: name, Waiting: e, Response: result.Unknown(), Slowdown: result.Unknown()})
		}
	}
	return list
}

// byPart says in how many parts of the log waits are shorter or longer.
func (o *Outcome) byPart(is, was []daySum) {
	for k := range dayBlocks {
		from, to := k*len(is)/dayBlocks, (k+1)*len(is)/dayBlocks
		var after, before daySum
		for d := from; d < to; d++ {
			after, before = after.plus(is[d]), before.plus(was[d])
		}
		if after.jobs == 0 || before.jobs == 0 {
			continue
		}
		o.Parts++
		switch a, b := after.sum/after.jobs, before.sum/before.jobs; {
		case a < 0.99*b:
			o.Shorter++
		case a > 1.01*b:
			o.Longer++
		}
	}
}

// byUser counts for whom it gets worse.
func (o *Outcome) byUser(x, base *served) {
	was, is := base.byUser(), x.byUser()
	for user, w := range was {
		i, known := is[user]
		if !known || user == "" {
			continue
		}
		o.Users++
		before, after := w.sum/w.jobs, i.sum/i.jobs
		switch change := after - before; {
		case change > 60 && change > before/20:
			o.Worse++
			if change > o.WorstBy || change == o.WorstBy && user < o.WorstUser {
				o.WorstUser, o.WorstBy = user, change
			}
		case -change > 60 && -change > before/20:
			o.Better++
		}
	}
}

// daySum is what the jobs of a day, or of a user, waited.
type daySum struct{ jobs, sum float64 }

func (s daySum) plus(o daySum) daySum { return daySum{s.jobs + o.jobs, s.sum + o.sum} }

// byUser are the waits by user.
func (x *served) byUser() map[string]daySum {
	out := map[string]daySum{}
	for i, w := range x.waits {
		if !math.IsNaN(w) {
			s := out[x.log.Jobs[i].User]
			out[x.log.Jobs[i].User] = daySum{s.jobs + 1, s.sum + w}
		}
	}
	return out
}
