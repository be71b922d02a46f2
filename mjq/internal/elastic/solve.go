package elastic

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/chain"
)

// ClassAnswer is what is found of a class, as means.
type ClassAnswer struct {
	Waiting  float64 // time from arrival to start
	Response float64
	Size     float64 // servers of a running job
	NoWait   float64 // probability that it starts at once
}

// Answer is what is found of a queue. Limit, the largest stable rate, is known of all.
type Answer struct {
	Limit   float64
	Stable  bool
	Classes []ClassAnswer
	Busy    float64 // mean servers that are held
	Wasted  float64 // mean servers idle although a job waits
	Jobs    float64 // mean number in the system
	States  int
	Levels  int // jobs in the system above which the chain repeats
}

// kind is jobs of a class that run on so many servers, or on a size that changes.
type kind struct {
	class, size int // size is what they hold when others start
}

// state is jobs in the system, running ones by kind, and the head.
type state struct {
	jobs int32
	runs string // a byte a kind: how many run
	head int8   // class of the job that waits at the head; none if nobody waits
}

const none = -1

// mostRunning is how many jobs of a kind a state can count.
const mostRunning = 255

// rule is the chain of a queue.
type rule struct {
	*Queue
	kinds  []kind
	first  []int // by class, its first kind
	varies int   // the kind whose size changes; none if there is none
}

// compile numbers the kinds.
func (q *Queue) compile() (*rule, error) {
	r := &rule{Queue: q, varies: none}
	for k := range q.Classes {
		c := &q.Classes[k]
		r.first = append(r.first, len(r.kinds))
		if c.elastic() {
			if r.varies != none {
				return nil, ErrClasses
			}
			r.varies = len(r.kinds)
		}
		r.kinds = append(r.kinds, kind{k, c.Least})
		if c.Partial {
			for size := c.Least + 1; size <= c.Need; size++ {
				r.kinds = append(r.kinds, kind{k, size})
			}
		}
	}
	return r, nil
}

// held is what running jobs hold when others start.
func (r *rule) held(s *state) (n int) {
	for i, k := range r.kinds {
		n += int(s.runs[i]) * k.size
	}
	return n
}

// sizes are those of the elastic jobs that run.
func (r *rule) sizes(s *state) []int {
	if r.varies == none || s.runs[r.varies] == 0 {
		return nil
	}
	return Share(&r.Classes[r.kinds[r.varies].class], int(s.runs[r.varies]), r.Servers-r.held(s), r.Oldest)
}

// speed is the rate at which some job of a kind ends.
func (r *rule) speed(s *state, i int) (rate float64) {
	k := r.kinds[i]
	c := &r.Classes[k.class]
	if i != r.varies {
		return float64(s.runs[i]) * c.rate(k.size)
	}
	for _, size := range r.sizes(s) {
		rate += c.rate(size)
	}
	return rate
}

// moves are what happens in a state.
func (r *rule) moves(_ context.Context, s state, to func(state, float64)) {
	more := s
	more.jobs++
	r.admit(more, r.Rate, to)
	for i := range r.kinds {
		if rate := r.speed(&s, i); rate > 0 {
			less := s
			less.jobs--
			less.runs = changed(s.runs, i, -1)
			r.admit(less, rate, to)
		}
	}
}

// changed is how many jobs run after one of a kind starts or ends.
func changed(runs string, i int, by int) string {
	b := []byte(runs)
	b[i] = byte(int(b[i]) + by)
	return string(b)
}

// admit starts jobs in order of arrival, until one does not fit. Classes are drawn at the head.
func (r *rule) admit(s state, rate float64, to func(state, float64)) {
	running := 0
	for _, n := range []byte(s.runs) {
		running += int(n)
	}
	if int(s.jobs) == running {
		to(s, rate)
		return
	}
	if s.head != none {
		if class := int(s.head); r.start(&s, class) {
			r.admit(s, rate, to)
		} else {
			to(s, rate)
		}
		return
	}
	for k := range r.Classes {
		if next := s; r.Classes[k].Prob > 0 {
			if r.start(&next, k) {
				r.admit(next, rate*r.Classes[k].Prob, to)
			} else {
				next.head = int8(k)
				to(next, rate*r.Classes[k].Prob)
			}
		}
	}
}

