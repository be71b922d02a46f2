// Package transient follows the first come first served multiserver-job queue through
// time: Poisson arrivals whose rate is piecewise constant, phase-type services, from a
// given state on or over a period, by uniformisation (Jensen 1953; Grassmann, European
// Journal of Operational Research 1, 1977).
//
// A state is the number of jobs in service by phase, the class of the job at the head of
// the line, how many of the jobs of the given line stand behind it, whose classes are
// known, and how many that came later. The classes of these are drawn when they reach
// the head, which gives the same law.
package transient

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/finite"
	"github.com/mjqueue/mjq/mjq/internal/passage"
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

// edge leads to a state, with a rate or a probability; to none (lost) beyond the
// most jobs that the chain has.
type edge = passage.Move

const lost = -1

// chain is the part of the chain with so many jobs at most.
type chain struct {
	states.System
	line   []int // classes of the given line
	first  []int // phase, by class
	of     []int // class, by phase
	cap    int   // most jobs
	most   int   // states
	states []*state
	index  map[string]int32
	serve  [][]edge // rates, by state
	arrive [][]edge // probabilities
	rate   []float64
	begin  []edge // probabilities of the states at the start
}

// TooLarge says that the chain has more states than it may.
type TooLarge struct{ Jobs, States int }

// Error names the sizes.
func (e *TooLarge) Error() string {
	return fmt.Sprintf("the chain of up to %d jobs has more than %d states; simulate, or allow more by MaxBytes", e.Jobs, e.States)
}

// newChain explores the chain from the start.
func newChain(ctx context.Context, sys states.System, start Start, jobs, most int) (*chain, error) {
	c := &chain{System: sys, line: start.Line, cap: jobs, most: most, index: map[string]int32{}}
	for i, k := range sys.Classes {
		c.first = append(c.first, len(c.of))
		for range k.Alpha {
			c.of = append(c.of, i)
		}
	}
	if err := c.enter(start); err != nil {
		return nil, err
	}
	for i := 0; i < len(c.states); i++ {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := c.leave(c.states[i]); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// weighted are states that are not numbered, each once.
type weighted = finite.Weighted[*state]

// enter numbers the states of the start.
func (c *chain) enter(start Start) error {
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
	for i, s := range now.States {
		edges, err := c.settle(s, now.Weights[i], nil)
		if err != nil {
			return err
		}
		c.begin = append(c.begin, edges...)
	}
	return nil
}

// with is the state with so many jobs more in a phase.
func (s *state) with(phase, more int) *state {
	t := *s
	t.serving = append([]uint16(nil), s.serving...)
	t.serving[phase] = uint16(int(t.serving[phase]) + more)
	return &t
}

// free is the number of servers that no job holds.
func (c *chain) free(s *state) int {
	free := c.Servers
	for p, n := range s.serving {
		free -= int(n) * c.Classes[c.of[p]].Need
	}
	return free
}

// leave finds where a state leads to.
func (c *chain) leave(s *state) (err error) {
	var serve, arrive []edge
	total := 0.0
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
				to, err := c.number(s.with(p, -1).with(c.first[class]+q, 1))
				if err != nil {
					return err
				}
				serve = append(serve, edge{To: to, Rate: float64(n) * rate})
			}
		}
		if exit > 1e-14*-row[p-c.first[class]] {
			if serve, err = c.settle(s.with(p, -1), float64(n)*exit, serve); err != nil {
				return err
			}
		}
		total += float64(n) * -row[p-c.first[class]]
	}
	if s.running()+s.waiting() < c.cap {
		t := *s
		t.behind++
		arrive, err = c.settle(&t, 1, nil)
	} else {
		arrive = []edge{{To: lost, Rate: 1}}
	}
	c.serve, c.arrive, c.rate = append(c.serve, serve), append(c.arrive, arrive), append(c.rate, total)
	return err
}

// settle appends the states in which nobody can start any more, with their weights. Jobs
// start one by one, and equal states are joined after each.
func (c *chain) settle(s *state, weight float64, out []edge) ([]edge, error) {
	var now weighted
	now.Add("", s, weight)
	for len(now.States) > 0 {
		var next weighted
		for i, s := range now.States {
			var err error
			if out, err = c.draw(s, now.Weights[i], out, &next); err != nil {
				return nil, err
			}
		}
		now = next
	}
	return out, nil
}

// draw brings a job to the head if none is there, and has it start if it fits.
func (c *chain) draw(s *state, weight float64, out []edge, next *weighted) (_ []edge, err error) {
	switch {
	case s.head >= 0:
		return c.begins(s, weight, out, next)
	case s.given > 0:
		t := *s
		t.head = c.line[len(c.line)-s.given]
		t.given--
		return c.begins(&t, weight, out, next)
	case s.behind > 0:
		for k, class := range c.Classes {
			if class.Prob == 0 {
				continue
			}
			t := *s
			t.head = k
			t.behind--
			if out, err = c.begins(&t, weight*class.Prob, out, next); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	to, err := c.number(s)
	return append(out, edge{To: to, Rate: weight}), err
}

// begins has the job at the head of the line start if it fits.
func (c *chain) begins(s *state, weight float64, out []edge, next *weighted) ([]edge, error) {
	class := c.Classes[s.head]
	if class.Need > c.free(s) {
		to, err := c.number(s)
		return append(out, edge{To: to, Rate: weight}), err
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
	return out, nil
}

// number is that of a state.
func (c *chain) number(s *state) (int32, error) {
	key := s.key()
	if i, ok := c.index[key]; ok {
		return i, nil
	}
	if len(c.states) >= c.most {
		return 0, &TooLarge{c.cap, c.most}
	}
	i := int32(len(c.states))
	c.index[key], c.states = i, append(c.states, s)
	return i, nil
}
