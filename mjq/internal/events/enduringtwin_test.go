package events

import (
	"cmp"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/policy"
)

// step is a part of a run: "recovery", "work" or "checkpoint", and how much of it is to come.
type step struct {
	what string
	left float64
}

// frailJob is a job of the twin. Its run is a list of steps that is written out when it begins.
type frailJob struct {
	number              int
	form                *compiled.Form // nil: it holds what it needs
	after               *policy.Checkpoint
	least, need, size   int
	arrival, service    float64
	saved               float64 // work that no failure takes
	steps               []step
	done                map[string]float64 // of what is not saved: work, by the service; and servers × time by what it was
	servers             []int
	struck              []int
	state               string // waits, runs, detects, gone
	begun, fresh, moved bool
	until               float64 // it stands still, or detects, until then
	start, end          float64
	held, heldTime      float64
	keptTime, kept      float64
	keptSince           float64 // time of what is not saved
	hits, resizes       int
}

func (j *frailJob) elastic() bool { return j.form != nil && !j.form.Partial }

func (j *frailJob) rate() float64 {
	if j.form == nil {
		return 1
	}
	return j.form.Speed[j.size]
}

// frailTwin runs jobs on servers that fail, event by event, and computes everything again at each.
type frailTwin struct {
	spares, crews    int
	firstFit, oldest bool
	now              float64
	down             []float64 // by server: 0 up, +Inf waits for a crew, else when it is repaired
	broken           []compiled.Outage
	holder           []*frailJob
	queue, runs      []*frailJob
	started          []*frailJob
	hours            map[string]float64
}

// free is what jobs that start may take: all that is up and not held by force.
func (w *frailTwin) free() int {
	open, usable := 0, len(w.down)-w.spares
	for x, h := range w.holder {
		if w.down[x] == 0 && h == nil {
			open++
		}
	}
	for _, j := range w.runs {
		switch {
		case j.state == "detects" || !j.elastic():
			usable -= j.size
		default:
			usable -= j.least
			open += len(j.servers) - j.least
		}
	}
	for _, j := range w.started { // they have no servers yet
		open -= j.size
		if j.elastic() {
			open += j.least // counted with the servers that it has beyond its least
		}
	}
	return max(0, min(open, usable))
}

func (w *frailTwin) begin(j *frailJob) {
	j.state, j.fresh, j.moved, j.until = "runs", true, false, w.now
	j.steps, j.done = nil, map[string]float64{}
	if j.begun && j.after.Recovery > 0 {
		j.steps = append(j.steps, step{"recovery", j.after.Recovery})
	} else if !j.begun {
		j.begun, j.start = true, w.now
	}
	left := j.service - j.saved
	for j.after.How == "" && left > j.after.Every {
		j.steps = append(j.steps, step{"work", j.after.Every}, step{"checkpoint", j.after.Cost})
		left -= j.after.Every
	}
	j.steps = append(j.steps, step{"work", left})
	w.runs = append(slices.DeleteFunc(w.runs, func(x *frailJob) bool { return x == j }), j)
}

func (w *frailTwin) pass() {
	for again := true; again; {
		again = false
		for _, j := range w.queue {
			free := w.free()
			if j.least > free {
				if w.firstFit {
					continue
				}
				return
			}
			if j.size = j.least; j.form != nil && j.form.Partial {
				j.size = min(free, j.need)
			}
			w.queue = slices.DeleteFunc(w.queue, func(x *frailJob) bool { return x == j })
			w.begin(j)
			w.started = append(w.started, j)
			again = true
			break
		}
	}
}

func (w *frailTwin) take(j *frailJob, n int) {
	for x := range w.holder {
		if n > 0 && w.holder[x] == nil && w.down[x] == 0 {
			w.holder[x] = j
			j.servers = append(j.servers, x)
			n--
		}
	}
	if n > 0 {
		panic("too few servers")
	}
	slices.Sort(j.servers)
}

