package trace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Advice is what a log says to those who run the cluster: what it shows, which policy explains it, what
// would have changed the waits, and what to do. It is plain data; String and HTML are its page.
type Advice struct {
	Title     string
	Unit      result.Unit // of all times
	Level     float64     // of all intervals
	Days      int
	Shown     Shown       // what the log shows
	Explained Explanation // which policy explains it
	Base      Outcome     // the replay that scenarios are compared with
	Scenarios []Outcome   // by effect, the shortest waits first
	Reactions []Reaction  // how much of what they give users would take who wait for their jobs; nil if the log has no users or waits
	Recommend Recommendation
	Failures  *FailureCosts `json:",omitempty"` // what failing nodes cost; nil where the log has no failures
	Unknown   []string      // what a replay cannot know
	Log       result.Log    // its window, and what became of its lines
	Notes     []string
}

// Advise replays a log under the policies that its site may run and names the one that explains the
// waits of the log. It says what would have changed them: other policies, more and fewer servers,
// limits of time, priorities, and servers apart for wide jobs. Other placement on nodes, more jobs and
// scenarios of your own come to these. It recommends one, or says that the log does not decide it.
//
// A policy in how is taken for that of the site. Otherwise scenarios are compared with the policy that
// explains the log best. Failures in how are for Advice.Failures alone: what they cost, and what one more spare
// node would have saved; all other replays are without them. In scenarios of your own a policy, servers and classes left out are those of the
// site: name FCFS as policy.FCFS{}. Intervals are those of WhatIf. Times must be in seconds.
//
// When ctx ends it returns the error of the context. Options: those of every question.
func (t *Trace) Advise(ctx context.Context, how Replay, own []Scenario, opts ...mjq.Option) (_ *Advice, err error) {
	defer panics.Catch(&err)
	var f check.Faults
	t.scenarioFaults(&f, how, own)
	if t.Unit != "" {
		f.That(t.Unit == result.Seconds, "Unit %q: days are found by seconds; give times in seconds", t.Unit)
	}
	o, faults := problem.Read(ctx, "Advise", opts)
	f.Join(faults...)
	if err := f.Err("Advise on trace " + t.Name); err != nil {
		return nil, err
	}
	t = t.windowed(how.Since, how.Until)
	how.Servers, how.NoEstimate = how.servers(t), cmp.Or(how.NoEstimate, t.longestKnown())
	if how.Classes == ByNeed {
		how.Classes = PowersOfTwo
	}
	failing := how
	how.Failures, how.After, how.Crews, how.Spares = nil, nil, 0, 0
	q := t.asking(ctx, append(slices.Clip(opts), mjq.Progress(nil)), o.Workers)
	q.report = replicate.Throttled(o.Progress)
	return q.advise(how, failing, own)
}

// longestKnown is the longest estimate or service time of a log, for jobs without an estimate.
func (t *Trace) longestKnown() (most float64) {
	for i := range t.Jobs {
		most = max(most, t.Jobs[i].Service, t.Jobs[i].Estimate)
	}
	return most
}

// advise asks all that the page says.
func (q *whatIf) advise(how, failing Replay, own []Scenario) (*Advice, error) {
	list := q.t.candidates()
	q.total = 2*len(list) + len(own) // about as many scenarios come
	given := how.Policy
	if given == nil && !q.t.waits() {
		given = q.t.own()
	}
	if at := slices.IndexFunc(list, func(c rule) bool { return given != nil && c.policy.String() == given.String() }); given != nil && at < 0 {
		list = append(list, rule{name: siteName(given), policy: given})
	}
	replays, notes := q.replays(q.ctx, how, list)
	if err := context.Cause(q.ctx); err != nil {
		return nil, err
	}
	if len(replays) == 0 {
		_, err := q.run(Scenario{Name: list[0].name, Replay: how})
		return nil, errors.Join(err, errors.New("no policy can be replayed"))
	}
	a := &Advice{Title: "Advice from the log " + q.t.Name, Unit: result.Seconds, Days: q.days, Log: q.t.account(), Notes: notes}
	explained, nearest := q.explain(replays)
	a.Explained = explained
	if q.base = nearest; given != nil {
		q.base = replays[max(0, slices.IndexFunc(replays, func(x *served) bool { return x.how.Policy.String() == given.String() }))]
	} else if explained.Verdict == NoWaiting { // every policy does; take the usual one
		q.base = replays[min(1, len(replays)-1)]
	}
	a.Level, q.resamples = q.base.level, resampleDays(q.days, q.base.seed)
	a.Shown = q.base.shown(q.waitsOf(nearest != nil), map[bool]string{true: "log", false: "replay"}[nearest != nil])
	if a.Base = q.outcome(q.base, q.base); q.base.calm.why != "" || q.days < fewestDays {
		a.Notes = append(a.Notes, q.noInterval())
	}
	if err := q.compare(a, replays, own); err != nil {
		return nil, err
	}
	var err error
	if a.Failures, err = q.failureCosts(failing); err != nil {
		return nil, err
	}
	a.recommend(q)
	a.Unknown = q.unknown(a)
	for i := range a.Scenarios {
		a.Scenarios[i].Result = nil // a page has no use for a thousand histograms
	}
	return a, nil
}

