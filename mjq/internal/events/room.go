package events

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
)

// endlessRoom is for all jobs.
var endlessRoom = &compiled.Room{Jobs: math.MaxInt}

// take is Simulator.take, with the time in which a job of each class would have been turned away.
func (s *limited) take(to *integrals, times float64) {
	s.averages.take(to, times)
	for c := range to.full {
		need := s.needs[c]
		if s.room.Keep != nil {
			need += s.room.Keep[c]
		}
		if s.room.Jobs > 0 {
			need = s.servers + 1
		}
		to.full[c] = 0
		for _, t := range s.full[:min(need, len(s.full))] {
			to.full[c] += t
		}
	}
	clear(s.full)
}
