package trace

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mjqueue/mjq/mjq/result"
)

// Day is a day of a log in seconds.
const Day = 86400.

// Over says what becomes of jobs that run longer than CapService allows.
type Over string

// Cut ends a job at the cap. Chain goes on in a job of its own, as a program with checkpoints
// does; the next part arrives when the one before it would end after the wait that the log has.
const (
	Cut   Over = "cut"
	Chain Over = "chain"
)

// changed is the trace with other jobs, which are sorted.
func (t *Trace) changed(name string, jobs []Job) *Trace {
	out := *t
	out.Name, out.Jobs = t.Name+", "+name, jobs
	slices.SortStableFunc(out.Jobs, func(a, b Job) int { return cmp.Compare(a.Arrival, b.Arrival) })
	return &out
}

// refused is the trace with a fault, which Validate and every question say.
func (t *Trace) refused(format string, args ...any) *Trace {
	out := *t
	out.wrong = errors.Join(t.wrong, fmt.Errorf(format, args...))
	return &out
}

// CapService is the trace in which no job runs longer than a time. Longer ones are cut, or run as
// a chain of jobs. Time limits above the cap are lowered to it.
func (t *Trace) CapService(most float64, over Over) *Trace {
	switch {
	case !(most > 0) || math.IsInf(most, 1):
		return t.refused("CapService(%v): the cap must be positive and finite", most)
	case over != Cut && over != Chain:
		return t.refused("CapService: %q is no way to shorten jobs; choose trace.Cut or trace.Chain", string(over))
	}
	var jobs []Job
	for _, j := range t.Jobs {
		left := j.Service
		if j.Service = min(left, most); j.Estimate > 0 {
			j.Estimate = min(j.Estimate, most)
		}
		jobs = append(jobs, j)
		for left -= most; over == Chain && left > 0; left -= most {
			j.Arrival += most + j.Waited
			j.Service, j.Waited = min(left, most), 0
			j.WaitKnown = false
			jobs = append(jobs, j)
		}
	}
	return t.changed(fmt.Sprintf("jobs of at most %g (%s)", most, over), jobs)
}

// CapNeed is the trace in which no job needs more than so many servers. Wider ones run on that
// many, longer in proportion, so that their work stays.
func (t *Trace) CapNeed(most int) *Trace {
	if most < 1 || t.Types != nil {
		return t.refused("CapNeed(%d): give a cap of at least one server, of a log that counts one resource", most)
	}
	jobs := slices.Clone(t.Jobs)
	for i := range jobs {
		if j := &jobs[i]; j.Need > most {
			longer := float64(j.Need) / float64(most)
			j.Need, j.Service, j.Estimate = most, j.Service*longer, j.Estimate*longer
		}
	}
	return t.changed(fmt.Sprintf("needs of at most %d", most), jobs)
}

// Only is the trace of the jobs that a function keeps. It is asked about jobs that never started
// as well, whose service is 0.
func (t *Trace) Only(keep func(j *Job) bool) *Trace {
	kept := func(jobs []Job) (list []Job) {
		for i := range jobs {
			if keep(&jobs[i]) {
				list = append(list, jobs[i])
			}
		}
		return list
	}
	out := t.changed("some jobs only", kept(t.Jobs))
	out.Begin, out.Failed = kept(t.Begin), kept(t.Failed)
	out.Left = slices.DeleteFunc(slices.Clone(t.Left), func(d Departure) bool {
		return !keep(&Job{Arrival: d.Arrival, Need: d.Need, Units: d.Units, Class: d.Class, User: d.User, Line: d.Line})
	})
	return out
}

// Without is the trace without the jobs that a function drops; see Only.
func (t *Trace) Without(drop func(j *Job) bool) *Trace {
	out := t.Only(func(j *Job) bool { return !drop(j) })
	out.Name = t.Name + ", without some jobs"
	return out
}

// days are the jobs by day, from the day of the first arrival to that of the last.
func (t *Trace) days() (list [][]Job, first float64) {
	if len(t.Jobs) == 0 {
		return nil, 0
	}
	first = math.Floor(t.Jobs[0].Arrival / Day)
	list = make([][]Job, 1+int(math.Floor(t.Jobs[len(t.Jobs)-1].Arrival/Day)-first))
	from := 0
	for d := range list {
		to := from
		for to < len(t.Jobs) && t.Jobs[to].Arrival < (first+float64(d)+1)*Day {
			to++
		}
		list[d], from = t.Jobs[from:to], to
	}
	return list, first
}

