package trace

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
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
			a.Notes = append(a.Notes, fmt.Sprintf("Not replayed with users who wait: %s (%s).", o.Name, check.First(err)))
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

// usualSession is the longest think time within a session, in seconds (Zakay and Feitelson, 2013).
const usualSession = 20 * 60

// loop is how the jobs of the users of a log follow each other.
type loop struct {
	session float64
	last    map[string]int32 // by user, his last job
	ends    []float64        // of jobs under the scheduler that wrote the log; NaN if not known
	came    []float64
	follows []events.Follow
	waiting int // jobs that come after the end of another
}

// sessionIn is the longest think time that moves with the end of a job.
func (how *Replay) sessionIn(unit result.Unit) float64 {
	switch {
	case how.Session > 0:
		return how.Session
	case how.Session == mjq.None:
		return math.Inf(1)
	}
	for _, known := range []struct {
		unit    result.Unit
		seconds float64
	}{{"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}} {
		if known.unit == unit {
			return usualSession / known.seconds
		}
	}
	return math.Inf(1)
}

// add takes in the next job of the log. Under the scheduler that wrote the log its user either waited for
// the end of the job before, and then thought, or did not.
func (l *loop) add(j *Job) {
	n := int32(len(l.follows))
	end := math.NaN()
	if j.WaitKnown {
		end = j.Arrival + j.Waited + j.Service
	}
	l.ends, l.came = append(l.ends, end), append(l.came, j.Arrival)
	if l.last == nil {
		l.last = map[string]int32{}
	}
	before, known := l.last[j.User]
	if j.User != "" {
		l.last[j.User] = n
	}
	if j.User == "" || !known {
		l.follows = append(l.follows, events.Follow{})
		return
	}
	x := events.Follow{After: events.Arrival, Job: before, Gap: j.Arrival - l.came[before]}
	if think := j.Arrival - l.ends[before]; think > l.session {
		x.After = events.NotBefore
	} else if think >= 0 {
		x.After, x.Gap = events.End, think
		l.waiting++
	}
	l.follows = append(l.follows, x)
}

// loopFaults says what is wrong with a replay in a loop.
func (q *replay) loopFaults(f *check.Faults) {
	f.That(q.Session >= 0 && !math.IsInf(q.Session, 1) || q.Session == mjq.None, "Session %v: give the longest think time, 0 for 20 minutes, or mjq.None for any", q.Session)
	f.That(q.Loop || q.Session == 0, "Session %v without Loop: no user waits for his jobs; add Loop, or leave it out", q.Session)
	if !q.Loop {
		return
	}
	f.That(len(q.Partitions) == 0, "Loop along with Partitions: a user waits for jobs of any partition, and each is replayed on its own; replay one partition, chosen by Trace.Only")
	if q.log == nil {
		return
	}
	users, waits := false, false
	for i := range q.log.Jobs {
		j := &q.log.Jobs[i]
		users, waits = users || j.User != "", waits || j.WaitKnown
	}
	f.That(users || len(q.log.Jobs) == 0, "Loop: the log does not say who sent which job; read it with its users, or leave Loop out")
	f.That(waits || len(q.log.Jobs) == 0, "Loop: the log does not say how long jobs waited, so that nobody knows how long users thought; leave Loop out")
}

// loopNote says how far the loop moved the jobs.
func (q *replay) loopNote(h *history) []string {
	if !q.Loop {
		return nil
	}
	moved := fmt.Sprintf("%s later than in the log", q.unit.Text(h.later))
	if h.later < 0 {
		moved = fmt.Sprintf("%s earlier than in the log", q.unit.Text(-h.later))
	} else if h.later == 0 {
		moved = "when it came in the log"
	}
	return []string{fmt.Sprintf("Users wait in a loop: %s of the log came after the end of the job before of the same user, and the last job came %s.", spec.Count(h.looped, "job"), moved)}
}
