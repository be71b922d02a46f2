package failing

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/law"
)

// mostStages is the most phases of the work of a single class.
const mostStages = 12

// alike is the state of a queue of one class: jobs, servers that are down, jobs that run by the
// phase of their work, and jobs that have started.
type alike struct {
	jobs, started int32
	down          downs
	stages        [mostStages]uint16
}

// single is a queue of one class whose work has phases.
type single struct {
	*Queue
	*fails
	need, most int // servers of a job, and jobs that run at most
	alpha      []float64
	generator  [][]float64 // of the phases
}

// single is the queue as one of a single class: of exponential work, or of work with phases that is
// drawn anew after a hit.
func (q *Queue) single() (*single, error) {
	f, err := q.sorted()
	if err != nil {
		return nil, err
	}
	s := &single{Queue: q, fails: f, need: q.Classes[0].Need, most: f.free / q.Classes[0].Need}
	s.alpha, s.generator, err = q.phases()
	return s, err
}

// explore lists its states.
func (s *single) explore(ctx context.Context, most chain.Limits) (*chain.Graph[alike, alike], error) {
	rule := chain.Rule[alike, alike]{
		Key:    func(x alike) alike { return x },
		Layer:  func(x alike) int { return int(x.jobs) },
		Moves:  s.moves,
		Repeat: &chain.Repeat[alike]{From: s.most + 1, Shift: func(x alike, by int) alike { x.jobs += int32(by); return x }},
	}
	if s.Room > 0 {
		rule.Repeat = nil
	}
	return chain.Explore(ctx, rule, most, alike{})
}

// answer is what the stationary law tells.
func (s *single) answer(g *chain.Graph[alike, alike], law *chain.Law) *Answer {
	a := &Answer{Classes: make([]ClassAnswer, 1)}
	one := &a.Classes[0]
	g.Each(law, func(x alike, p, above, _ float64) {
		running := x.running()
		one.Jobs += p*float64(x.jobs) + above
		one.Fresh += p*float64(x.jobs-x.started) + above
		one.Busy += p * float64(running)
		a.Up += p * float64(s.up(x.down))
		switch {
		case s.Room > 0 && int(x.jobs) == s.Room:
			a.Full += p
		case running == int(x.jobs) && (running+1)*s.need <= s.room(x.down):
			one.AtOnce += p
		}
	})
	one.Interruptions = float64(s.need) * s.all * one.Busy / (s.Rate * (1 - a.Full))
	return a
}

// phases are those of the work of the only class.
func (q *Queue) phases() (alpha []float64, generator [][]float64, err error) {
	work := q.Classes[0].Work
	if rate, ok := law.ExponentialRate(work); ok {
		return []float64{1}, [][]float64{{-rate}}, nil
	}
	alpha, generator, ok := law.Phases(work)
	if !ok || q.How != Resampled || len(alpha) > mostStages {
		return nil, nil, fmt.Errorf("the service time is %v; chains of servers that fail take exponential ones, and with Resampled at most %d phases", work, mostStages)
	}
	return alpha, generator, nil
}

// running is how many jobs run.
func (x *alike) running() (n int) {
	for _, k := range x.stages {
		n += int(k)
	}
	return n
}

// moves are what happens in a state.
func (s *single) moves(_ context.Context, x alike, to func(alike, float64)) {
	if s.Room == 0 || int(x.jobs) < s.Room {
		more := x
		more.jobs++
		s.admit(more, s.Rate, to)
	}
	running := x.running()
	idle := s.up(x.down) - s.need*running
	s.mended(x.down, func(d downs, rate float64) {
		less := x
		less.down = d
		s.admit(less, rate, to)
	})
	s.broken(x.down, idle, func(d downs, rate float64) {
		more := x
		more.down = d
		s.admit(more, rate, to)
	})
	for i, row := range s.generator {
		n := float64(x.stages[i])
		if n == 0 {
			continue
		}
		gone := x
		gone.stages[i]--
		exit := 0.0
		for j, rate := range row {
			exit -= rate
			if j != i && rate > 0 {
				on := gone
				on.stages[j]++
				to(on, n*rate)
			}
		}
		// A job that is hit goes back to the jobs that wait; from a brief failure it begins at once.
		held := int(x.stages[i]) * s.need
		s.broken(x.down, held, func(d downs, rate float64) {
			back := gone
			back.down = d
			s.admit(back, rate, to)
		})
		if s.brief > 0 {
			s.admit(gone, s.brief*float64(held), to)
		}
		gone.jobs--
		gone.started--
		s.admit(gone, n*exit, to)
	}
}

// admit starts jobs while servers are free, those that have started before first.
func (s *single) admit(x alike, rate float64, to func(alike, float64)) {
	if rate == 0 {
		return
	}
	running := x.running()
	x.started = max(x.started, int32(running))
	if running == int(x.jobs) || (running+1)*s.need > s.room(x.down) {
		to(x, rate)
		return
	}
	for i, p := range s.alpha {
		if p > 0 {
			next := x
			next.stages[i]++
			s.admit(next, rate*p, to)
		}
	}
}