func (w *frailTwin) give(j *frailJob, list []int) {
	for _, x := range list {
		w.holder[x] = nil
	}
	j.servers = slices.DeleteFunc(j.servers, func(x int) bool { return slices.Contains(list, x) })
}

// share gives what is free to elastic jobs, one step at a time.
func (w *frailTwin) share() {
	free, sizes := w.free(), map[*frailJob]int{}
	var jobs []*frailJob
	for _, j := range w.runs {
		if j.elastic() && j.state == "runs" {
			jobs = append(jobs, j)
			sizes[j] = j.least
		}
	}
	for {
		var grows *frailJob
		more := 0
		for _, j := range jobs {
			if w.oldest && grows != nil || grows != nil && sizes[j] >= sizes[grows] {
				continue
			}
			for to := sizes[j] + 1; to <= j.form.Most; to++ {
				if j.form.Sizes == nil || slices.Contains(j.form.Sizes, to) {
					if to-sizes[j] <= free {
						grows, more = j, to-sizes[j]
					}
					break
				}
			}
		}
		if grows == nil {
			break
		}
		free, sizes[grows] = free-more, sizes[grows]+more
	}
	for _, j := range jobs {
		if less := j.size - sizes[j]; less > 0 && !slices.Contains(w.started, j) {
			w.give(j, slices.Clone(j.servers[len(j.servers)-less:]))
		}
	}
	for _, j := range w.started {
		w.take(j, j.size)
	}
	w.started = nil
	for _, j := range jobs {
		if more := sizes[j] - len(j.servers); more > 0 {
			w.take(j, more)
		}
		if (sizes[j] != j.size || j.moved) && !j.fresh {
			j.until = w.now + j.form.Cost
			j.resizes++
		}
		j.size, j.fresh, j.moved = sizes[j], false, false
	}
	for _, j := range w.runs {
		j.fresh = false
	}
}

// save has no failure take what a job has done.
func (w *frailTwin) save(j *frailJob) {
	j.saved += j.done["service"]
	j.keptTime += j.keptSince
	for _, what := range []string{"work", "checkpoint", "resizing"} {
		w.hours[what] += j.done[what]
		if what != "checkpoint" {
			j.kept += j.done[what]
		}
	}
	j.done, j.keptSince = map[string]float64{}, 0
}

// lose has a failure take it.
func (w *frailTwin) lose(j *frailJob) {
	if j.after.How == policy.Resume {
		w.save(j)
	}
	w.hours["lost"] += j.done["work"] + j.done["checkpoint"] + j.done["resizing"]
	j.done, j.keptSince = map[string]float64{}, 0
}

// to lets the time pass.
func (w *frailTwin) to(t float64) {
	for x, h := range w.holder {
		if h == nil && w.down[x] == 0 {
			w.hours["idle"] += t - w.now
		} else if h == nil {
			w.hours["down"] += t - w.now
		}
	}
	for _, j := range w.runs {
		size := float64(j.size)
		j.held += size * (t - w.now)
		j.heldTime += t - w.now
		if j.state == "detects" {
			w.hours["detection"] += size * (t - w.now)
			continue
		}
		stands := max(0, min(t, j.until)-w.now)
		j.done["resizing"] += size * stands
		j.keptSince += stands
		for time := t - max(w.now, j.until); time > 0 || len(j.steps) > 0 && j.steps[0].left == 0; {
			at, rate := &j.steps[0], 1.
			if at.what == "work" {
				rate = j.rate()
			}
			used := min(time, at.left/rate)
			if used < 0 {
				break
			}
			time -= used
			at.left -= used * rate
			switch at.what {
			case "work":
				j.done["service"] += used * rate
				j.keptSince += used
				j.done["work"] += size * used
			case "recovery":
				w.hours["recovery"] += size * used
			default:
				j.done["checkpoint"] += size * used
			}
			if at.left > 0 {
				break
			}
			if at.what == "checkpoint" {
				w.save(j)
			}
			if j.steps = j.steps[1:]; len(j.steps) == 0 {
				break
			}
		}
	}
	w.now = t
}

