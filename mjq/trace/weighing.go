package trace

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/policy"
)

// weighing is a search for weights on one half of a log.
type weighing struct {
	*whatIf
	how   Replay
	ask   WeightSearch
	space []side
	tried int
}

// weighed is a policy with what it comes to.
type weighed struct {
	policy policy.Multifactor
	place  []float64 // by side, from 0 to 1; nil of today's
	values []float64 // by goal
	worst  float64   // excess of the goals
}

// choose is the best of the weights that are tried.
func (s *weighing) choose(today policy.Multifactor) (*weighed, error) {
	tries := cmp.Or(s.ask.Tries, 48)
	best, err := s.try([]*weighed{{policy: today}})
	if err != nil {
		return nil, err
	}
	wide := 1.0 // of the box around the best
	for from := 0; from < tries && len(s.space) > 0; wide /= 3 {
		n := max(1, min(tries-from, tries/2))
		var list []*weighed
		for i := range n {
			w := &weighed{policy: today}
			for k, x := range s.space {
				place := halton(from+i+1, primes[k%len(primes)])
				if wide < 1 && best.place != nil {
					place = min(1, max(0, best.place[k]+wide*(place-0.5)))
				}
				w.place = append(w.place, place)
				w.policy, _ = w.policy.With(x.name, x.at(place)) // names were looked at
			}
			list = append(list, w)
		}
		found, err := s.try(list)
		if err != nil {
			return nil, err
		}
		if found.worst < best.worst {
			best = found
		}
		from += n
	}
	return best, nil
}

// primes are the bases of the sides in a Halton sequence.
var primes = []int{2, 3, 5, 7, 11, 13, 17}

// halton is the radical inverse of a number: 1, 2, 3, ... fill 0 to 1 evenly.
func halton(n, base int) (x float64) {
	for f := 1 / float64(base); n > 0; n, f = n/base, f/float64(base) {
		x += f * float64(n%base)
	}
	return x
}

// try replays weights and returns the best.
func (s *weighing) try(list []*weighed) (best *weighed, err error) {
	wrong := make([]error, len(list))
	s.each(len(list), func(i int) {
		list[i].values, wrong[i] = s.values(list[i].policy)
	})
	if err := errors.Join(context.Cause(s.ctx), errors.Join(wrong...)); err != nil {
		return nil, err
	}
	s.tried += len(list)
	for _, w := range list {
		w.worst = math.Inf(-1)
		for k, g := range s.ask.Goals {
			w.worst = max(w.worst, g.excess(w.values[k]))
		}
	}
	return slices.MinFunc(list, func(a, b *weighed) int { return cmp.Compare(a.worst, b.worst) }), nil
}

// values are what a policy comes to, by goal.
func (s *weighing) values(p policy.Policy) (list []float64, err error) {
	how := s.how
	how.Policy = p
	x, err := s.run(Scenario{Name: "weights", Replay: how})
	if err != nil {
		return nil, err
	}
	for _, g := range s.ask.Goals {
		value, _ := meanOver(upTo(s.days), s.sums(x, g))
		list = append(list, value)
	}
	return list, nil
}

// sums are by day what the value of a goal is the ratio of.
func (q *whatIf) sums(x *served, g WeightGoal) []daySum {
	if g.Share > 0 {
		return q.held(x, g.Account)
	}
	return q.daily(x, func(j *Job) bool {
		return (g.Class == "" || x.how.Classes.name(x.how.Classes.of(j)) == g.Class) && (g.Account == "" || j.Account == g.Account)
	})
}

// held is by day the server-time that an account holds while a job of it waits, over that of all then.
func (q *whatIf) held(x *served, account string) []daySum {
	type change struct {
		at        float64
		waits     int     // jobs of the account
		mine, all float64 // servers
	}
	var list []change
	for i, w := range x.waits {
		if j := &x.log.Jobs[i]; !math.IsNaN(w) {
			start, n, mine := j.Arrival+w, float64(j.Need), 0.0
			if j.Account == account {
				mine = n
				list = append(list, change{at: j.Arrival, waits: 1}, change{at: start, waits: -1})
			}
			list = append(list, change{at: start, mine: mine, all: n}, change{at: start + j.Service, mine: -mine, all: -n})
		}
	}
	slices.SortFunc(list, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	out := make([]daySum, q.days)
	var now change
	for _, c := range list {
		if now.waits > 0 {
			d := q.day(&Job{Arrival: now.at})
			out[d] = out[d].plus(daySum{now.all * (c.at - now.at), now.mine * (c.at - now.at)})
		}
		now.at, now.waits, now.mine, now.all = c.at, now.waits+c.waits, now.mine+c.mine, now.all+c.all
	}
	return out
}

// upTo are the numbers below n.
func upTo(n int) (list []int) {
	for d := range n {
		list = append(list, d)
	}
	return list
}

// alone is the value of a goal if its class or account goes before all others, whatever the weights are.
func (s *weighing) alone(k int, today policy.Multifactor) (float64, error) {
	g, p := s.ask.Goals[k], today
	switch {
	case g.Class != "":
		p = p.Tier([]string{g.Class})
	case g.Account != "":
		p.Other = map[string]float64{g.Account: 1e9}
	default:
		return math.NaN(), nil
	}
	values, err := s.values(p)
	if err != nil {
		return math.NaN(), err
	}
	return values[k], nil
}
