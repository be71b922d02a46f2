package events

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/policy"
)

// sizedJob is a job of the twin. Work is time on the servers that it needs.
type sizedJob struct {
	number                   int
	form                     *compiled.Form // nil: it holds what it needs
	need, least, size, level int
	left, estimate           float64
	until                    float64 // it stands still until then
	start, end, held         float64
	resizes                  int
	fresh                    bool
	arrival, service         float64
}

func (j *sizedJob) rate() float64 {
	if j.form == nil {
		return 1
	}
	return j.form.Speed[j.size]
}

func (j *sizedJob) elastic() bool { return j.form != nil && !j.form.Partial }

// twinOfSizes runs a log event by event and finds everything anew each time: who starts by reading the
// queue from its beginning, the sizes one step at a time, and the ends from the work that is left.
type twinOfSizes struct {
	servers       int
	how           string // FCFS, FirstFit, EASY or Priority
	oldest        bool
	queue, runs   []*sizedJob // in order of arrival; in order of start
	now           float64
	idle, blocked float64
}

// free is what nobody holds if all elastic jobs give back what they hold beyond their least.
func (w *twinOfSizes) free() int {
	n := w.servers
	for _, j := range w.runs {
		if j.elastic() {
			n -= j.least
		} else {
			n -= j.size
		}
	}
	return n
}

func (w *twinOfSizes) begin(j *sizedJob, most int) {
	j.size = j.least
	if j.form != nil && j.form.Partial {
		j.size = max(j.least, min(w.free(), j.need, most))
	}
	j.start, j.until, j.fresh = w.now, w.now, true
	w.queue = slices.DeleteFunc(w.queue, func(x *sizedJob) bool { return x == j })
	w.runs = append(w.runs, j)
}

func (w *twinOfSizes) pass() {
	for {
		var next *sizedJob
		for _, j := range w.queue {
			switch {
			case w.how == "FirstFit" && j.least > w.free():
			case next == nil || w.how == "Priority" && j.level < next.level:
				next = j
			}
		}
		if next == nil {
			return
		}
		if next.least > w.free() {
			if w.how == "EASY" {
				w.backfill(next)
			}
			return
		}
		w.begin(next, math.MaxInt)
	}
}

// backfill starts jobs behind a head that waits.
func (w *twinOfSizes) backfill(head *sizedJob) {
	type release struct {
		at      float64
		servers int
	}
	var list []release
	for _, j := range w.runs {
		r := release{max(w.now, max(w.now, j.until)+j.estimate/j.rate()), j.size}
		if j.elastic() {
			r.servers = j.least
		}
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b release) int {
		if a.at < b.at {
			return -1
		}
		return 1
	})
	free, shadow := w.free(), w.now
	for _, r := range list {
		if free >= head.least && r.at > shadow {
			break
		}
		free, shadow = free+r.servers, r.at
	}
	extra := free - head.least
	for _, j := range slices.Clone(w.queue[1:]) {
		estimate := j.estimate
		if j.form != nil {
			estimate /= j.form.Speed[j.least]
		}
		switch ends := w.now+estimate <= shadow; {
		case j.least > w.free() || !ends && j.least > extra:
		case ends:
			w.begin(j, math.MaxInt)
		default:
			w.begin(j, extra)
			if extra -= j.size; j.elastic() {
				extra += j.size - j.least
			}
		}
	}
}

// share gives what is free to elastic jobs one step at a time.
func (w *twinOfSizes) share() {
	free, sizes := w.free(), map[*sizedJob]int{}
	for _, j := range w.runs {
		if j.elastic() {
			sizes[j] = j.least
		}
	}
	for {
		var grows *sizedJob
		step := 0
		for _, j := range w.runs {
			if !j.elastic() || w.oldest && grows != nil || grows != nil && sizes[j] >= sizes[grows] {
				continue
			}
			for to := sizes[j] + 1; to <= j.form.Most; to++ {
				if j.form.Sizes == nil || slices.Contains(j.form.Sizes, to) {
					if to-sizes[j] <= free {
						grows, step = j, to-sizes[j]
					}
					break
				}
			}
		}
		if grows == nil {
			break
		}
		free, sizes[grows] = free-step, sizes[grows]+step
	}
	for _, j := range w.runs {
		if size, is := sizes[j]; is && size != j.size {
			if j.size = size; !j.fresh {
				j.until = w.now + j.form.Cost
				j.resizes++
			}
		}
		j.fresh = false
	}
}

// to lets the time pass.
func (w *twinOfSizes) to(t float64) {
	held := 0
	for _, j := range w.runs {
		held += j.size
		j.held += float64(j.size) * (t - w.now)
		if worked := t - max(w.now, j.until); worked > 0 {
			j.left -= worked * j.rate()
			j.estimate = max(0, j.estimate-worked*j.rate())
		}
	}
	w.idle += float64(w.servers-held) * (t - w.now)
	if len(w.queue) > 0 {
		w.blocked += float64(w.servers-held) * (t - w.now)
	}
	w.now = t
}

func (w *twinOfSizes) run(jobs []*sizedJob) {
	next := 0
	for events := 0; (next < len(jobs) || len(w.runs) > 0) && events < 1000; events++ {
		t := math.Inf(1)
		if next < len(jobs) {
			t = jobs[next].arrival
		}
		for _, j := range w.runs {
			t = min(t, max(w.now, j.until)+j.left/j.rate())
		}
		w.to(t)
		w.runs = slices.DeleteFunc(w.runs, func(j *sizedJob) bool {
			if over := j.left == 0; over {
				j.end = t
			}
			return j.left == 0
		})
		for next < len(jobs) && jobs[next].arrival == t {
			w.queue = append(w.queue, jobs[next])
			next++
		}
		w.pass()
		w.share()
	}
}

