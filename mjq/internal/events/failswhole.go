package events

import "math"

// whole is a job that runs and was never hit.
type whole struct {
	arrival, began, service float64
	writes                  float64 // checkpoints
	number                  int64
	class, need             int32
	seats                   []seat
}

// gone is such a job that has left.
type gone struct {
	number                         int64
	wait, firstWait, service, lost float64
	class, need                    int32
}

// begin starts a job for the first time.
func (s *failsInOrder) begin(w *waiter) {
	if len(s.room) == 0 {
		s.room = append(s.room, int32(len(s.whole)))
		s.whole = append(s.whole, whole{})
	}
	at := s.room[len(s.room)-1]
	s.room = s.room[:len(s.room)-1]
	f, now, x := s.failing, s.view.Now, &s.whole[at]
	x.arrival, x.began, x.service, x.number, x.class, x.need = w.arrival, now, w.service, s.started, w.class, w.need
	s.started++
	s.view.Jobs--
	x.seats = f.seats.take(x.seats[:0], int(w.need))
	f.held += int(w.need)
	f.open -= int(w.need)
	f.level(s.Simulator)
	after := &f.After[w.class]
	x.writes = checkpoints(after, w.service)
	s.due.push(now+(w.service+x.writes*after.Cost), at, 0)
}

// depart ends the service that ends first.
func (s *failsInOrder) depart() {
	at := s.due.pop().class
	f, x := s.failing, &s.whole[at]
	need := float64(x.need)
	f.hours.Kept += need * x.service
	f.open += f.seats.give(x.seats)
	f.held -= int(x.need)
	f.level(s.Simulator)
	s.leaves(x.class)
	f.hours.Checkpoints += need * (x.writes * f.After[x.class].Cost)
	now, wait := s.view.Now, x.began-x.arrival
	lost, other := now-x.began-x.service, max(0, now-x.arrival-x.service)
	loses := lost >= slack*(x.service+math.Abs(now))
	s.left[s.pending] = gone{x.number, either(loses, other, wait), wait, x.service, either(loses, lost, 0), x.class, x.need}
	if s.pending++; s.pending == block {
		s.flush()
	}
	s.room = append(s.room, at)
}

// either is a where it holds and b otherwise, without a branch that cannot be foreseen.
func either(holds bool, a, b float64) float64 {
	var n uint64
	if holds {
		n = 1
	}
	return math.Float64frombits(math.Float64bits(a)&-n | math.Float64bits(b)&(n-1))
}

// flush has the jobs recorded that have left.
func (s *failsInOrder) flush() {
	s.recorder.whole(s.left[:s.pending])
	s.pending = 0
}

// hand gives the job that holds a server to the Simulator, if it is here.
func (s *failsInOrder) hand(server int32) (id int32) {
	for i := range s.due.n {
		at, until := s.due.heap[i].class, s.due.heap[i].at
		x := &s.whole[at]
		if !holds(x.seats, server) {
			continue
		}
		s.due.remove(i)
		s.room = append(s.room, at)
		id, j := s.system.add()
		*j = job{left: x.service, began: x.began, from: x.began, started: true, running: true}
		j.ID, j.Class, j.Need, j.Number, j.Arrival, j.Service = id, x.class, int(x.need), x.number, x.arrival, x.service
		s.failing.enters(j)
		r := &s.failing.runs[id]
		r.seats, r.writes = append(r.seats, x.seats...), x.writes
		s.view.Running[0]++
		s.ends.pushNew(departure{math.Float64frombits(until), id})
		return id
	}
	return nobody
}
