package events

import (
	"slices"

	"github.com/mjqueue/mjq/mjq/result"
)

// Seats are the servers of a system one by one, as jobs take and leave them. A job that
// starts or resumes takes the free ones of the lowest numbers, on nodes those of its nodes. Cost:
// O(servers) a start.
type Seats struct {
	taken []bool
	held  map[int64][]result.Stretch // by job; the last is the one that goes on
	keeps bool                       // stretches that are over
	first []int                      // by node, its first seat; nil without nodes
	lying []int                      // seats of the job that starts, on its nodes
}

// Sit has the jobs of a simulator take seats, from the beginning of its run. Job is then
// to be called for every job that is recorded.
func (s *Simulator) Sit() *Seats {
	seats := &Seats{taken: make([]bool, s.view.Servers), held: map[int64][]result.Stretch{}, keeps: s.known.Preemptive}
	s.Seizes, s.Served = seats.seize, seats.release
	if n := s.nodes; n != nil {
		at := 0
		for _, content := range n.node {
			seats.first = append(seats.first, at)
			at += int(n.units[content])
		}
		n.lies = seats.lie
	}
	return seats
}

// First is the first server of each node; nil without nodes.
func (s *Seats) First() []int { return s.first }

// lie gives a job seats on a node.
func (s *Seats) lie(_ int64, node, units int) {
	for k := s.first[node]; units > 0; k++ {
		if !s.taken[k] {
			s.taken[k] = true
			s.lying = append(s.lying, k)
			units--
		}
	}
}

// seize gives a job its servers.
func (s *Seats) seize(n int64, need int) {
	seized := make([]int, 0, need)
	if s.first != nil {
		seized, s.lying = append(seized, s.lying...), s.lying[:0]
		slices.Sort(seized)
	}
	for k := 0; len(seized) < need; k++ {
		if !s.taken[k] {
			s.taken[k] = true
			seized = append(seized, k)
		}
	}
	s.held[n] = append(s.held[n], result.Stretch{Seized: seized})
}

// release takes them back.
func (s *Seats) release(n int64, _ int32, _ int, from, to float64) {
	all := s.held[n]
	last := &all[len(all)-1]
	last.From, last.To = from, to
	for _, k := range last.Seized {
		s.taken[k] = false
	}
	if !s.keeps {
		delete(s.held, n)
	}
}

// Job is a job that is recorded, with the servers that it has; its Head is left to do.
func (s *Seats) Job(r *Record) result.PathJob {
	all := s.held[r.Number]
	j := result.PathJob{Number: r.Number, Class: int(r.Class), Need: r.Need, Arrival: r.Arrival, Start: r.Start, End: r.End, Seized: all[0].Seized}
	if s.keeps {
		delete(s.held, r.Number)
		if len(all) > 1 {
			j.Stretches = all
		}
	}
	return j
}
