package events

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/mjqueue/mjq/internal/ring"
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/policy"
)

// failing is what a Simulator knows of servers that fail. At one instant come failures, by number of
// the server, after the ends of services; then windows that are reserved begin and end; then ends of
// repairs; then ends of detection. Cost: of a
// failure, that of a look at the jobs in service; of a start, a step for each 64 servers.
type failing struct {
	*compiled.Failing
	seats
	clocks
	returner   policy.Returner
	isUp, held int // servers, or nodes, that are up; servers, or units, that jobs hold
	open       int // of those that are up, that no job holds
	repairs    departures
	broken     ring.Line[breakdown] // in the order of failure, without a crew
	crews      int                  // at work
	detects    departures           // jobs that hold servers and do nothing
	runs       []stint              // by job
	back       int                  // hit jobs that wait
	migrates   bool                 // jobs move
	upTime     float64              // integral of isUp
	hours      Hours
	struck     []failure                // at one instant
	one        [1]int32                 // of holders
	hits       func(server int32) int32 // puts the job into service here that holds a server elsewhere; nobody: none does
	booked     bookings
}

// breakdown is a server that waits for a crew.
type breakdown struct {
	server int32
	repair float64
}

// Hours are servers times time, by what jobs that hold them do: work that is kept, checkpoints that are
// complete, recoveries, detection, work that is lost, and changes of size.
type Hours struct{ Kept, Checkpoints, Recovery, Detection, Lost, Resizing float64 }

// fail has the servers of the simulator fail.
func (s *Simulator) fail(q *compiled.Failing) {
	s.failing = &failing{Failing: q, migrates: len(q.After) > 0 && q.After[0].How == policy.Migrate}
	s.failing.clocks.make(q)
	s.failing.repairs.place = make([]int32, q.Servers)
	if s.nodes != nil {
		s.nodes.down = make([]bool, q.Servers)
	} else {
		s.failing.seats.make(q.Servers)
	}
}

// reset has all servers up, with new clocks.
func (f *failing) reset(s *Simulator) {
	f.isUp, f.held, f.open = f.Servers, 0, s.view.Servers
	f.repairs.heap, f.crews = f.repairs.heap[:0], 0
	f.broken.Clear()
	f.detects.heap, f.runs, f.back = f.detects.heap[:0], f.runs[:0], 0
	f.upTime, f.hours = 0, Hours{}
	f.booked.reset(f.Bookings, s.origin)
	f.returner, _ = s.sched.(policy.Returner)
	if s.nodes == nil {
		f.seats.reset(f.Servers)
	} else {
		clear(s.nodes.down)
	}
	f.level(s)
	f.clocks.reset(f, s)
	for f.next(s) < 0 { // failures that were given before the first job
		s.view.Now = f.next(s)
		f.happen(s)
	}
	s.view.Now, s.passDue, s.soon = 0, false, f.next(s)
}

// next is when the next of these events comes.
func (f *failing) next(s *Simulator) float64 {
	return min(f.clocks.next(f, s), f.booked.next(), f.repairs.first(), f.detects.first())
}

// trouble handles it.
func (s *Simulator) trouble() {
	s.failing.happen(s)
	s.soon = s.failing.next(s)
	if s.stretch != nil {
		s.stretch.stale = true // what is up may have changed
	}
	s.passDue = true // plans are made by what is up and by when jobs that were hit end
}

// happen handles what comes first of what comes now.
func (f *failing) happen(s *Simulator) {
	now := s.view.Now
	switch {
	case f.clocks.next(f, s) <= now:
		f.struck = f.clocks.strike(f, s, f.struck[:0])
		slices.SortStableFunc(f.struck, func(a, b failure) int { return cmp.Compare(a.server, b.server) })
		for i := range f.struck {
			f.strikes(s, &f.struck[i])
		}
	case f.booked.next() <= now:
		f.turns(s)
	case f.repairs.first() <= now:
		f.repaired(s, f.repairs.pop().id)
	default:
		f.detected(s, f.nextDetected(s))
	}
}

// nextDetected takes out the job whose failure is detected next, of several at one instant the one that
// came first: those that go on at once then count as started in that order.
func (f *failing) nextDetected(s *Simulator) (id int32) {
	at := f.detects.heap[0].at
	id = f.detects.heap[0].id
	for _, d := range f.detects.heap[1:] {
		if d.at == at && s.system.all[d.id].Number < s.system.all[id].Number {
			id = d.id
		}
	}
	f.detects.remove(id)
	return id
}

// level says how many servers jobs can have now.
func (f *failing) level(s *Simulator) {
	s.view.Free = max(0, min(f.open-f.booked.held, f.Usable-f.held))
}

