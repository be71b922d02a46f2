package events

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/policy"
)

// pair is one queue twice: both get the same jobs, but that the second lacks job 0. Since
// the law of the jobs is the same from any of them on, with whatever arrivals they
// depend on each other by, the second is at job t+1 what the first is at job t, in law.
type pair struct {
	first, second *Simulator
	unit          float64 // of tolerances; see stream.Source.Unit
	next          int64   // job whose arrival both have reached
	look          int64   // job before which the jobs are not compared again
	one, two      []work  // used again
}

// work is what a job has still to get.
type work struct {
	number, stopped int64
	class           int32
	left            float64
	runs            bool
	started         bool
	patience        float64 // what is left of it
	service         float64 // a new one may be drawn at a preemption
	waited, from    float64 // the first wait, and the last start
	ran             float64 // before the last start
	places          uint64  // the nodes of one that runs
	need            int     // where servers fail
	hit             hitWork
}

func newPair(newSimulator func() *Simulator, unit float64) *pair {
	p := &pair{first: newSimulator(), second: newSimulator(), unit: unit}
	for _, s := range [...]*Simulator{p.first, p.second} {
		if s.paired = true; s.nodes != nil {
			s.nodes.pair(s.policy)
		}
	}
	return p
}

// begin starts a replication and goes to the arrival of job 1, the first of the second
// system.
func (p *pair) begin(stop *atomic.Bool, input *stream.Source, rep uint64) {
	x, y := p.first, p.second
	x.stop, y.stop = stop, stop
	reader := input.Reader(rep).Until(stop)
	key := math.Float64bits(reader.Uniform())
	x.ResetTo(&endless{input: reader}, key)
	x.Until(1)
	y.ResetTo(&endless{input: input.Reader(rep).Until(stop), next: 1}, key)
	y.arrived, y.moved, y.arrival = 1, 1, x.arrival
	y.wait()
	if y.failing != nil {
		y.failing.follows(y, x.failing)
	}
	p.next, p.look = 1, 0
}

// step goes to the arrival of the next job.
func (p *pair) step() {
	p.next++
	p.first.Until(p.next)
	p.second.Until(p.next)
	p.rebase()
}

// alone goes on with the first system to the arrival of a job.
func (p *pair) alone(to int64) {
	p.next = to
	p.first.Until(to)
	if p.next-p.first.moved >= apart(p.first) {
		p.first.rebase()
	}
}

// rebase moves the origin of time of both, which must be the same, now and then.
func (p *pair) rebase() {
	if p.next-p.first.moved >= max(apart(p.first), apart(p.second)) {
		p.first.rebase()
		p.second.rebase()
	}
}

// apart is how many jobs lie between two origins: not fewer than times to be changed.
func apart(s *Simulator) int64 { return max(4096, int64(s.InSystem())) }

// same reports whether both systems hold the same jobs with the same work left and
// remember the same, so that they will for ever. It may say so somewhat late: comparing
// all jobs is for when their numbers agree, and not at every arrival then.
func (p *pair) same() bool {
	if p.next < p.look || !p.alike() {
		return false
	}
	p.one, p.two = p.first.works(p.one[:0]), p.second.works(p.two[:0])
	same := slices.EqualFunc(p.one, p.two, p.sameWork)
	if x, y := p.first, p.second; same && x.failing != nil {
		same = x.failing.sameServers(y.failing, x, y, p.near)
	}
	if !same {
		p.look = p.next + int64(len(p.one))/8
	}
	return same
}

// sameWork reports whether a job has the same work left in both. Where preemptions draw,
// it must have been stopped as often; where jobs are exempt from them, have started at the
// same time.
func (p *pair) sameWork(a, b work) bool {
	near := p.near
	switch {
	case a.number != b.number || a.runs != b.runs || a.places != b.places || !near(a.left, b.left):
		return false
	case p.first.failing != nil && !p.sameHits(&a, &b, near):
		return false
	case p.first.laws != nil && a.started != b.started: // one may still give up
		return false
	case p.first.stopped && a.patience != b.patience && !near(a.patience, b.patience):
		return false
	case p.first.stopper != nil && (a.stopped != b.stopped || !near(a.service, b.service)):
		return false
	case p.first.clock != nil && a.runs:
		return near(a.from, b.from)
	}
	return true
}

// near reports whether two times are the same but for rounding.
func (p *pair) near(x, y float64) bool {
	return math.Abs(x-y) <= 1e-9*(p.unit+math.Abs(x)+math.Abs(y))
}

// past is what the job shows by what is behind it.
func (w *work) past() *estimate.Served {
	return &estimate.Served{FirstWait: w.waited, Lost: w.ran, Preemptions: int(w.stopped), Interruptions: int(w.hit.hits)}
}

// alike compares what costs little.
func (p *pair) alike() bool {
	x, y := p.first.view, p.second.view
	return x.Free == y.Free && slices.Equal(x.Waiting, y.Waiting) && slices.Equal(x.Running, y.Running) &&
		slices.Equal(x.Oldest, y.Oldest) && p.first.mode() == p.second.mode()
}

// mode is what the scheduler remembers beside the jobs.
func (s *Simulator) mode() int {
	if m, ok := s.sched.(policy.Modal); ok {
		return m.Mode()
	}
	return 0
}

// works appends the jobs in the system in order of arrival.
func (s *Simulator) works(dst []work) []work {
	add := func(id int32) {
		j, ran := &s.system.all[id], 0.
		if s.stopper != nil && j.stopped > 0 {
			ran = s.ran[id]
		}
		w := work{number: j.Number, stopped: int64(j.stopped), class: j.Class, runs: j.running, started: j.started,
			patience: s.patienceLeft(j.ID), service: j.Service, waited: j.began - j.Arrival, from: j.from, ran: ran}
		if s.failing != nil {
			s.failing.hitWork(s, &w, id)
		}
		if !w.hit.detects {
			w.left = s.remaining(id)
		}
		if s.nodes != nil && j.running {
			w.places = s.nodes.places(j)
		}
		dst = append(dst, w)
	}
	for _, end := range s.ends.heap {
		add(end.id)
	}
	if s.failing != nil {
		for _, end := range s.failing.detects.heap {
			add(end.id)
		}
	}
	for _, line := range s.waiting {
		for id := line.head; id != nobody; id = s.system.all[id].next {
			add(id)
		}
	}
	slices.SortFunc(dst, func(a, b work) int { return cmp.Compare(a.number, b.number) })
	return dst
}
