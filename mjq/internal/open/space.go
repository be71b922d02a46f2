// Package open solves the open multiserver-job queue with Poisson arrivals and
// phase-type services exactly: a quasi-birth-and-death process whose level is
// the number of jobs in the system and whose phase is the multiset of phases in
// service. The class of the job at the head of the line (HOL) is implied (see
// package states).
//
// Under Markovian arrivals, in batches and marked or not, [SolveAges] finds the
// waiting times from the age of the HOL job, and [SolveCounts] the number of jobs
// where none are marked.
package open

import (
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/result"
)

// space is what can be in service. A node is a multiset of phases; it is
// blocked if some class does not fit beside it, and only then can jobs be in
// line. Level n has the blocked nodes of at most n jobs, those of fewer with
// n less the jobs in line, and the other nodes of exactly n jobs.
type space struct {
	*states.Index
	spare   int     // servers that no job can ever use
	counts  []int32 // by node and phase
	jobs    []int   // by node
	free    []int   // by node, in units
	first   []int   // the first node that uses a given number of units
	place   []int   // by node: its place in the levels that have it
	blocked []int   // nodes, by ascending jobs
	rest    [][]int // by jobs: nodes that are not blocked
	upTo    []int   // by jobs: blocked nodes of at most so many
	most    int     // largest number of jobs in service
}

// newSpace lists the nodes of a system of a given number of servers.
func newSpace(x *states.Index, servers int) *space {
	s := &space{Index: x, spare: servers - x.Servers*x.Unit, most: x.Servers / x.Kinds[0].Need}
	s.rest, s.upTo = make([][]int, s.most+1), make([]int, s.most+1)
	for used := 0; used <= x.Servers; used++ {
		s.first = append(s.first, len(s.jobs))
		x.Each(used, func(counts []int32) bool {
			jobs := 0
			for _, n := range counts {
				jobs += int(n)
			}
			node := len(s.jobs)
			s.counts = append(s.counts, counts...)
			s.jobs, s.free = append(s.jobs, jobs), append(s.free, x.Servers-used)
			if x.Servers-used < x.Widest() {
				s.blocked = append(s.blocked, node)
			} else {
				s.rest[jobs] = append(s.rest[jobs], node)
			}
			return true
		})
	}
	slices.SortStableFunc(s.blocked, func(a, b int) int { return s.jobs[a] - s.jobs[b] })
	s.place = make([]int, len(s.jobs))
	// Where n jobs can leave too little for some class, n + 1 can too, if they fit
	// at all: every later number of jobs has a blocked node of its own.
	for i, node := range s.blocked {
		s.place[node] = i
		s.upTo[s.jobs[node]] = i + 1
	}
	for n, nodes := range s.rest {
		for i, node := range nodes {
			s.place[node] = s.upTo[n] + i
		}
	}
	return s
}

// of is the counts of a node.
func (s *space) of(node int) []int32 {
	k := len(s.Phases)
	return s.counts[node*k : (node+1)*k]
}

// node is the node of these counts, which use a given number of units.
func (s *space) node(counts []int32, used int) int { return s.first[used] + int(s.Rank(counts, used)) }

// level is the nodes of level n in order.
func (s *space) level(n int) []int {
	if n > s.most {
		return s.blocked
	}
	return append(slices.Clone(s.blocked[:s.upTo[n]]), s.rest[n]...)
}

// idle is the number of servers free beside a node.
func (s *space) idle(node int) float64 { return float64(s.free[node]*s.Unit + s.spare) }

// rate is the rate at which the phases of a node are left.
func (s *space) rate(node int) (sum float64) {
	for k, n := range s.of(node) {
		sum += float64(n) * s.Phases[k].Rate
	}
	return sum
}

// Size is how large a solution is.
type Size = result.ExactSize

// SizeOf is the size of the solution of a system, found by counting.
func SizeOf(x *states.Index) Size { return sizeOf(x, 1) }

// sizeOf is that with so many phases of the arrivals to a multiset.
func sizeOf(x *states.Index, arrivals float64) Size {
	p := x.States() * arrivals
	z := Size{Phases: int(min(p, 1<<62)), Levels: x.Servers/x.Kinds[0].Need + 1}
	each, upTo := p/float64(z.Levels), 0.0
	for range z.Levels { // as if the phases were spread evenly over the jobs
		upTo += each
		z.Bytes += 8 * upTo * upTo
		z.Flops += 2.7 * upTo * upTo * upTo
	}
	z.Bytes += 100 * p * p
	z.Flops += 160 * p * p * p
	return z
}
