package events

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// server is one of a twin: off, in setup until a time, or on, and then busy until a time or idle since one.
type server struct {
	on, busy     bool
	setup, until float64 // ends of setup and of service; 0: none
	idle         float64 // needless since, as far as it is; -1: it is needed
	order        int     // of the beginning of its setup, or of when it became needless
}

// sleepTwin runs a log tick by tick: servers go on and off, services end, jobs come, the queue starts what
// fits, first come first served or whatever fits, and then servers are set up or go off. It returns the
// starts, and over all ticks the sums of the servers on and in setup.
func sleepTwin(jobs []Logged, servers, awake int, after, setup float64, firstFit bool) (starts []float64, on, inSetup float64) {
	all := make([]server, servers)
	for i := range all {
		all[i].on, all[i].idle = i < awake, -1
	}
	starts = make([]float64, len(jobs))
	ends := make([]float64, len(jobs))
	var queue, running []int
	next, done, orders := 0, 0, 0
	count := func(of func(x *server) bool) (n int) {
		for i := range all {
			if of(&all[i]) {
				n++
			}
		}
		return n
	}
	setting := func(x *server) bool { return x.setup > 0 }
	idling := func(x *server) bool { return x.on && !x.busy }
	for now := 0.0; done < len(jobs); now++ {
		for i := range all {
			x := &all[i]
			if x.setup > 0 && x.setup == now {
				x.on, x.setup = true, 0
			}
			if x.idle >= 0 && x.idle+after == now {
				x.on, x.idle = false, -1
			}
		}
		running = slices.DeleteFunc(running, func(n int) bool {
			if ends[n] != now {
				return false
			}
			left := jobs[n].Need
			for i := range all {
				if all[i].busy && left > 0 && all[i].until == now {
					all[i].busy, left = false, left-1
				}
			}
			done++
			return true
		})
		for next < len(jobs) && jobs[next].Arrival == now {
			queue = append(queue, next)
			next++
		}
		stuck := false
		queue = slices.DeleteFunc(queue, func(n int) bool {
			j := &jobs[n]
			if stuck || j.Need > count(idling) {
				stuck = stuck || !firstFit
				return false
			}
			for range j.Need { // needed ones first, then those that became needless last
				best := -1
				for i := range all {
					x := &all[i]
					if idling(x) && (best < 0 || x.idle < 0 && all[best].idle >= 0 || (x.idle >= 0) == (all[best].idle >= 0) && x.order > all[best].order) {
						best = i
					}
				}
				x := &all[best]
				x.busy, x.until, x.idle = true, now+j.Service, -1
			}
			starts[n], ends[n] = now, now+j.Service
			running = append(running, n)
			return true
		})
		want := count(func(x *server) bool { return x.busy })
		for _, n := range queue {
			if want+jobs[n].Need > servers {
				break
			}
			want += jobs[n].Need
		}
		want = max(want, awake)
		last := func(of func(x *server) bool) *server {
			var best *server
			for i := range all {
				if of(&all[i]) && (best == nil || all[i].order > best.order) {
					best = &all[i]
				}
			}
			return best
		}
		for count(func(x *server) bool { return x.on })+count(setting) > want && count(setting) > 0 {
			last(setting).setup = 0
		}
		needless := max(0, count(func(x *server) bool { return x.on })-want)
		for count(func(x *server) bool { return x.idle >= 0 }) > needless {
			last(func(x *server) bool { return x.idle >= 0 }).idle = -1
		}
		more := needless - count(func(x *server) bool { return x.idle >= 0 })
		for i := range all {
			x := &all[i]
			if more == 0 || !idling(x) || x.idle >= 0 {
				continue
			}
			more--
			if orders++; after == 0 {
				x.on = false
			} else {
				x.idle, x.order = now, orders
			}
		}
		for i := range all {
			if x := &all[i]; !x.on && x.setup == 0 && count(func(x *server) bool { return x.on })+count(setting) < want {
				orders++
				x.setup, x.order = now+setup, orders
			}
		}
		if done < len(jobs) {
			on += float64(count(func(x *server) bool { return x.on }))
			inSetup += float64(count(setting))
		}
	}
	return starts, on, inSetup
}

// TestSleepTwin holds servers that sleep against a twin by ticks: every start, and how long servers are on
// and in setup.
func TestSleepTwin(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 3))
		servers := 3 + rng.IntN(6)
		var jobs []Logged
		at := 0.0
		for range 40 {
			need := 1 + rng.IntN(servers)
			jobs = append(jobs, Logged{Arrival: at, Service: float64(1 + rng.IntN(8)), Need: need, Class: need - 1})
			at += float64(rng.IntN(7))
		}
		after, setup, awake := float64(rng.IntN(4)*rng.IntN(3)), float64(1+rng.IntN(5)), rng.IntN(servers+1)*rng.IntN(2)
		q := compiled.System{Servers: servers, Classes: servers, Sleep: &compiled.Sleep{Setup: law.Deterministic{X: setup}, Awake: awake}}
		for n := range servers {
			q.Needs = append(q.Needs, n+1)
		}
		if after > 0 {
			q.Sleep.After = law.Deterministic{X: after}
		}
		firstFit := rng.IntN(2) == 0
		if firstFit {
			q.Policy = policy.FirstFit{}
		}
		s := New(q)
		starts := make([]float64, len(jobs))
		s.Started = func(n int64, _ int32, wait, _ float64) { starts[n] = jobs[n].Arrival + wait }
		s.ResetTo(Log(jobs), 1)
		for s.Handle(1000) {
		}
		want, on, inSetup := sleepTwin(jobs, servers, awake, after, setup, firstFit)
		area := s.Take()
		if !slices.Equal(starts, want) || area.On != on || area.Setup != inSetup {
			t.Fatalf("seed %d: %d servers, %d awake, after %v, setup %v, first fit %v:\nstarts %v, on %v, in setup %v; the twin has\nstarts %v, on %v, in setup %v",
				seed, servers, awake, after, setup, firstFit, starts, area.On, area.Setup, want, on, inSetup)
		}
	}
}
