package events

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/policy"
)

// frailScript is a random queue of which nothing is rounded, with failures at given times.
func frailScript(rng *rand.Rand) (q compiled.System, logged []Logged, jobs []*frailJob) {
	q, how, logged, sized := scriptOfSizes(rng)
	for how != "FCFS" && how != "FirstFit" || q.Servers > 8 {
		q, how, logged, sized = scriptOfSizes(rng)
	}
	if rng.IntN(3) == 0 {
		q.Elastic.Oldest = true
	}
	most := 0
	for _, j := range sized {
		most = max(most, j.least)
	}
	f := &compiled.Failing{Servers: q.Servers, Usable: q.Servers - rng.IntN(q.Servers-most+1)*rng.IntN(2), Crews: 1 + rng.IntN(q.Servers)}
	for range q.Classes {
		a := policy.Checkpoint{How: policy.Restart, Recovery: float64(rng.IntN(3)) / 2, Detection: float64(rng.IntN(2)*rng.IntN(3)) / 4, Shrink: rng.IntN(3) > 0}
		switch rng.IntN(4) {
		case 0:
			a.How = policy.Resume
		case 1:
			a.How, a.Recovery = policy.Drop, 0
		case 2:
			a.How, a.Every, a.Cost = "", float64(1+rng.IntN(4))/2, float64(rng.IntN(3))/4
		}
		f.After = append(f.After, a)
	}
	for at := float64(rng.IntN(8)) / 4; len(f.Given) < rng.IntN(25); at += float64(rng.IntN(10)) / 4 {
		f.Given = append(f.Given, compiled.Outage{Time: at, Server: rng.IntN(q.Servers), Repair: float64(rng.IntN(4)*rng.IntN(12)) / 4})
	}
	q.Failing = f
	for n := range sized {
		x := sized[n]
		jobs = append(jobs, &frailJob{number: n, form: x.form, after: &f.After[logged[n].Class], least: x.least, need: x.need, arrival: x.arrival, service: x.service})
	}
	return q, logged, jobs
}

// TestEnduringTwin holds jobs that change their size on servers that fail against a twin: every start, end,
// hit and change of size, what each job held and lost of it, and each hour of a server, which is one of work
// that is kept, checkpoint, recovery, detection, work that is lost, resizing, idle or down.
func TestEnduringTwin(t *testing.T) {
	hits, shrunk, regrown := 0, 0, 0
	for seed := range uint64(oracle.Sized(2000, 40_000)) {
		rng := rand.New(rand.NewPCG(seed, 21))
		q, logged, jobs := frailScript(rng)
		_, firstFit := q.Policy.(policy.FirstFit)
		w := &frailTwin{spares: q.Servers - q.Failing.Usable, crews: q.Failing.Crews, firstFit: firstFit, oldest: q.Elastic.Oldest,
			down: make([]float64, q.Servers), holder: make([]*frailJob, q.Servers), hours: map[string]float64{}}
		w.run(jobs, slices.Clone(q.Failing.Given))
		s := New(q)
		got := make([]Record, len(jobs))
		s.Recorded = func(r *Record) { got[r.Number] = *r }
		s.ResetTo(Log(logged), 1)
		for s.Handle(1000) {
		}
		end := 0.
		for n, j := range jobs {
			r := &got[n]
			service, lost, wasted, wait := j.keptTime, j.heldTime-j.keptTime, j.held-j.kept, 0.
			if j.form == nil {
				service = j.service
				lost = j.heldTime - service
			}
			if j.after.How == policy.Drop && j.hits > 0 && j.saved < j.service {
				service, lost, wasted = j.heldTime, j.heldTime, j.held
			}
			wait = j.end - j.arrival - service
			is := fmt.Sprint(r.Start, r.End, r.Interruptions, r.Resizes, r.Held, r.Service, r.Lost, r.Wasted, r.Wait)
			if want := fmt.Sprint(j.start, j.end, j.hits, j.resizes, j.held, service, lost, wasted, wait); is != want {
				t.Fatalf("seed %d on %d servers, %v, job %d (%+v) after %v: %s; the twin has %s\n%+v", seed, q.Servers, q.Policy, n, j.form, j.after, is, want, q.Failing.Given)
			}
			end = max(end, j.end)
			hits += j.hits
			if j.after.Shrink && j.elastic() {
				shrunk += j.hits
			}
			regrown += j.resizes
		}
		a, h := s.Take(), s.TakeHours()
		sum := 0.
		for what, x := range w.hours {
			sum += x
			is, of := map[string]float64{"work": h.Kept, "checkpoint": h.Checkpoints, "recovery": h.Recovery, "detection": h.Detection, "lost": h.Lost, "resizing": h.Resizing}[what]
			if of && math.Abs(is-x) > 1e-9 {
				t.Fatalf("seed %d: %v hours of %s; the twin has %v", seed, is, what, x)
			}
		}
		if idle := w.hours["idle"] + w.hours["down"]; math.Abs(idle-a.Idle) > 1e-9 || math.Abs(sum-float64(q.Servers)*w.now) > 1e-9 {
			t.Fatalf("seed %d: idle %v; the twin has %v, and %v hours in all of %v", seed, a.Idle, idle, sum, float64(q.Servers)*w.now)
		}
	}
	if hits < 2500 || shrunk < 500 || regrown < 2500 {
		t.Errorf("%d hits, %d of jobs that shrink, %d changes of size: the scripts try too little", hits, shrunk, regrown)
	}
}
