package trace

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// Window is the time that the log covers: the one that was given, or the one that an export itself
// shows. An export by sacct -S has the jobs that are alive in a window, but not those that had ended
// before. Its window begins with the first end in the export. A log that begins with its first
// arrival has a window from there to its last departure.
func (t *Trace) Window() result.Window {
	if t.Report.Window.Known() || len(t.Jobs) == 0 {
		return t.Report.Window
	}
	last := 0.
	for i := range t.Jobs {
		last = max(last, t.Jobs[i].end())
	}
	return t.dated(result.Window{Since: t.Jobs[0].Arrival, Until: last, Why: "the log begins with its first arrival and ends with its last departure"})
}

// end is when a job ended, or when it would have without a wait if that is not known.
func (j *Job) end() float64 { return j.Arrival + j.Waited + j.Service }

// dated adds the points in time.
func (t *Trace) dated(w result.Window) result.Window {
	w.Unit = t.Unit
	if zero := t.Report.Origin; !zero.IsZero() {
		at := func(seconds float64) time.Time { return zero.Add(time.Duration(seconds * 1e9)) }
		w.From, w.To = at(w.Since), at(w.Until)
	}
	return w
}

// Within is the log in a window, in its own times: the jobs that arrive from since on and before
// until. Begin has the jobs that were there when the window begins: those that ran, with the rest
// of their service, and then those that waited. Whether an earlier job was still there is known of
// jobs with a known wait alone. +Inf as until leaves the end open.
func (t *Trace) Within(since, until float64) *Trace {
	why := "Since and Until say so"
	switch {
	case math.IsInf(until, 1):
		why = "Since says so"
	case len(t.Jobs) == 0 || since <= t.Jobs[0].Arrival:
		why = "Until says so"
	}
	return t.within(since, until, why)
}

func (t *Trace) within(since, until float64, why string) *Trace {
	out, was := *t, t.Window()
	arrives := func(at float64) int {
		return sort.Search(len(t.Jobs), func(i int) bool { return t.Jobs[i].Arrival >= at })
	}
	from := arrives(since)
	to := max(from, arrives(until))
	out.Jobs, out.Begin = t.Jobs[from:to:to], nil
	r := &out.Report
	r.Skipped = slices.Clone(r.Skipped)
	for _, list := range [][]Job{t.Begin, t.Jobs[:from]} {
		for i := range list {
			if j, there := list[i].atBeginning(since); there {
				out.Begin = append(out.Begin, j)
			}
		}
	}
	// Those that ran come before those that waited, as a scheduler would start them.
	slices.SortStableFunc(out.Begin, func(a, b Job) int { return cmp.Compare(one(a.Waited > 0), one(b.Waited > 0)) })
	for i := range from {
		r.Skipped = tick(r.Skipped, beforeWindow, t.Jobs[i].Line)
	}
	for i := to; i < len(t.Jobs); i++ {
		r.Skipped = tick(r.Skipped, afterWindow, t.Jobs[i].Line)
	}
	out.Left = slices.DeleteFunc(slices.Clone(t.Left), func(d Departure) bool { return d.Arrival < since || d.Arrival >= until })
	out.Failed = slices.DeleteFunc(slices.Clone(t.Failed), func(j Job) bool { return j.end() < since || j.end() >= until })
	r.Jobs, r.Begin, r.Left = len(out.Jobs), len(out.Begin), len(out.Left)
	if math.IsInf(until, 1) {
		until = was.Until
	}
	if math.IsInf(since, -1) && len(t.Jobs) > 0 {
		since = t.Jobs[0].Arrival
	}
	r.Window = out.dated(result.Window{Since: since, Until: until, Why: why, Shown: from > 0 || to < len(t.Jobs)})
	return &out
}

// atBeginning is a job as it is when a window begins: with the rest of its time if it runs, and as
// it is if it waits. False if it has ended.
func (j Job) atBeginning(since float64) (Job, bool) {
	start := j.Arrival + j.Waited
	if !j.WaitKnown || start+j.Service <= since {
		return j, false
	}
	j.Arrival, j.Waited = since, max(0, start-since)
	if gone := since - start; gone > 0 {
		j.Service = max(0, j.Service-gone)
		j.Estimate = max(0, j.Estimate-gone)
	}
	return j, true
}