// mostDays is how many days a log may have for a question about days.
const mostDays = 100_000

// daysFault says what keeps a log from being taken apart into days.
func (t *Trace) daysFault() error {
	if err := t.Validate(); err != nil {
		return err
	}
	if span := t.Span() / Day; len(t.Jobs) == 0 || span < 1 || span > mostDays {
		return fmt.Errorf("trace %s covers %s; whole days are drawn again for the intervals, so give a log of 2 to %d days, with times in seconds", t.Name, result.Unit("s").Text(t.Span()), mostDays)
	}
	return nil
}

// Scale is the trace with more of the same load, or less: factor 1.2 brings a fifth more jobs. Each
// day gets jobs of other days, at their times of day and where possible of the same day of the
// week; a part of a day is made of the jobs of some of its users. The load comes out near the
// factor, and the nearer the more users the log has. Times must be in seconds. The draws depend on
// the seed alone.
func (t *Trace) Scale(factor float64, seed uint64) *Trace {
	if !(factor > 0) || factor > 100 {
		return t.refused("Scale(%v): the factor must be positive, and 100 at most", factor)
	}
	if err := t.daysFault(); err != nil {
		return t.refused("Scale: %w", err)
	}
	days, _ := t.days()
	whole, part := math.Modf(factor)
	var jobs []Job
	for d := range days {
		r := rand.New(rand.NewPCG(seed, uint64(d)))
		for c := range int(whole) {
			from := d
			if c > 0 {
				from = otherDay(r, d, len(days))
			}
			jobs = append(jobs, moved(days[from], d-from, nil)...)
		}
		if part > 0 {
			from := d
			if whole > 0 {
				from = otherDay(r, d, len(days))
			}
			jobs = append(jobs, moved(days[from], d-from, someUsers(r, part))...)
		}
	}
	return t.changed(fmt.Sprintf("%g times the load", factor), jobs)
}

// otherDay draws a day of the same day of the week, if there is another, or else any other.
func otherDay(r *rand.Rand, d, days int) int {
	var same []int
	for e := d % 7; e < days; e += 7 {
		if e != d {
			same = append(same, e)
		}
	}
	if len(same) > 0 {
		return same[r.IntN(len(same))]
	}
	return (d + 1 + r.IntN(max(1, days-1))) % days
}

// someUsers keeps a share of users; jobs whose user is not known count one by one.
func someUsers(r *rand.Rand, share float64) func(j *Job) bool {
	kept := map[string]bool{}
	return func(j *Job) bool {
		if j.User == "" {
			return r.Float64() < share
		}
		keep, known := kept[j.User]
		if !known {
			keep = r.Float64() < share
			kept[j.User] = keep
		}
		return keep
	}
}

// moved are jobs so many days later, those that a function keeps; nil keeps all.
func moved(jobs []Job, days int, keep func(j *Job) bool) (list []Job) {
	for _, j := range jobs {
		if keep != nil && !keep(&j) {
			continue
		}
		if j.Arrival += Day * float64(days); days != 0 {
			j.WaitKnown = false // it waited on another day
			j.Waited = 0
		}
		list = append(list, j)
	}
	return list
}

// ShuffleJobs returns the trace with its jobs in random order; the times at which jobs arrive stay.
// Waits that fall by it owe something to jobs that follow others like them. The order depends on
// the seed alone.
func (t *Trace) ShuffleJobs(seed uint64) *Trace {
	rng, jobs := rand.New(rand.NewPCG(seed, 1)), slices.Clone(t.Jobs)
	rng.Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
	for i := range jobs {
		jobs[i].Arrival = t.Jobs[i].Arrival
	}
	return t.changed("jobs in random order", jobs)
}

// ShuffleGaps returns the trace with its interarrival times in random order; the jobs keep theirs.
// Waits that fall by it owe something to busy hours and bursts. The order depends on the seed
// alone.
func (t *Trace) ShuffleGaps(seed uint64) *Trace {
	rng, jobs := rand.New(rand.NewPCG(seed, 0)), slices.Clone(t.Jobs)
	gaps := make([]float64, max(0, len(jobs)-1))
	for i := range gaps {
		gaps[i] = t.Jobs[i+1].Arrival - t.Jobs[i].Arrival
	}
	rng.Shuffle(len(gaps), func(i, j int) { gaps[i], gaps[j] = gaps[j], gaps[i] })
	for i, gap := range gaps {
		jobs[i+1].Arrival = jobs[i].Arrival + gap
	}
	return t.changed("interarrival times in random order", jobs)
}
