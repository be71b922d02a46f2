package trace

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// Reaction is how much of what a change gives is left if users wait for their jobs before they send the
// next ones. A replay holds arrivals fixed; in one with Replay.Loop users whose jobs are done earlier come
// back earlier, and take a part of the gain as more jobs.
type Reaction struct {
	Scenario string
	Follow   float64 // share of the jobs that came after the end of the job before of the same user
	// Gain is by how much shorter the mean wait is if arrivals stay as in the log. Left is that in a
	// loop in which users think for any time, LeftInSessions in one in which pauses of more than 20
	// minutes begin a session, whose time does not move. The log does not say which it is.
	Gain, Left, LeftInSessions result.Estimate
}

// mostFollow is the share of jobs that follow others from which on a queue is as a closed one: what comes
// depends on what is served, and its load is no property of the log.
const mostFollow = 0.9

// following is the share of the jobs that come after the end of another in a loop.
func (q *replay) following() float64 {
	l := loop{session: q.sessionIn(q.unit)}
	for i := range q.log.Jobs {
		l.add(&q.log.Jobs[i])
	}
	return float64(l.waiting) / float64(max(1, len(q.log.Jobs)))
}

// react asks how much users would take of what the change gives that is recommended, or is the best
// candidate, and of the most servers.
func (q *whatIf) react(a *Advice, replays []Scenario) {
	if !slices.ContainsFunc(q.t.Jobs, func(j Job) bool { return j.User != "" }) || !q.t.waits() {
		return
	}
	best, open := a.choose()
	more := slices.IndexFunc(a.Scenarios, func(o Outcome) bool { return strings.HasSuffix(o.Name, " more") })
	for i := range a.Scenarios { // the shortest waits first
		o := &a.Scenarios[i]
		if i != more && o != best && (best != nil || o != open) || !(o.All.Waiting.Value < 0) {
			continue
		}
		at := slices.IndexFunc(replays, func(s Scenario) bool { return s.Name == o.Name })
		if at < 0 || replays[at].Log != nil || len(replays[at].Replay.Partitions) > 0 {
			continue // other jobs, or none that a user waits for
		}
		x := Reaction{Scenario: o.Name, Gain: o.All.Waiting.Times(-1)}
		if err := q.loops(&x, replays[at]); err != nil {
			a.Notes = append(a.Notes, fmt.Sprintf("Not replayed with users who wait: %s (%s).", o.Name, firstLine(err)))
			continue
		}
		a.Reactions = append(a.Reactions, x)
	}
}

// loops fills in what is left in a loop.
func (q *whatIf) loops(x *Reaction, s Scenario) error {
	for _, session := range []struct {
		longest float64
		left    *result.Estimate
	}{{0, &x.LeftInSessions}, {mjq.None, &x.Left}} {
		looped := func(s Scenario, how Replay) (*served, error) {
			s.Replay, s.Replay.Loop, s.Replay.Session = how, true, session.longest
			return q.run(s)
		}
		was, err := looped(q.base.of, q.base.how.Replay)
		if err != nil {
			return err
		}
		is, err := looped(s, s.Replay)
		if err != nil {
			return err
		}
		x.Follow = was.how.following()
		*session.left = q.outcome(is, was).All.Waiting.Times(-1)
	}
	return nil
}

// Taken are the least and the largest share of the gain that users take, over how long they may think.
// Below 0 the loop gives more than the replay.
func (x *Reaction) Taken() (least, most float64) {
	a, b := 1-x.Left.Value/x.Gain.Value, 1-x.LeftInSessions.Value/x.Gain.Value
	return min(a, b), max(a, b)
}

// text is the reaction in a sentence.
func (x *Reaction) text(u result.Unit) string {
	least, most := x.Taken()
	kept := func(e result.Estimate) string {
		if math.IsNaN(e.HalfWidth) || math.IsInf(e.HalfWidth, 1) {
			return u.Text(e.Value)
		}
		return fmt.Sprintf("%s (%s to %s)", u.Text(e.Value), u.Text(e.Lo()), u.Text(e.Hi()))
	}
	share := fmt.Sprintf("%.0f to %.0f %%", 100*max(0, least), 100*max(0, most))
	if math.Round(100*max(0, least)) == math.Round(100*max(0, most)) {
		share = fmt.Sprintf("%.0f %%", 100*max(0, most))
	}
	return fmt.Sprintf("%s, if users wait for their jobs: they would take %s of the gain of %s a job as more jobs. %s are left if they think for any time, %s if pauses of more than 20 minutes stay as in the log; %.0f %% of the jobs came after the end of another.",
		x.Scenario, share, u.Text(x.Gain.Value), kept(x.Left), kept(x.LeftInSessions), 100*x.Follow)
}
