package events

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
)

// endlessRoom is for all jobs.
var endlessRoom = &compiled.Room{Jobs: math.MaxInt}

// TakeFull puts into dst, by class, the time in which a job of the class would have been turned
// away, and forgets it.
func (s *limited) TakeFull(dst []float64, needs []int) {
	for c, need := range needs {
		if s.room.Keep != nil {
			need += s.room.Keep[c]
		}
		if s.room.Jobs > 0 {
			need = s.servers + 1
		}
		dst[c] = 0
		for _, t := range s.full[:min(need, len(s.full))] {
			dst[c] += t
		}
	}
	clear(s.full)
}
