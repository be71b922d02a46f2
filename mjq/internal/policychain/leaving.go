package policychain

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Jobs that wait may give up, each at the rate of its kind. The class of a job of a kind is
// then still independent of all that has happened, and where all rates are equal so is the
// kind of a job that has not been looked at. The chain is cut also where a policy looks at few
// jobs, since the rate of giving up grows with the number that wait.

// impatience takes the rates of the classes over into the kinds.
func (p *plan) impatience(s System) error {
	known := make([]bool, len(p.kinds))
	for i, rate := range s.Leave {
		if s.Classes[i].Prob == 0 {
			continue
		}
		at := p.classes[i].kind
		k := &p.kinds[at]
		switch {
		case !(rate >= 0) || math.IsInf(rate, 1):
			return fmt.Errorf("class %d gives up at the rate %v; give a finite one of 0 or more", i, rate)
		case known[at] && k.leave != rate:
			return fmt.Errorf("jobs of need %d give up at the rates %v and %v: their order would belong into the state; give them one patience, or use mjq.Simulation{}", k.need, k.leave, rate)
		}
		k.leave, known[at] = rate, true
		p.leaving = p.leaving || rate > 0
	}
	p.stopped = s.Stopped
	return nil
}

// givesUp reports whether a rule can be solved with jobs that give up.
func (p *plan) givesUp(r rule) error {
	if !p.leaving {
		return nil
	}
	switch r := r.(type) {
	case window, filling, firstFit:
		if !p.oneRate(len(p.kinds)) {
			return errors.New("it looks at jobs one by one, and jobs of several needs give up at different rates: their order would belong into the state; use mjq.Simulation{}")
		}
	case over:
		if !p.oneRate(r.below) {
			return errors.New("jobs of several needs of the first level give up at different rates: their order would belong into the state; use mjq.Simulation{}")
		}
	}
	return nil
}

// oneRate reports whether the first kinds give up at one rate.
func (p *plan) oneRate(kinds int) bool {
	for _, k := range p.kinds[:kinds] {
		if k.leave != p.kinds[0].leave {
			return false
		}
	}
	return true
}

// tells reports whether jobs of a kind that have begun are not like others even while they are
// stopped: they do not give up.
func (p *plan) tells(k kind) bool { return k.leave > 0 && !p.stopped }

// goes appends the states after a job has given up.
func (q *Queue) goes(ctx context.Context, s *state, out []flow) []flow {
	if !q.leaving {
		return out
	}
	for k, kind := range q.kinds {
		if n := s.queue[k]; n > 0 && kind.leave > 0 {
			t := s.clone()
			t.queue[k]--
			out = q.decide(ctx, t, float64(n)*kind.leave, out)
		}
		for i := q.running(s, k); q.stopped && kind.leave > 0 && i < len(s.begun[k]); i++ {
			rest := append(append([]uint8(nil), s.begun[k][:i]...), s.begun[k][i+1:]...)
			out = q.decide(ctx, s.with(k, rest), kind.leave, out)
		}
	}
	if leave := q.kinds[0].leave; s.line > 0 && leave > 0 {
		t := s.clone()
		t.line--
		out = q.decide(ctx, t, float64(s.line)*leave, out)
	}
	return out
}

// addLeaving adds the rates at which jobs of a class give up in a state of probability p whose line
// has so many jobs on average.
func (m *sums) addLeaving(s *state, c int, share share, p, line float64) {
	kind := &m.q.kinds[share.kind]
	if kind.leave == 0 {
		return
	}
	n := p*share.part*float64(s.queue[share.kind]) + line*share.part*kind.prob
	if m.q.stopped {
		for _, ph := range s.begun[share.kind][m.q.running(s, share.kind):] {
			if int(ph) >= share.lo && int(ph) < share.hi {
				n += p * share.among
			}
		}
	}
	m.left[c] += n * kind.leave
}

// vain reports whether work is done in vain.
func (q *Queue) vain() bool {
	_, yes := q.rule.(vain)
	return yes || q.stopped && q.leaving
}

// unbalanced is how much of the work for each server is neither done nor has given up: it was
// lost at the cut or by rounding.
func (q *Queue) unbalanced(m *Measures) float64 {
	if q.vain() {
		return m.Levels[m.Cut]
	}
	done := m.Utilisation
	for c, share := range q.classes {
		if share.prob > 0 {
			done += q.rate * share.prob * m.Classes[c].Left * share.mean * float64(q.kinds[share.kind].need) / float64(q.servers)
		}
	}
	return math.Abs(done - q.load())
}