// scriptOfSizes is a random queue whose times and speeds are made of few powers of two, so that nothing is
// rounded and many things happen at once.
func scriptOfSizes(rng *rand.Rand) (q compiled.System, how string, logged []Logged, jobs []*sizedJob) {
	servers := 3 + rng.IntN(12)
	x := &compiled.Elastic{Oldest: rng.IntN(3) == 0}
	for range 1 + rng.IntN(4) {
		least := 1 + rng.IntN(servers)
		need := least + rng.IntN(servers-least+1)
		f := compiled.Form{Partial: rng.IntN(4) == 0, Least: least, Need: need, Most: need + rng.IntN(servers-need+1)}
		if f.Partial {
			f.Most = need
		} else if rng.IntN(2) == 0 {
			f.Cost = float64(rng.IntN(3)) / 4
		}
		f.Speed = make([]float64, f.Most+1)
		for k := least; k <= f.Most; k++ {
			f.Speed[k] = math.Exp2(max(-1, min(1, math.Floor(math.Log2(float64(k)/float64(need))+0.3))))
		}
		f.Speed[need] = 1
		if !f.Partial && rng.IntN(3) == 0 {
			for k := least; k <= f.Most; k++ {
				if k == least || k == need || rng.IntN(2) == 0 {
					f.Sizes = append(f.Sizes, k)
				}
			}
		}
		x.Forms = append(x.Forms, f)
	}
	how = []string{"FCFS", "FirstFit", "EASY", "Priority"}[rng.IntN(4)]
	q = compiled.System{Servers: servers, Elastic: x}
	// Classes are what policies tell apart: a need, or a level.
	switch how {
	case "FCFS", "FirstFit", "EASY":
		for n := range servers {
			q.Needs = append(q.Needs, n+1)
			q.Known = append(q.Known, policy.Class{Name: string(rune('a' + n)), Need: n + 1})
		}
	}
	switch how {
	case "FirstFit":
		q.Policy = policy.FirstFit{}
	case "EASY":
		q.Policy = policy.EASY().Estimates(policy.Given())
	case "Priority":
		var levels [][]string
		for level := range 2 {
			var names []string
			for n := range servers {
				name := string(rune('a'+n)) + string(rune('0'+level))
				names = append(names, name)
				q.Needs = append(q.Needs, n+1)
				q.Known = append(q.Known, policy.Class{Name: name, Need: n + 1})
			}
			levels = append(levels, names)
		}
		q.Policy = policy.Priority{Levels: levels}
	}
	q.Classes = len(q.Needs)
	at := 0.0
	for n := range 14 { // each event may take two more digits
		j := &sizedJob{number: n, arrival: at, service: float64(1+rng.IntN(12)) / 2, level: rng.IntN(2)}
		form := int32(rng.IntN(len(x.Forms) + 1))
		if j.need = 1 + rng.IntN(servers); form > 0 {
			j.form = &x.Forms[form-1]
			j.need = j.form.Need
		}
		if j.least = j.need; j.form != nil {
			j.least = j.form.Least
		}
		j.size = j.need
		j.left, j.estimate = j.service, j.service
		if rng.IntN(3) == 0 {
			j.estimate = float64(1+rng.IntN(12)) / 2
		}
		class := j.least - 1
		if how == "Priority" {
			class += j.level * servers
		}
		jobs = append(jobs, j)
		logged = append(logged, Logged{Arrival: at, Service: j.service, Estimate: j.estimate, Need: j.need, Class: class, Form: form})
		at += float64(rng.IntN(4)*rng.IntN(3)) / 4
	}
	return q, how, logged, jobs
}

// TestSizesTwin holds jobs that change their size against a twin: every start and end, what each job
// held, how often its size changed, and the servers that were idle.
func TestSizesTwin(t *testing.T) {
	resizes, partial := 0, 0
	for seed := range uint64(6000) {
		rng := rand.New(rand.NewPCG(seed, 8))
		q, how, logged, jobs := scriptOfSizes(rng)
		w := &twinOfSizes{servers: q.Servers, how: how, oldest: q.Elastic.Oldest}
		w.run(jobs)
		s := New(q)
		got := make([]Record, len(jobs))
		s.Recorded = func(r *Record) { got[r.Number] = *r }
		s.ResetTo(Log(logged), 1)
		for s.Handle(1000) {
		}
		for n, j := range jobs {
			r := &got[n]
			if r.Start != j.start || r.End != j.end || r.Held != j.held || r.Resizes != j.resizes || r.Work != j.service || r.Service != j.end-j.start {
				t.Fatalf("seed %d, %s on %d servers, job %d: from %v to %v, held %v, %d resizes; the twin has %v to %v, %v, %d",
					seed, how, q.Servers, n, r.Start, r.End, r.Held, r.Resizes, j.start, j.end, j.held, j.resizes)
			}
			resizes += j.resizes
			if j.form != nil && j.form.Partial && j.size > j.least && j.size < j.need {
				partial++
			}
		}
		if a := s.Take(); a.Idle != w.idle || a.Wasted != w.blocked {
			t.Fatalf("seed %d: idle %v and %v while jobs wait; the twin has %v and %v", seed, a.Idle, a.Wasted, w.idle, w.blocked)
		}
	}
	if resizes < 10_000 || partial < 500 {
		t.Errorf("%d changes of size and %d partial jobs of a middle size: the scripts try too little", resizes, partial)
	}
}
