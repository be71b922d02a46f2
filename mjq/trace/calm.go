package trace

import (
	"fmt"
	"math"
	"sort"

	"github.com/mjqueue/mjq/mjq/result"
)

// calm is how far the days of a log may have been calmer than such days are on average. The waits
// of a log tell little of that: in a log that happens to be calm they are short and hardly vary.
// The work that arrives tells more, as it does not depend on the queue.
type calm struct {
	factor float64 // of the mean wait, from 1; NaN: it cannot be told
	why    string  // it cannot
}

const (
	mostFactor   = 3    // a wait that may be so much longer has no interval
	fewestEqual  = 50   // jobs of the same size would give a load that varies as that of the log
	mostKept     = 0.1  // of the waits, outside the queue
	mostFollowed = 0.25 // correlation of the work of a day with that of the next
)

// load is the work that a part of the system gets, and what it serves while jobs wait.
type load struct {
	name            string
	days            []float64 // work by day of arrival
	squares, fourth float64   // sums of powers of the work of jobs
	blocked         spans     // times at which a job waits
	served          float64   // work done then
}

// calm is about the days of a replay; that of the part of the system about which least is known.
func (q *whatIf) calm(x *served) calm {
	waits, kept := 0., 0.
	for i, wait := range x.waits {
		if !math.IsNaN(wait) {
			waits, kept = waits+wait, kept+x.kept[i]
		}
	}
	if kept > mostKept*waits {
		return calm{math.NaN(), fmt.Sprintf("%.0f %% of the waits are those of jobs that limits keep out of the queue; read differences as directions", 100*kept/waits)}
	}
	worst := calm{factor: 1}
	if x.how.Loop && x.how.following() > mostFollow {
		return worst // calm days bring more work
	}
	for _, l := range q.loads(x) {
		c := l.calm(q.days, x.level)
		if math.IsNaN(c.factor) {
			return c
		}
		worst.factor = max(worst.factor, c.factor)
	}
	return worst
}

// loads are those of the parts of the system.
func (q *whatIf) loads(x *served) []load {
	parts := make([]load, max(1, len(x.how.Partitions)))
	for k, p := range x.how.Partitions {
		parts[k].name = fmt.Sprintf("partition %q: ", p.Name)
	}
	each := func(f func(l *load, j *Job, work, from, to float64)) { // in the queue

		for i, wait := range x.waits {
			j := &x.log.Jobs[i]
			if k, err := x.how.partOf(j); err == nil && !math.IsNaN(wait) {
				f(&parts[k], j, x.how.size(j)*j.Service, j.Arrival+x.kept[i], j.Arrival+wait)
			}
		}
	}
	for k := range parts {
		parts[k].days = make([]float64, q.days)
	}
	each(func(l *load, j *Job, work, from, to float64) {
		l.days[q.day(j)] += work
		l.squares += work * work
		l.fourth += work * work * work * work
		l.blocked.add(from, to)
	})
	each(func(l *load, j *Job, work, from, start float64) {
		l.served += x.how.size(j) * (l.blocked.before(start+j.Service) - l.blocked.before(start))
	})
	return parts
}

// size is how much of the system a job takes: its servers, or its shares of the types added up.
func (q *replay) size(j *Job) (sum float64) {
	if q.Units == nil {
		return float64(j.Need)
	}
	for k, n := range j.Units {
		sum += float64(n) / float64(q.Units[k])
	}
	return sum
}

// calm compares the work that arrives with that which is served while jobs wait. A mean wait grows
// as the inverse of the difference or faster, its change as the square; the factor is the square of
// how much smaller the difference may be, by the standard error of the work over the days.
func (l *load) calm(days int, level float64) calm {
	waits := l.blocked.total()
	if waits == 0 {
		return calm{factor: 1}
	}
	mean, can := 0., l.served/waits
	for _, w := range l.days {
		mean += w / Day / float64(days)
	}
	apart := withoutWeekdays(l.days)
	own, next := 0., 0.
	for d, z := range apart {
		own += z * z
		if d > 0 {
			next += z * apart[d-1]
		}
	}
	if equal := l.squares * l.squares / l.fourth; equal < fewestEqual {
		return calm{math.NaN(), fmt.Sprintf("%sa few large jobs decide the load, which varies like that of %.0f equal jobs; cap services or give a longer log", l.name, equal)}
	}
	if next > mostFollowed*own {
		return calm{math.NaN(), fmt.Sprintf("%sbusy days follow busy days (correlation of their work %.2f); read differences as directions", l.name, next/own)}
	}
	left := can - mean
	// The few blocks vary less than the days by chance alone, and a log is trusted too much if they do.
	spread := max(blockError(apart, dayBlock(days), 1), blockError(apart, 1, 1))
	least := left - result.StudentT(level, dayBlocks/2-1)*spread/Day
	if !(least > 0) || left > math.Sqrt(mostFactor)*least {
		return calm{math.NaN(), fmt.Sprintf("%sthe load is %.0f %% of what can be served, too near for %d days to tell how long waits are on average; give a longer log", l.name, 100*mean/can, days)}
	}
	return calm{factor: (left / least) * (left / least)}
}

// withoutWeekdays is the work of days less its mean over days of the same day of the week, scaled so
// that it varies as if those means were known.
func withoutWeekdays(work []float64) []float64 {
	out, n := make([]float64, len(work)), float64(len(work))
	for first := range min(7, len(work)) {
		mean, count := 0., 0.
		for d := first; d < len(work); d += 7 {
			mean += work[d]
			count++
		}
		for d := first; d < len(work); d += 7 {
			out[d] = (work[d] - mean/count) * math.Sqrt(n/(n-7))
		}
	}
	return out
}

// spans are stretches of time in order, none of which touches the next.
type spans struct{ from, to, earlier []float64 }

// add takes in a stretch. One that begins before the last counts from there on.
func (s *spans) add(from, to float64) {
	n := len(s.to)
	if n > 0 {
		from = max(from, s.from[n-1])
	}
	switch {
	case to <= from:
	case n > 0 && from <= s.to[n-1]:
		s.to[n-1] = max(s.to[n-1], to)
	default:
		s.from, s.to, s.earlier = append(s.from, from), append(s.to, to), append(s.earlier, s.total())
	}
}

// total is their length.
func (s *spans) total() float64 {
	if n := len(s.to); n > 0 {
		return s.earlier[n-1] + s.to[n-1] - s.from[n-1]
	}
	return 0
}

// before is their length up to a time.
func (s *spans) before(t float64) float64 {
	n := sort.SearchFloat64s(s.from, t)
	if n == 0 {
		return 0
	}
	return s.earlier[n-1] + min(t, s.to[n-1]) - s.from[n-1]
}
