package events

import (
	"math"

	"github.com/mjqueue/mjq/mjq/policy"
)

// stint is what a Simulator of servers that fail knows of a job beside.
type stint struct {
	seats    []seat  // its servers, without nodes
	hits     int32   // failures that hit it
	detects  bool    // it holds its servers and does nothing
	waits    bool    // it was hit and waits
	evicted  bool    // it was hit for servers that are reserved
	held     float64 // time for which it held servers before its last start
	estimate float64 // of the work that is left
	writes   float64 // checkpoints that this run writes if no failure ends it
}

// enters takes in a job that comes. Its estimate is of work, and policies see the time of checkpoints
// with it.
func (f *failing) enters(j *job) {
	for int(j.ID) >= len(f.runs) {
		f.runs = append(f.runs, stint{})
	}
	r := &f.runs[j.ID]
	*r = stint{seats: r.seats[:0], estimate: j.Estimate}
	j.Estimate = f.length(j, r.estimate, 0)
}

// length is how long a run takes that no failure ends.
func (f *failing) length(j *job, work float64, hits int32) float64 {
	after := &f.After[j.Class]
	if n := checkpoints(after, work); n > 0 {
		work += n * after.Cost
	}
	if hits > 0 {
		work += after.Recovery
	}
	return work
}

// begins begins a run of a job and returns how long it takes if no failure ends it.
func (f *failing) begins(j *job, r *stint) float64 {
	after, length := &f.After[j.Class], j.left
	if r.writes = checkpoints(after, length); r.writes > 0 {
		length += r.writes * after.Cost
	}
	if r.hits > 0 {
		length += after.Recovery
	}
	return length
}

// slack is how much longer than Every the rest of a job may be by rounding.
const slack = 1e-12

// checkpoints is how many a run of so much work writes: none when what remains is at most Every.
func checkpoints(after *policy.Checkpoint, work float64) float64 {
	if after.How != "" {
		return 0
	}
	n := math.Ceil(work/after.Every - 1 - slack)
	return math.Float64frombits(math.Float64bits(n) &^ uint64(int64(math.Float64bits(n))>>63)) // at least 0
}

// takes gives servers to a job that starts, and returns how long it runs if no failure ends it.
func (f *failing) takes(s *Simulator, j *job) float64 {
	r := &f.runs[j.ID]
	if s.nodes == nil {
		r.seats = f.seats.take(r.seats[:0], j.Need)
	}
	if r.waits {
		r.waits = false
		f.back--
	}
	f.held += j.Need
	f.open -= j.Need
	f.level(s)
	f.clocks.taken(f, s, j)
	return f.begins(j, r)
}

// gives takes the servers of a job back. On nodes it is called before the units are free there.
func (f *failing) gives(s *Simulator, j *job) {
	if s.nodes == nil {
		f.open += f.seats.give(f.runs[j.ID].seats)
	} else {
		f.each(s, j, func(node int32, units int) {
			if !s.nodes.down[node] {
				f.open += units
			}
		})
	}
	f.held -= j.Need
	f.level(s)
}

// forgets stops the clocks that run for jobs only, once a job has given its servers back.
func (f *failing) forgets(s *Simulator, servers []int32) {
	for _, x := range servers {
		f.clocks.left(f, s, x)
	}
	if servers != nil {
		s.soon = f.next(s)
	}
}

// onlyBusy are the servers of a job whose clocks must stop when it leaves them.
func (f *failing) onlyBusy(s *Simulator, j *job) (servers []int32) {
	if f.clocks.plain {
		return nil
	}
	f.each(s, j, func(x int32, _ int) { servers = append(servers, x) })
	return servers
}

// ends accounts for a run that comes to its end.
func (f *failing) ends(j *job) {
	r, after, need := &f.runs[j.ID], &f.After[j.Class], float64(j.Need)
	f.hours.Kept += need * j.left
	f.hours.Checkpoints += need * (r.writes * after.Cost)
	if r.hits > 0 {
		f.hours.Recovery += need * after.Recovery
	}
}

// hit has a failure end the run of a job. Notice is how long before it the job was warned.
func (f *failing) hit(s *Simulator, id int32, notice float64) {
	j, r := &s.system.all[id], &f.runs[id]
	after, now := &f.After[j.Class], s.view.Now
	elapsed := now - j.from
	s.ends.remove(id)
	r.held += elapsed
	f.lose(s, j, r, elapsed, notice)
	r.hits++
	r.detects = true
	f.hours.Detection += float64(j.Need) * after.Detection
	f.detects.pushNew(departure{now + after.Detection, id})
}

// lose settles which part of a run is kept.
func (f *failing) lose(s *Simulator, j *job, r *stint, elapsed, notice float64) {
	after, recovery := &f.After[j.Class], 0.
	if r.hits > 0 {
		recovery = after.Recovery
	}
	did := elapsed - recovery // work and checkpoints
	kept, written := 0., 0.
	switch {
	case did <= 0:
		recovery = elapsed
	case after.How == policy.Resume:
		kept = min(did, j.left)
	case after.How == "":
		k := min(r.writes, math.Floor(did/(after.Every+after.Cost)*(1+slack)))
		kept, written = k*after.Every, k*after.Cost
		if before := did - after.Cost; notice > 0 && notice >= after.Cost && before > 0 {
			whole := math.Floor(before / (after.Every + after.Cost) * (1 + slack))
			if work := whole*after.Every + min(after.Every, before-whole*(after.Every+after.Cost)); work > kept {
				kept, written = min(work, j.left), written+after.Cost
			}
		}
	}
	need := float64(j.Need)
	f.hours.Recovery += need * recovery
	f.hours.Kept += need * kept
	f.hours.Checkpoints += need * written
	f.hours.Lost += need * max(0, elapsed-recovery-kept-written)
	j.left -= kept
	r.estimate = max(0, r.estimate-kept)
	if after.How == policy.Resampled {
		j.Service = f.Work[j.Class].Sample(f.clocks.draws(resampledDraws+uint64(j.Number), uint64(r.hits)))
		j.left, r.estimate = j.Service, j.Service
	}
}

