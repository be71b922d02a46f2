package queue

import (
	"context"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/chain"
)

// Wait is the wait of the jobs of a class that join the queue, as the time until the jobs
// before them and the services let them start; jobs that come later do not matter. A state
// of this chain is what is in service and how many jobs stand before the one looked at.
type Wait struct {
	Joins        float64 // share of the jobs that come which waits
	Starts       float64 // probability that one of these starts
	Mean, Second float64 // moments of the wait of those that start
	c            *chain.Chain
	begin, ends  []float64 // by state: its probability as jobs join, and that with which a job there starts
	flow         *chain.Flow
	now          float64 // of the flow
}

// Wait is the wait of a class. It fails with *chain.TooLarge if the states and what solves
// them take more than bytes, and with the cause of the end of ctx.
func (x *Solution) Wait(ctx context.Context, class int, bytes float64) (*Wait, error) {
	c := x.c
	joins := x.joins(class)
	w := new(Wait)
	for _, p := range joins.Weights {
		w.Joins += p
	}
	if w.Joins == 0 {
		return w, nil
	}
	rule := chain.Rule[State, State]{Key: same,
		Moves: func(_ context.Context, s State, to func(State, float64)) {
			c.services(s, to)
			c.leaves(s, to)
		},
		Stop: func(s State) bool { // with this job at the head, which starts
			return c.line(s) == 0 && c.place.Fits(s.at, class)
		}}
	graph, err := chain.Explore(ctx, rule, chain.Limits{Bytes: bytes, PerState: 200, PerMove: 16}, joins.States...)
	if err != nil {
		return nil, err
	}
	w.c = &graph.Chain
	start := slices.Clone(w.c.Stop)
	for i := range w.c.Stop {
		w.c.Stop[i] += c.Leave
	}
	w.begin = make([]float64, len(start))
	for i, p := range joins.Weights {
		w.begin[i] = p / w.Joins
	}
	f, err := w.c.Passage(ctx, bytes, 3, func(k, i int, before [][]float64) float64 {
		if k == 0 {
			return start[i]
		}
		return float64(k) * before[k-1][i]
	})
	if err != nil {
		return nil, err
	}
	w.ends = f[0]
	w.Starts = dot(w.begin, w.ends)
	w.Mean, w.Second = dot(w.begin, f[1])/w.Starts, dot(w.begin, f[2])/w.Starts
	return w, nil
}

// joins are the states in which jobs of a class join the queue, behind those that wait, with
// the shares of the jobs that do.
func (x *Solution) joins(class int) (list chain.Weighted[State, State]) {
	c := x.c
	x.Each(func(s State, p, _, _ float64) {
		rate := 0.0
		for _, e := range c.in.Events { // one by one
			for _, r := range e.Rates[s.phase] {
				rate += r * c.drawn[class]
			}
		}
		if u := &c.Classes[class]; u.Users > 0 {
			rate += float64(c.thinking(s, class)) * u.Think
		}
		if c.line(s) >= c.Room || c.line(s) == 0 && c.place.Fits(s.at, class) {
			return
		}
		s.phase = 0
		list.Add(s, s, p*rate/x.Arrived[class])
	})
	return list
}

// Survival is the probability that a job which joins the queue and starts waits for longer,
// at times that do not descend from one call to the next, or begin anew; NaN once ctx has
// ended.
func (w *Wait) Survival(ctx context.Context, at float64) float64 {
	if w.flow == nil || at < w.now {
		w.now, w.flow = 0, w.c.Flow(slices.Clone(w.begin))
	}
	if w.flow.Pass(ctx, 0, at-w.now) != nil {
		w.flow = nil
		return math.NaN()
	}
	w.now = at
	return dot(w.flow.Now, w.ends) / w.Starts
}

// Operations is about what the survival function takes from 0 to a time.
func (w *Wait) Operations(to float64) float64 { return w.c.Flow(w.begin).Operations(to) }

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
