package policychain

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/policy"
)

// resampled is inOrder where a job that is stopped begins again with a new service of its law. It is
// then like a job that has not begun, so that of the jobs below the first level those alone have begun
// that run. Its arrivals are Poisson, and jobs of a level that is stopped have one law of services.
type resampled struct{ inOrder }

// newResampled says where a job that is stopped is not like one that has not begun.
func newResampled(named policy.Policy, p *plan) (rule, error) {
	if !bool(p.input.poisson) || p.leaving {
		return nil, fmt.Errorf("policy %s: it is solved for Poisson arrivals of jobs that do not give up; use mjq.Simulation{}", named)
	}
	for _, c := range p.classes {
		if k := &p.kinds[max(0, c.kind)]; c.prob > 0 && c.kind > 0 && c.hi-c.lo < len(k.phases) {
			return nil, fmt.Errorf("policy %s: jobs of level %d have several service times, so that those that are stopped would belong into the state; give them one law, or use mjq.Simulation{}", named, k.level)
		}
	}
	return resampled{inOrder{p, false}}, nil
}

func (r resampled) next(s *state) action {
	for k := range r.kinds {
		if run := r.serves(s, k); run < len(s.begun[k]) {
			s.queue[k] += len(s.begun[k]) - run
			s.begun[k] = s.begun[k][:run:run]
		}
	}
	if s.line > 0 {
		return look
	}
	for k := range r.kinds {
		if r.serves(s, k) > len(s.begun[k]) {
			return action(k)
		}
	}
	return stop
}

// kept is the mean service of the jobs of a kind, that of the try which nobody stops: by Little's law
// the mean number of jobs that run and will not be stopped, over their rate. Whether a job is stopped
// depends on the jobs above it and on those of its kind before it, whose chain is followed until it ends
// or is stopped.
func (r resampled) kept(ctx context.Context, c *cutChain, kind int) (float64, error) {
	var first chain.Weighted[string, *state]
	for i, s := range c.States {
		for n := range s.begun[kind] {
			t := s.with(kind, s.begun[kind][:n+1:n+1])
			for k := kind; k < len(r.kinds); k++ {
				if t.queue[k] = 0; k > kind {
					t.begun[k] = nil
				}
			}
			first.Add(t.key(), t, c.pi[i])
		}
	}
	g, err := chain.Explore(ctx, chain.Rule[*state, string]{Key: (*state).key,
		Stop:  func(s *state) bool { return s.queue[kind] > 0 },
		Moves: func(ctx context.Context, s *state, to func(*state, float64)) { r.before(ctx, c, s, kind, to) },
	}, chain.Limits{Bytes: c.bytes, PerState: bytesPerState, PerMove: bytesPerArrow}, first.States...)
	if err != nil {
		return 0, err
	}
	ends := make([]float64, len(g.States))
	for i, s := range g.States {
		last := s.begun[kind][len(s.begun[kind])-1]
		ends[i] = r.kinds[kind].phases[last].exit
		g.Stop[i] += ends[i]
	}
	passes, err := g.Passage(ctx, c.bytes, 1, func(_, i int, _ [][]float64) float64 { return ends[i] })
	if err != nil {
		return 0, err
	}
	run := 0.0
	for i, w := range first.Weights {
		run += w * passes[0][i]
	}
	return run / (r.rate * r.kinds[kind].prob), nil
}

// before are the moves up to the end of the last job of a kind: of those above it and before it.
func (r resampled) before(ctx context.Context, c *cutChain, s *state, kind int, to func(*state, float64)) {
	enter := func(t *state, rate float64) {
		for _, f := range c.decide(ctx, t, rate, nil) {
			to(f.to, f.rate)
		}
	}
	for k := range kind + 1 {
		for i, now := range s.begun[k] {
			if exit := r.kinds[k].phases[now].exit; exit > 0 && (k < kind || i+1 < len(s.begun[k])) {
				enter(c.ended(s, k, i), exit)
			}
			for _, f := range c.changes(s, k, i, 1, nil) {
				to(f.to, f.rate)
			}
		}
		if k < kind && s.total() < c.most {
			t := s.clone()
			t.queue[k]++
			enter(t, r.rate*r.kinds[k].prob)
		}
	}
}

// tell adds what the counts do not: of the time that jobs run, the part that is kept.
func (r resampled) tell(ctx context.Context, c *cutChain, m *Measures) error {
	kept := make([]float64, len(r.kinds))
	for k := 1; k < len(kept); k++ {
		var err error
		if kept[k], err = r.kept(ctx, c, k); err != nil {
			return err
		}
	}
	m.Wait, m.Response = 0, 0
	for i, share := range r.classes {
		x := &m.Classes[i]
		if share.prob == 0 {
			continue
		}
		if x.Lost = 0; share.kind > 0 {
			rate, service := r.rate*share.prob, kept[share.kind]
			x.Response, x.Lost = (x.Queue+x.Served)/rate, max(0, x.Served/rate-service)
			x.Wait = x.Response - service
		}
		m.Wait, m.Response = m.Wait+share.prob*x.Wait, m.Response+share.prob*x.Response
	}
	return nil
}
