package events

import (
	"math"
	"math/rand/v2"
)

// Sampler draws a time from words, as laws do.
type Sampler interface {
	Sample(rng rand.Source) float64
}

// Users send the jobs of a class, one each at most, in place of the arrivals.
type Users struct {
	Class, Number, Need int
	Think, Service      Sampler
}

// Room is how many jobs may wait, and what else decides who is let in.
type Room struct {
	Jobs  int
	Keep  []int // by class, servers that must stay free once a job has started
	Users []Users
	Alone bool // there are no jobs but those of users
}

// endlessRoom is for all jobs.
var endlessRoom = &Room{Jobs: math.MaxInt}

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