// start begins the service of a job of a class at the head if it fits.
func (r *rule) start(s *state, class int) bool {
	c, free := &r.Classes[class], r.Servers-r.held(s)
	if c.Least > free {
		return false
	}
	i := r.first[class]
	if c.Partial {
		i += min(free, c.Need) - c.Least
	}
	s.runs, s.head = changed(s.runs, i, 1), none
	return true
}

// running is the most jobs that run at once.
func (q *Queue) running() int {
	least := q.Servers
	for _, c := range q.Classes {
		least = min(least, c.Least)
	}
	return q.Servers / least
}

// Size is about how many states a level of the chain has, and how many levels it has before it repeats.
func (q *Queue) Size() (wide, levels float64) {
	ways := make([]float64, q.Servers+1)
	ways[0] = 1
	for _, c := range q.Classes {
		most := c.Least
		if c.Partial {
			most = c.Need
		}
		for size := c.Least; size <= most; size++ {
			for n := size; n <= q.Servers; n++ {
				ways[n] += ways[n-size]
			}
		}
	}
	for held, n := range ways {
		blocked := 0.0
		for _, c := range q.Classes {
			if c.Least > q.Servers-held {
				blocked++
			}
		}
		wide += n * max(blocked, 0)
	}
	return wide, float64(q.running() + 2)
}

// Solve finds what theory knows of a queue.
func (q *Queue) Solve(ctx context.Context, most chain.Limits) (*Answer, error) {
	r, err := q.compile()
	if err != nil {
		return nil, err
	}
	running := q.running()
	if running > mostRunning {
		return nil, chain.Large(math.Inf(1), 0, "the chain has states with more than %d jobs of a class", mostRunning)
	}
	g, err := chain.Explore(ctx, chain.Rule[state, state]{
		Key:    func(s state) state { return s },
		Layer:  func(s state) int { return int(s.jobs) },
		Moves:  r.moves,
		Repeat: &chain.Repeat[state]{From: running + 2, Shift: func(s state, by int) state { s.jobs += int32(by); return s }},
	}, most, state{runs: string(make([]byte, len(r.kinds))), head: none})
	if err != nil {
		return nil, err
	}
	u, err := g.Unending(ctx, q.Rate)
	if err != nil || !u.Stable {
		return &Answer{Limit: u.Limit, Stable: u.Stable}, err
	}
	return r.measure(g.States, u), nil
}

// measure adds up over the states.
func (r *rule) measure(states []state, u *chain.Unending) *Answer {
	n := len(r.Classes)
	a := &Answer{Limit: u.Limit, Stable: true, Classes: make([]ClassAnswer, n), States: len(states), Levels: r.running() + 2}
	waits, runs, held := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range states {
		s, p := &states[i], u.P[i]
		behind, busy := int(s.jobs), 0
		for j, k := range r.kinds {
			size := int(s.runs[j]) * k.size
			if j == r.varies {
				size = 0
				for _, x := range r.sizes(s) {
					size += x
				}
			}
			behind -= int(s.runs[j])
			busy += size
			runs[k.class] += p * float64(s.runs[j])
			held[k.class] += p * float64(size)
		}
		a.Busy += p * float64(busy)
		if s.head == none {
			for k := range r.Classes {
				if next := *s; r.start(&next, k) {
					a.Classes[k].NoWait += p
				}
			}
			continue
		}
		a.Wasted += p * float64(r.Servers-busy)
		waits[s.head] += p
		for k := range waits {
			waits[k] += r.Classes[k].Prob * (p*float64(behind-1) + u.Above[i])
		}
	}
	for k := range a.Classes {
		rate := r.Rate * r.Classes[k].Prob
		c := &a.Classes[k]
		c.Waiting, c.Response, c.Size = waits[k]/rate, (waits[k]+runs[k])/rate, held[k]/runs[k]
		a.Jobs += waits[k] + runs[k]
	}
	return a
}
