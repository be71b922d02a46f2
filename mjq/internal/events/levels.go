package events

// Under some policies a preempted job loses what it got, or pays, or leaves.

// loses settles what a job that was stopped has still to get, and reports whether it has
// left.
func (s *Simulator) loses(j *job) (left bool) {
	for int(j.ID) >= len(s.ran) {
		s.ran = append(s.ran, 0)
	}
	if j.stopped == 1 {
		s.ran[j.ID] = 0
	}
	s.ran[j.ID] += s.view.Now - j.from
	service, rest, leaves := s.stopper.Stopped(&s.sees.Classes[j.Class], &j.Job, j.left, newDraws(s.key, j.Number, j.stopped))
	j.Service, j.left = service, rest
	if !leaves {
		return false
	}
	j.dropped, j.Service = true, s.ran[j.ID]
	s.ended(j)
	return true
}

// lose tells of a job that was preempted what it lost, having run for so long in all.
func (r *Record) lose(j *job, ran float64) {
	if r.Dropped = j.dropped; r.Dropped {
		r.Lost = j.Service
		return
	}
	r.Lost = max(0, ran-j.Service)
}

// held is for how long the job held its servers.
func (r *Record) held() float64 {
	if r.Dropped {
		return r.Service
	}
	return r.Service + r.Lost
}

// draws are the words that a preemption draws from.
type draws struct{ key, next uint64 }

// stopDraws are the numbers of preemptions, apart from those of jobs and of the clock.
const stopDraws = 1 << 61

func newDraws(key uint64, number int64, stopped int32) *draws {
	return &draws{scrambled(key ^ scrambled(stopDraws+uint64(number))), uint64(stopped) << 32}
}

// Uint64 is the next word.
func (d *draws) Uint64() uint64 {
	d.next++
	return scrambled(d.key + d.next*0x9e3779b97f4a7c15)
}

// scrambled is the output function of SplitMix64; see uniform.
func scrambled(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