// next is when something happens next.
func (w *frailTwin) next() (t float64) {
	t = math.Inf(1)
	for _, at := range w.down {
		if at > 0 {
			t = min(t, at)
		}
	}
	for _, j := range w.runs {
		at := max(w.now, j.until)
		if j.state == "runs" {
			for _, x := range j.steps {
				if x.what == "work" {
					x.left /= j.rate()
				}
				at += x.left
			}
		}
		t = min(t, at)
	}
	return t
}

func (w *frailTwin) leave(j *frailJob) {
	w.give(j, slices.Clone(j.servers))
	j.struck = nil
	w.runs = slices.DeleteFunc(w.runs, func(x *frailJob) bool { return x == j })
}

// detected ends a detection.
func (w *frailTwin) detected(j *frailJob) {
	if left := len(j.servers) - len(j.struck); j.after.Shrink && j.elastic() && left >= j.least {
		w.give(j, j.struck)
		j.state, j.struck, j.size, j.moved, j.until = "runs", nil, left, true, w.now
		return
	}
	w.lose(j)
	up := j.after.How != policy.Drop
	for _, x := range j.servers {
		up = up && w.down[x] == 0
	}
	if j.struck = nil; up {
		w.begin(j)
		return
	}
	w.leave(j)
	if j.after.How == policy.Drop {
		j.state, j.end = "gone", w.now
		return
	}
	j.state = "waits"
	w.queue = append(w.queue, j)
	slices.SortFunc(w.queue, func(a, b *frailJob) int { return cmp.Compare(a.number, b.number) })
}

// repair has crews begin to repair servers, in the order of failure.
func (w *frailTwin) repair() {
	busy := 0
	for _, at := range w.down {
		if at > 0 && !math.IsInf(at, 1) {
			busy++
		}
	}
	for ; len(w.broken) > 0 && busy < w.crews; busy++ {
		x := w.broken[0]
		w.broken, w.down[x.Server] = w.broken[1:], w.now+x.Repair
	}
}

// run runs all jobs to their end.
func (w *frailTwin) run(jobs []*frailJob, fails []compiled.Outage) {
	slices.SortStableFunc(fails, func(a, b compiled.Outage) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Server, b.Server))
	})
	for left := slices.Clone(jobs); ; {
		if len(left)+len(w.queue)+len(w.runs) == 0 {
			return
		}
		t := w.next()
		if len(left) > 0 {
			t = min(t, left[0].arrival)
		}
		if len(fails) > 0 {
			t = min(t, fails[0].Time)
		}
		if math.IsInf(t, 1) {
			panic("jobs wait for ever")
		}
		w.to(t)
		for _, j := range slices.Clone(w.runs) {
			if j.state == "runs" && len(j.steps) == 0 {
				w.save(j)
				w.leave(j)
				j.state, j.end = "gone", t
			}
		}
		for ; len(fails) > 0 && fails[0].Time == t; fails = fails[1:] {
			x := fails[0]
			if w.down[x.Server] > 0 {
				continue
			}
			if x.Repair > 0 {
				w.down[x.Server] = math.Inf(1)
				w.broken = append(w.broken, x)
				w.repair()
			}
			if j := w.holder[x.Server]; j != nil {
				if !slices.Contains(j.struck, x.Server) {
					j.struck = append(j.struck, x.Server)
				}
				if j.state == "runs" {
					j.state, j.until = "detects", t+j.after.Detection
					j.hits++
				}
			}
		}
		for x := range w.down {
			if w.down[x] == t {
				w.down[x] = 0
			}
		}
		w.repair()
		for _, j := range jobs {
			if j.state == "detects" && j.until == t {
				w.detected(j)
			}
		}
		for len(left) > 0 && left[0].arrival == t {
			left[0].state = "waits"
			w.queue, left = append(w.queue, left[0]), left[1:]
		}
		w.pass()
		w.share()
	}
}