// strikes has a server fail that is up.
func (f *failing) strikes(s *Simulator, x *failure) {
	if !f.up(s, x.server) {
		f.clocks.stands(f, x)
		return
	}
	hit := f.holders(s, x.server)
	if x.repair > 0 {
		f.goesDown(s, x)
	} else {
		f.clocks.again(f, s, x)
	}
	if f.migrates {
		f.fits(s)
		f.move(s, hit, x)
	}
	for _, id := range hit {
		if s.endure != nil {
			s.endure.strikes(s, id, x.server)
		} else if r := &f.runs[id]; !f.migrates && !r.detects {
			f.hit(s, id, x.notice)
		}
	}
	f.level(s)
}

// goesDown takes a server away until it is repaired.
func (f *failing) goesDown(s *Simulator, x *failure) {
	f.isUp--
	if n := s.nodes; n != nil {
		f.open -= int(n.units[n.content[x.server]])
		n.leave(x.server, s.view.Now)
		n.down[x.server] = true
	} else if f.seats.goes(x.server) {
		f.open--
	}
	f.clocks.stop(f, s, x)
	if f.crews == f.Crews {
		f.broken.Push(breakdown{x.server, x.repair})
		return
	}
	f.crews++
	f.repairs.push(departure{s.view.Now + x.repair, x.server})
}

// repaired has a server back, and the crew go on to the next.
func (f *failing) repaired(s *Simulator, server int32) {
	f.isUp++
	if n := s.nodes; n != nil {
		n.down[server] = false
		n.join(server, s.view.Now)
		f.open += int(n.units[n.content[server]])
	} else if held := f.holder(f.detects.heap, server) != nobody; f.seats.comes(server, held) {
		f.open++
	}
	f.clocks.restart(f, s, server)
	if f.crews--; f.broken.Len() > 0 {
		next := *f.broken.Head()
		f.broken.Pop()
		f.crews++
		f.repairs.push(departure{s.view.Now + next.repair, next.server})
	}
	f.level(s)
	s.passDue = true
}

// up reports whether a server is up.
func (f *failing) up(s *Simulator, server int32) bool {
	if s.nodes != nil {
		return !s.nodes.down[server]
	}
	return f.seats.up[server>>6]>>(server&63)&1 != 0
}

// holders are the jobs that hold a server that is up, in the order of arrival.
func (f *failing) holders(s *Simulator, server int32) (ids []int32) {
	lists := [...][]departure{s.ends.heap, f.detects.heap}
	if s.nodes == nil {
		if f.seats.free[server>>6]>>(server&63)&1 != 0 {
			return nil
		}
		id := int32(nobody)
		if f.hits != nil {
			id = f.hits(server)
		}
		for i := 0; i < len(lists) && id == nobody; i++ {
			id = f.holder(lists[i], server)
		}
		if id == nobody {
			return nil
		}
		f.one[0] = id
		return f.one[:]
	}
	for _, list := range lists {
		for _, d := range list {
			holds := false
			s.nodes.each(&s.system.all[d.id], func(node, _ int32) { holds = holds || node == server })
			if holds {
				ids = append(ids, d.id)
			}
		}
	}
	slices.SortFunc(ids, func(a, b int32) int { return cmp.Compare(s.system.all[a].Number, s.system.all[b].Number) })
	return ids
}

// holder is the job of a list that holds a server, of which there is at most one without nodes.
func (f *failing) holder(list []departure, server int32) (id int32) {
	for _, d := range list {
		if holds(f.runs[d.id].seats, server) {
			return d.id
		}
	}
	return nobody
}

// each calls g for the servers of a job, or its nodes, with how many units it has there.
func (f *failing) each(s *Simulator, j *job, g func(server int32, units int)) {
	n := s.nodes
	if n == nil {
		for _, p := range f.runs[j.ID].seats {
			for m := p.mask; m != 0; m &= m - 1 {
				g(p.word<<6+int32(bits.TrailingZeros64(m)), 1)
			}
		}
		return
	}
	spread := n.kinds[j.Kind].Nodes
	n.each(j, func(node, step int32) {
		units := int(step)
		if spread > 0 {
			units = j.Need / spread
		}
		g(node, units)
	})
}

// shift moves the origin of time.
func (f *failing) shift(s *Simulator, by float64) {
	f.repairs.shift(by)
	f.detects.shift(by)
	f.clocks.others.shift(by)
	for k := range f.clocks.streams {
		f.clocks.streams[k].at -= by
	}
	f.booked.shift(by)
	s.soon = f.next(s)
}

// advance accumulates what passes.
func (f *failing) advance(dt float64) { f.upTime += dt * float64(f.isUp) }

// awayAverages is the number of integrals over time of servers that fail: that of those that are up.
const awayAverages = 1

// TakeAway adds these integrals since the last call, multiplied by times, to dst and resets them.
func (s *Simulator) TakeAway(dst []float64, times float64) {
	if f := s.failing; f != nil {
		dst[0] += times * f.upTime
		f.upTime = 0
	}
}

// TakeHours returns what jobs have done on their servers since the last call, up to the last failure or
// end of each, and forgets it.
func (s *Simulator) TakeHours() Hours {
	h := s.failing.hours
	s.failing.hours = Hours{}
	return h
}
