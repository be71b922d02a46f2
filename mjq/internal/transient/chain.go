// Package transient follows the first come first served multiserver-job queue through
// time: Poisson arrivals whose rate is piecewise constant, phase-type services, from a
// given state on or over a period, by uniformisation.
//
// A state is the number of jobs in service by phase, the class of the job at the head of
// the line, how many of the jobs of the given line stand behind it, whose classes are
// known, and how many that came later. The classes of these are drawn when they reach
// the head, which gives the same law.
package transient

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/states"
)

// Start is a state, given in probabilities: of each job in service its class and the law
// of its phase.
type Start struct {
	Running []Running
	Line    []int // classes
}

// Running is a job in service.
type Running struct {
	Class int
	Alpha []float64
}

// state is a state of the chain. It is never altered once it has a number.
type state struct {
	serving []uint16 // jobs by phase, those of the first class first
	head    int      // class of the job at the head of the line; -1: nobody waits
	given   int      // jobs of the given line behind it
	behind  int      // and later ones
}

func (s *state) waiting() int {
	n := s.given + s.behind
	if s.head >= 0 {
		n++
	}
	return n
}

func (s *state) running() (n int) {
	for _, k := range s.serving {
		n += int(k)
	}
	return n
}

func (s *state) key() string {
	b := make([]byte, 0, 2*len(s.serving)+12)
	for _, k := range s.serving {
		b = binary.LittleEndian.AppendUint16(b, k)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(s.head+1))
	b = binary.LittleEndian.AppendUint32(b, uint32(s.given))
	return string(binary.LittleEndian.AppendUint32(b, uint32(s.behind)))
}

// queue is the part of the chain with so many jobs at most. It is driven by the arrivals.
type queue struct {
	states.System
	*chain.Graph[*state, string]
	line  []int     // classes of the given line
	first []int     // phase, by class
	of    []int     // class, by phase
	cap   int       // most jobs
	begin []float64 // probabilities of the states at the start, which have the first numbers
}

// newQueue explores the chain from the start.
func newQueue(ctx context.Context, sys states.System, start Start, jobs, most int) (*queue, error) {
	c := &queue{System: sys, line: start.Line, cap: jobs}
	for i, k := range sys.Classes {
		c.first = append(c.first, len(c.of))
		for range k.Alpha {
			c.of = append(c.of, i)
		}
	}
	first := c.enter(start)
	c.begin = first.Weights
	rule := chain.Rule[*state, string]{Key: (*state).key, Moves: c.services, Driven: c.arrivals}
	var err error
	c.Graph, err = chain.Explore(ctx, rule, chain.Limits{States: most}, first.States...)
	if large := new(chain.TooLarge); errors.As(err, &large) {
		return nil, chain.Large(large.States, 0, "the chain of up to %d jobs has more than %d states; simulate, or allow more by MaxBytes", jobs, most)
	}
	return c, err
}

// weighted are states, each once.
type weighted = chain.Weighted[string, *state]

// enter is the states at the start.
func (c *queue) enter(start Start) (out weighted) {
	var now weighted
	empty := &state{serving: make([]uint16, len(c.of)), head: -1, given: len(start.Line)}
	now.Add(empty.key(), empty, 1)
	for _, r := range start.Running {
		var next weighted
		now.Each(func(s *state, weight float64) {
			for p, alpha := range r.Alpha {
				if alpha > 0 {
					t := s.with(c.first[r.Class]+p, 1)
					next.Add(t.key(), t, weight*alpha)
				}
			}
		})
		now = next
	}
	now.Each(func(s *state, weight float64) {
		c.settle(s, weight, func(s *state, weight float64) { out.Add(s.key(), s, weight) })
	})
	return out
}

// with is the state with so many jobs more in a phase.
func (s *state) with(phase, more int) *state {
	t := *s
	t.serving = append([]uint16(nil), s.serving...)
	t.serving[phase] = uint16(int(t.serving[phase]) + more)
	return &t
}

// free is the number of servers that no job holds.
func (c *queue) free(s *state) int {
	free := c.Servers
	for p, n := range s.serving {
		free -= int(n) * c.Classes[c.of[p]].Need
	}
	return free
}

// services are the ends and the changes of phase of services.
func (c *queue) services(_ context.Context, s *state, to func(*state, float64)) {
	for p, n := range s.serving {
		if n == 0 {
			continue
		}
		class := c.of[p]
		row := c.Classes[class].A[p-c.first[class]]
		exit := 0.0
		for q, rate := range row {
			exit -= rate
			if q != p-c.first[class] && rate > 0 {
				to(s.with(p, -1).with(c.first[class]+q, 1), float64(n)*rate)
			}
		}
		if exit > 1e-14*-row[p-c.first[class]] {
			c.settle(s.with(p, -1), float64(n)*exit, to)
		}
	}
}

// arrivals are what follows an arrival.
func (c *queue) arrivals(_ context.Context, s *state, to func(*state, float64)) {
	if s.running()+s.waiting() < c.cap {
		t := *s
		t.behind++
		c.settle(&t, 1, to)
	}
}

// settle is the states in which nobody can start any more, with their weights. Jobs start one
// by one, and equal states are joined after each.
func (c *queue) settle(s *state, weight float64, to func(*state, float64)) {
	var now weighted
	now.Add("", s, weight)
	for len(now.States) > 0 {
		var next weighted
		now.Each(func(s *state, weight float64) { c.draw(s, weight, to, &next) })
		now = next
	}
}

// draw brings a job to the head if none is there, and has it start if it fits.
func (c *queue) draw(s *state, weight float64, to func(*state, float64), next *weighted) {
	t := *s
	switch {
	case s.head >= 0:
		c.begins(s, weight, to, next)
	case s.given > 0:
		t.head = c.line[len(c.line)-s.given]
		t.given--
		c.begins(&t, weight, to, next)
	case s.behind > 0:
		for k, class := range c.Classes {
			if class.Prob > 0 {
				t := *s
				t.head = k
				t.behind--
				c.begins(&t, weight*class.Prob, to, next)
			}
		}
	default:
		to(s, weight)
	}
}

// begins has the job at the head of the line start if it fits.
func (c *queue) begins(s *state, weight float64, to func(*state, float64), next *weighted) {
	class := c.Classes[s.head]
	if class.Need > c.free(s) {
		to(s, weight)
		return
	}
	t, rest := *s, 1.0
	t.head = -1
	for p, alpha := range class.Alpha {
		if alpha > 0 {
			rest -= alpha
			after := t.with(c.first[s.head]+p, 1)
			next.Add(after.key(), after, weight*alpha)
		}
	}
	if rest > 1e-12 { // a service that takes no time
		next.Add(t.key(), &t, weight*rest)
	}
}