// Windowed is the log in its window; see Window and Within. Questions take it by themselves.
func (t *Trace) Windowed() *Trace { return t.windowed(0, 0) }

// windowed is the log in the window of a question: 0 is that of the log, None is none.
func (t *Trace) windowed(since, until float64) *Trace {
	own := t.Report.Window
	switch {
	case since < 0 && until <= 0:
		return t
	case since == 0 && until == 0:
		if !own.Shown || len(t.Jobs) == 0 || t.Jobs[0].Arrival >= own.Since {
			return t
		}
		return t.within(own.Since, math.Inf(1), own.Why)
	}
	switch {
	case since == 0:
		since = t.Window().Since
	case since < 0:
		since = math.Inf(-1)
	}
	if until <= 0 {
		until = math.Inf(1)
	}
	return t.Within(since, until)
}

// windowFaults says what is wrong with a window.
func windowFaults(f *check.Faults, since, until float64) {
	for i, x := range []float64{since, until} {
		name := [...]string{"Since", "Until"}[i]
		f.That((x >= 0 || x == mjq.None) && !math.IsInf(x, 1), "%s %v: give a time of the log, 0 for its own window, or mjq.None for none", name, x)
	}
	f.That(since <= 0 || until <= 0 || since < until, "Since %v and Until %v: give the earlier first", since, until)
}

const (
	byChance   = 1e-3    // a log that begins with its first arrival looks cut as often as that
	mostSample = 1 << 16 // jobs that tell how long jobs stay
)

// show notes the window that the log itself shows. ended is the first end in the file.
func (t *Trace) show(ended float64) {
	if len(t.Jobs) == 0 || t.Report.Window.Known() || !t.cut(ended) {
		return
	}
	last := t.Jobs[len(t.Jobs)-1].Arrival
	if !(last > ended) {
		return
	}
	t.Report.Window = t.dated(result.Window{Since: ended, Until: last, Shown: true,
		Why: "the first end in the log is then, and jobs that arrived earlier are in it only if they were still there"})
}

// firstEnd is that of all jobs whose wait is known; +Inf if there is none.
func (t *Trace) firstEnd() float64 {
	first := math.Inf(1)
	for i := range t.Jobs {
		if j := &t.Jobs[i]; j.WaitKnown {
			first = min(first, j.end())
		}
	}
	return first
}

// cut reports whether a log begins at a time, the first end in it, though jobs arrived before. In a
// log that begins with its first arrival it is rare that all these jobs outlive that time, and that
// they are few.
func (t *Trace) cut(at float64) bool {
	n := sort.Search(len(t.Jobs), func(i int) bool { return t.Jobs[i].Arrival >= at })
	if n == 0 || n == len(t.Jobs) {
		return false
	}
	stays := t.stays(n)
	chance := 0. // its logarithm
	for i := 0; i < n && chance >= math.Log(byChance); i++ {
		if !t.Jobs[i].WaitKnown {
			return false
		}
		longer := len(stays) - sort.SearchFloat64s(stays, at-t.Jobs[i].Arrival)
		chance += math.Log(float64(longer+1) / float64(len(stays)+1))
	}
	// Arrivals come in bursts: a quarter of the mean rate is not unlikely.
	before, few := float64(n), float64(len(t.Jobs)-n)/(t.Jobs[len(t.Jobs)-1].Arrival-at)*(at-t.Jobs[0].Arrival)/4
	if few > before { // Chernoff's bound for a Poisson number
		chance -= few - before + before*math.Log(before/few)
	}
	return chance < math.Log(byChance)
}

// stays are the times that jobs from the n-th on are there, of some of them, ascending.
func (t *Trace) stays(n int) (list []float64) {
	step := 1 + (len(t.Jobs)-n)/mostSample
	for i := n; i < len(t.Jobs); i += step {
		if j := &t.Jobs[i]; j.WaitKnown {
			list = append(list, j.Waited+j.Service)
		}
	}
	slices.Sort(list)
	return list
}

// account is that of a log that was read, for an answer about it; the zero value of one that was made.
func (t *Trace) account() (out result.Log) {
	if t == nil || !t.read {
		return out
	}
	out = t.Report
	out.Window = t.Window()
	return out
}
