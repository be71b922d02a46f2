package events

import (
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/policy"
)

// stretching are jobs that run on other numbers of servers than they need. Policies see them need their
// least, and what elastic jobs hold beyond it as free: it is theirs again after the pass, as far as nobody
// has taken it. Cost: of an event, a look at all elastic jobs that run, and O(log jobs in service) for each
// that changes its size.
type stretching struct {
	*compiled.Elastic
	returner policy.Returner
	in       Job     // the job that comes, which needs its least
	order    []int32 // elastic jobs that run, in the order of their starts
	runs     []stretch
	extra    int  // servers that they hold beyond their least
	stale    bool // the sizes are to be found again
	cap      int  // servers that a partial job that starts may take; 0: any number
	shares
}

// stretch is what is known of a job beside. Work is time on the servers that it needs.
type stretch struct {
	form         int32 // 1 more than its form; 0: it holds what it needs
	fresh        bool  // it has started since the last pass
	size         int
	rate         float64 // work in a unit of time
	left         float64 // work that was left at since
	estimate     float64 // the same as it is estimated
	since, until float64 // when its size last changed, and until when it stands still after that
	Sizes
}

// Sizes are what a job has run on.
type Sizes struct {
	Work    float64 // time on the servers that it needs
	Held    float64 // servers × time
	Wasted  float64 // of that, what was no service where servers fail
	Resizes int     // changes of its size
}

// reset is without jobs.
func (x *stretching) reset(s *Simulator) {
	x.order, x.runs, x.extra, x.stale = x.order[:0], x.runs[:0], 0, false
	x.returner, _ = s.sched.(policy.Returner)
}

// formOf is 1 more than the form of a job that comes; 0 if it holds what it needs.
func (x *stretching) formOf(in *Job) int32 {
	if in.Form == 0 && x.Of != nil {
		return x.Of[in.Class]
	}
	return in.Form
}

// least is a job as policies see it.
func (x *stretching) least(in *Job) *Job {
	form := x.formOf(in)
	if form == 0 {
		return in
	}
	x.in = *in
	x.in.Need, x.in.Form = int32(x.Forms[form-1].Least), form
	return &x.in
}

// enters takes in a job that comes. Its estimate is of the time on its least servers.
func (x *stretching) enters(j *job, form int32) {
	for int(j.ID) >= len(x.runs) {
		x.runs = append(x.runs, stretch{})
	}
	r := &x.runs[j.ID]
	*r = stretch{form: form, size: j.Need, rate: 1, left: j.Service, estimate: j.Estimate, Sizes: Sizes{Work: j.Service}}
	if form > 0 {
		r.rate = x.Forms[form-1].Speed[j.Need]
		j.Estimate /= r.rate
	}
}

// sized says how many servers a partial job takes that starts.
func (x *stretching) sized(s *Simulator, j *job) {
	r := &x.runs[j.ID]
	if r.form == 0 || !x.Forms[r.form-1].Partial {
		return
	}
	f := &x.Forms[r.form-1]
	r.size = min(s.view.Free, f.Need)
	if x.cap > 0 {
		r.size = max(min(r.size, x.cap), f.Least)
	}
	r.rate = f.Speed[r.size]
	j.Need, j.Estimate = r.size, r.estimate/r.rate
	if s.endure != nil {
		j.Estimate = s.endure.next(s, j)
	}
}

// starts has a job run, and returns how long it does at its present size.
func (x *stretching) starts(s *Simulator, j *job) (length float64) {
	r := &x.runs[j.ID]
	r.since, r.until = s.view.Now, s.view.Now
	if x.varies(j.ID) {
		r.fresh = true
		x.order = append(x.order, j.ID)
	}
	x.stale = true
	return r.left / r.rate
}

// ends takes out a job that has run.
func (x *stretching) ends(s *Simulator, j *job) {
	r := &x.runs[j.ID]
	x.hold(s, j, r)
	x.stale = true
	if x.varies(j.ID) {
		x.extra -= r.size - j.Need
		x.leave(j.ID)
	}
}

// varies reports whether a job changes its size while it runs.
func (x *stretching) varies(id int32) bool {
	form := x.runs[id].form
	return form > 0 && !x.Forms[form-1].Partial
}

// leave takes a job out of those that change their size.
func (x *stretching) leave(id int32) {
	at := slices.Index(x.order, id)
	x.order = slices.Delete(x.order, at, at+1)
	x.stale = true
}

// hold adds up what a job has held at its present size.
func (x *stretching) hold(s *Simulator, j *job, r *stretch) {
	now := s.view.Now
	r.Held += float64(r.size) * (now - r.since)
	if s.Served != nil && now > r.since {
		s.Served(j.Number, j.Class, r.size, s.origin+r.since, s.origin+now)
	}
}

// tells completes the record of a job that leaves.
func (x *stretching) tells(j *job, now float64, to *Record) {
	r := &x.runs[j.ID]
	to.Sizes = r.Sizes
	if r.form > 0 {
		to.Need, to.Service = x.Forms[r.form-1].Need, now-j.began
	}
}

// share has running elastic jobs take the servers that are free after a pass.
func (x *stretching) share(s *Simulator) {
	if !x.stale {
		return
	}
	x.stale = false
	if len(x.order) == 0 {
		return
	}
	for i, size := range x.shares.find(x, s.view.Free) {
		id := x.order[i]
		r := &x.runs[id]
		if size != r.size {
			x.resize(s, id, size)
		}
		r.fresh = false
	}
}

// resize has a job go on with other servers. It stands still for a time, unless it has only just started.
func (x *stretching) resize(s *Simulator, id int32, size int) {
	j, r, now := &s.system.all[id], &x.runs[id], s.view.Now
	f := &x.Forms[r.form-1]
	x.hold(s, j, r)
	done := max(0, now-r.until) * r.rate
	r.left, r.estimate = max(0, r.left-done), r.estimate-done
	x.extra += size - r.size
	r.size, r.rate, r.since, r.until = size, f.Speed[size], now, now
	if !r.fresh {
		r.until += f.Cost
		r.Resizes++
	}
	s.ends.remove(id)
	s.ends.push(departure{r.until + r.left/r.rate, id})
	if x.returner != nil {
		j.Estimate = r.until - now + max(0, r.estimate)/r.rate
		x.returner.Returned(s.view, &j.Job, true)
	}
}

// StartWithin starts a job, which takes no more servers than given, if it may hold several numbers of them.
func (e *engine) StartWithin(id int32, servers int) {
	if e.stretch != nil {
		e.stretch.cap = servers
		defer func() { e.stretch.cap = 0 }()
	}
	e.StartJob(id)
}

// shift moves the origin of time.
func (x *stretching) shift(by float64) {
	for i := range x.runs {
		x.runs[i].since -= by
		x.runs[i].until -= by
	}
}
