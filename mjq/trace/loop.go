package trace

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

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