// weighs reports whether a policy has priorities of weights.
func weighs(p mjq.Policy) bool {
	_, weights, _ := policy.Varied(p, "", 0)
	return weights
}

// siteName names the policy of the site: priorities by what they are, as their text may be long.
func siteName(p mjq.Policy) string {
	if weighs(p) {
		return "the priorities of the site"
	}
	return p.String()
}

// waits reports whether the log has some.
func (t *Trace) waits() bool {
	return slices.ContainsFunc(t.Jobs, func(j Job) bool { return j.WaitKnown })
}

// waitsOf are the waits of the log, or those of the base.
func (q *whatIf) waitsOf(log bool) []float64 {
	if !log {
		return q.base.waits
	}
	waits := make([]float64, len(q.t.Jobs))
	for i := range waits {
		if waits[i] = q.t.Jobs[i].Waited; !q.t.Jobs[i].WaitKnown {
			waits[i] = math.NaN()
		}
	}
	return waits
}

// noInterval says why differences have none.
func (q *whatIf) noInterval() string {
	if q.days < fewestDays {
		return fmt.Sprintf("There are no intervals: the log has %s. Give one of at least %d days.", spec.Count(q.days, "day"), fewestDays)
	}
	return "There are no intervals, because " + q.base.calm.why + "."
}

// compare adds the outcomes of all scenarios, by effect.
func (q *whatIf) compare(a *Advice, replays []*served, own []Scenario) error {
	for _, x := range replays {
		if x != q.base {
			a.Scenarios = append(a.Scenarios, q.outcome(x, q.base))
			x.waits, x.kept = nil, nil
		}
	}
	list := q.t.usual(q.base.how.Replay)
	for _, s := range own {
		list = append(list, s.against(q.base.how.Replay))
	}
	q.total = q.done + len(list)
	found, wrong := make([]*Outcome, len(list)), make([]error, len(list))
	q.each(len(list), func(i int) {
		x, err := q.run(list[i])
		if wrong[i] = err; err == nil {
			o := q.outcome(x, q.base)
			found[i] = &o
		}
	})
	if err := context.Cause(q.ctx); err != nil {
		return err
	}
	for i, o := range found {
		switch {
		case o != nil:
			a.Scenarios = append(a.Scenarios, *o)
		case i >= len(list)-len(own):
			return fmt.Errorf("scenario %q: %w", list[i].Name, wrong[i])
		default:
			a.Notes = append(a.Notes, fmt.Sprintf("Not replayed: %s (%s).", list[i].Name, check.First(wrong[i])))
		}
	}
	slices.SortStableFunc(a.Scenarios, func(x, y Outcome) int { return cmp.Compare(x.All.Waiting.Value, y.All.Waiting.Value) })
	for _, x := range replays {
		list = append(list, Scenario{Name: x.name, Replay: x.how.Replay})
	}
	q.react(a, list)
	return context.Cause(q.ctx)
}

// against is a scenario with what it leaves out as in the base.
func (s Scenario) against(base Replay) Scenario {
	how := &s.Replay
	if how.Policy == nil {
		how.Policy = base.Policy
	}
	how.Servers, how.Classes, how.NoEstimate = cmp.Or(how.Servers, base.Servers), cmp.Or(how.Classes, base.Classes), cmp.Or(how.NoEstimate, base.NoEstimate)
	return s
}

// each does work for 0 to n-1 on several goroutines, until the context ends, and reports progress.
func (q *whatIf) each(n int, work func(i int)) {
	each(q.ctx, n, q.workers, work, func() {
		if q.done++; q.report != nil {
			q.report(float64(q.done), float64(max(q.done, q.total)))
		}
	})
}

// unknown is what a replay of this log cannot know.
func (q *whatIf) unknown(a *Advice) []string {
	missing, also := "Fair share", ", reservations and failed nodes"
	if weighs(q.base.how.Policy) {
		missing = "Usage from before the log"
	}
	if a.Failures != nil && a.Failures.Spare != nil {
		also = " and reservations"
	}
	list := []string{
		missing + also + ": the log does not have them, and a replay without them waits less long.",
		"How users react: shorter waits bring more jobs, and limits change what people ask for.",
	}
	for i := range a.Reactions {
		list[1] = "How users react: limits change what people ask for."
		list = append(list, a.Reactions[i].text(a.Unit))
	}
	if !weighs(q.base.how.Policy) && len(q.t.levels()) < 2 {
		list = append(list, "Priorities: the log has no labels that could be levels. Name their column, as --class-column QOS.")
	}
	if a.Explained.Verdict == NoPolicy || a.Explained.Verdict == NoWaits {
		list = append(list, "The policy of the site: differences are against a policy that may not be its own. Read them as directions.")
	}
	return list
}
