package elastic

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/queue"
	"github.com/mjqueue/mjq/mjq/internal/states"
)

// ClassAnswer is what is found of a class, as means.
type ClassAnswer struct {
	Waiting  float64 // time from arrival to start
	Response float64
	Size     float64 // servers of a running job
	NoWait   float64 // probability that it starts at once
}

// Answer is what is found of a queue.
type Answer struct {
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

// config is a configuration of what serves.
type config struct {
	runs string        // a byte a kind: how many run
	held int           // servers as others see them that start
	busy []int         // servers that are held, by class
	ends []queue.Share // where services that end lead; nil: not known yet
}

// mostRunning is how many jobs of a kind a configuration can count.
const mostRunning = 255

// place is what serves.
type place struct {
	*Queue
	kinds   []kind
	first   []int // by class, its first kind
	varies  int   // the kind whose size changes; none if there is none
	number  map[string]int32
	configs []config
}

const none = -1

// place numbers the kinds.
func (q *Queue) place() *place {
	x := &place{Queue: q, varies: none, number: map[string]int32{}}
	for k := range q.Classes {
		c := &q.Classes[k]
		if x.first = append(x.first, len(x.kinds)); c.elastic() {
			x.varies = len(x.kinds)
		}
		x.kinds = append(x.kinds, kind{k, c.Least})
		for size := c.Least + 1; c.Partial && size <= c.Need; size++ {
			x.kinds = append(x.kinds, kind{k, size})
		}
	}
	return x
}

// enter is the number of a configuration.
func (x *place) enter(runs []byte) int32 {
	if at, known := x.number[string(runs)]; known {
		return at
	}
	c := config{runs: string(runs), busy: make([]int, len(x.Classes))}
	for i, k := range x.kinds {
		c.held += int(runs[i]) * k.size
		c.busy[k.class] += int(runs[i]) * k.size
	}
	if x.varies != none {
		class := x.kinds[x.varies].class
		c.busy[class] = 0
		for _, size := range x.sizes(&c) {
			c.busy[class] += size
		}
	}
	at := int32(len(x.configs))
	x.number[c.runs], x.configs = at, append(x.configs, c)
	return at
}

// sizes are those of the elastic jobs that run.
func (x *place) sizes(c *config) []int {
	return Share(&x.Classes[x.kinds[x.varies].class].Form, int(c.runs[x.varies]), x.Servers-c.held, x.Oldest)
}

// changed is the configuration after a job of a kind starts or ends.
func (x *place) changed(at int32, kind, by int) int32 {
	runs := []byte(x.configs[at].runs)
	runs[kind] = byte(int(runs[kind]) + by)
	return x.enter(runs)
}

// Empty is the configuration without jobs.
func (x *place) Empty() int32 { return x.enter(make([]byte, len(x.kinds))) }

// Fits reports whether a job of a class can start.
func (x *place) Fits(at int32, class int) bool {
	return x.Classes[class].Least <= x.Servers-x.configs[at].held
}

// Starts is where a job that starts leads.
func (x *place) Starts(at int32, class int) []queue.Share {
	i, c := x.first[class], &x.Classes[class]
	if c.Partial {
		i += min(x.Servers-x.configs[at].held, c.Need) - c.Least
	}
	return []queue.Share{{To: x.changed(at, i, 1), Rate: 1}}
}

// Services is what the jobs in service do.
func (x *place) Services(at int32) (ends, own []queue.Share) {
	if ends := x.configs[at].ends; ends != nil {
		return ends, nil
	}
	c := x.configs[at]
	for i, k := range x.kinds {
		class := &x.Classes[k.class]
		rate := float64(c.runs[i]) * class.rate(k.size)
		if i == x.varies {
			rate = 0
			for _, size := range x.sizes(&c) {
				rate += class.rate(size)
			}
		}
		if c.runs[i] > 0 {
			ends = append(ends, queue.Share{To: x.changed(at, i, -1), Rate: rate})
		}
	}
	x.configs[at].ends = ends
	return ends, nil
}

// Jobs is how many jobs are in service.
func (x *place) Jobs(at int32) (n int) {
	for _, runs := range []byte(x.configs[at].runs) {
		n += int(runs)
	}
	return n
}

// Serves is how many jobs of a class are in service.
func (x *place) Serves(at int32, class int) (n int) {
	for i, k := range x.kinds {
		if k.class == class {
			n += int(x.configs[at].runs[i])
		}
	}
	return n
}

// Free is how many servers are idle.
func (x *place) Free(at int32) int {
	free := x.Servers
	for _, busy := range x.configs[at].busy {
		free -= busy
	}
	return free
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
	var sizes []int
	for _, k := range q.place().kinds {
		sizes = append(sizes, k.size)
	}
	for held, n := range chain.Ways(q.Servers, sizes...) {
		for _, c := range q.Classes {
			if c.Least > q.Servers-held {
				wide += n
				break
			}
		}
	}
	return wide, float64(q.running() + 1)
}

// solve finds the law of the queue.
func (q *Queue) solve(ctx context.Context, most chain.Limits) (*queue.Solution, *place, error) {
	if q.running() > mostRunning {
		return nil, nil, chain.Large(math.Inf(1), 0, "the chain has states with more than %d jobs of a class", mostRunning)
	}
	x := q.place()
	s := queue.System{Servers: q.Servers, Place: x, Rate: q.Rate}
	for _, c := range q.Classes {
		s.Classes = append(s.Classes, queue.Class{Class: states.Class{Need: c.Least, Prob: c.Prob, Alpha: []float64{1}}})
	}
	sol, err := s.Unending(ctx, most, q.running())
	return sol, x, err
}

// Limit is the largest stable rate of arrivals.
func (q *Queue) Limit(ctx context.Context, most chain.Limits) (float64, error) {
	sol, _, err := q.solve(ctx, most)
	if limit := sol.Limit(); limit > 0 {
		return limit, nil
	}
	return 0, err
}

// Solve finds what theory knows of a queue. It fails as queue.System.Unending does.
func (q *Queue) Solve(ctx context.Context, most chain.Limits) (*Answer, error) {
	sol, x, err := q.solve(ctx, most)
	if err != nil {
		return nil, err
	}
	a := &Answer{Busy: sol.Busy, Wasted: sol.Wasted, Jobs: sol.Mean, Levels: q.running() + 1}
	held := make([]float64, len(q.Classes))
	sol.Each(func(s queue.State, p, _, _ float64) {
		a.States++
		for k, n := range x.configs[s.At()].busy {
			held[k] += p * float64(n)
		}
	})
	for k, c := range q.Classes {
		rate := q.Rate * c.Prob
		a.Classes = append(a.Classes, ClassAnswer{Waiting: sol.Queue[k] / rate, Response: (sol.Queue[k] + sol.Served[k]) / rate,
			Size: held[k] / sol.Served[k], NoWait: sol.AtOnce[k]})
	}
	return a, nil
}