// resampledDraws are the numbers of services that are drawn anew, apart from those of failures.
const resampledDraws = 1 << 58

// detected ends the detection of a failure: the job begins again on its servers if all are up, and else
// gives them back.
func (f *failing) detected(s *Simulator, id int32) {
	if s.endure != nil {
		s.endure.detected(s, id)
		return
	}
	j, r := &s.system.all[id], &f.runs[id]
	after := &f.After[j.Class]
	r.detects = false
	r.held += after.Detection
	if after.How == policy.Drop {
		f.stop(s, j)
		j.dropped, j.Service = true, r.held
		s.passDue = true
		s.ended(j)
		return
	}
	all := !r.evicted
	r.evicted = false
	if s.nodes == nil {
		all = all && f.seats.stand(r.seats)
	} else {
		f.each(s, j, func(x int32, _ int) { all = all && f.up(s, x) })
	}
	if s.known.Estimates || f.booked.any {
		j.Estimate = f.length(j, r.estimate, r.hits)
	}
	if all {
		j.from = s.view.Now
		s.ends.push(departure{j.from + f.begins(j, r), id})
		if f.returner != nil {
			f.returner.Returned(s.view, &j.Job, true)
		}
		return
	}
	f.stop(s, j)
	f.waitsAgain(s, j)
}

// stop takes the servers of a job away that does not run any more.
func (f *failing) stop(s *Simulator, j *job) {
	servers := f.onlyBusy(s, j)
	f.gives(s, j)
	if s.nodes != nil {
		s.nodes.release(j, s.view.Now)
	}
	f.forgets(s, servers)
	j.running = false
	s.view.Running[j.Kind]--
	if s.Served != nil {
		s.served(j)
	}
}

// waitsAgain puts a job back into the queue, at its place by arrival.
func (f *failing) waitsAgain(s *Simulator, j *job) {
	v := s.view
	f.runs[j.ID].waits = true
	f.back++
	s.system.insert(&s.waiting[j.Kind], j.ID)
	v.Jobs++
	v.Waiting[j.Kind]++
	s.oldest(j.Kind)
	s.passDue = true
	if s.laws != nil && s.stopped {
		s.waitsAgain(j.ID)
	}
	if f.returner != nil {
		f.returner.Returned(v, &j.Job, false)
	}
}

// reneges forgets a job that leaves the queue.
func (f *failing) reneges(id int32) {
	if r := &f.runs[id]; r.waits {
		r.waits = false
		f.back--
	}
}

// fits stops jobs that move, the last to come first, until those that run fit on the servers that are up.
func (f *failing) fits(s *Simulator) {
	most := f.isUp
	for i := range f.booked.list {
		if x := &f.booked.list[i]; x.on && x.Hard {
			most -= x.Servers
		}
	}
	for most = max(0, min(most, f.Usable)); f.held > most; {
		last := s.lastToCome()
		j, r := &s.system.all[last], &f.runs[last]
		s.ends.remove(last)
		did := s.view.Now - j.from
		r.held += did
		r.hits++
		f.hours.Kept += float64(j.Need) * did
		j.left = max(0, j.left-did)
		f.stop(s, j)
		f.waitsAgain(s, j)
	}
}

// lastToCome is the last job to come of those that run; nobody without one.
func (s *Simulator) lastToCome() (last int32) {
	last = nobody
	for _, d := range s.ends.heap {
		if last == nobody || s.system.all[d.id].Number > s.system.all[last].Number {
			last = d.id
		}
	}
	return last
}

// move has jobs go on elsewhere that hold a server which is down and were not stopped: one that is up is
// free for each of them.
func (f *failing) move(s *Simulator, hit []int32, x *failure) {
	if s.nodes != nil || x.repair == 0 {
		return
	}
	for _, id := range hit {
		r := &f.runs[id]
		if r.waits {
			continue
		}
		for i := range r.seats {
			if r.seats[i].word == x.server>>6 {
				r.seats[i].mask &^= 1 << (x.server & 63)
			}
		}
		r.seats = f.seats.take(r.seats, 1)
		f.open--
		f.clocks.taken(f, s, &s.system.all[id])
	}
}

// changed reports whether a job that leaves has waited again, or held servers beside its service.
func (f *failing) changed(s *Simulator, j *job) bool {
	return f.runs[j.ID].hits > 0 || f.lost(s, j) > 0
}

// lost is the time for which a job that leaves held servers beside its service.
func (f *failing) lost(s *Simulator, j *job) float64 {
	r := &f.runs[j.ID]
	if j.dropped {
		return r.held
	}
	if r.hits == 0 && r.writes == 0 {
		return 0
	}
	lost := r.held + (s.view.Now - j.from) - j.Service
	if lost < slack*(j.Service+r.held+math.Abs(s.view.Now)) { // by rounding
		return 0
	}
	return lost
}
