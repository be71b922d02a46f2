package failing

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/law"
)

// Class is jobs that are alike.
type Class struct {
	Need int
	Prob float64
	Work law.Law
}

// Queue is a queue with Poisson arrivals, served first come first served on servers that fail
// and are repaired, where a hit job goes back to its place by arrival.
type Queue struct {
	Servers
	Spares  int // servers that jobs leave idle
	Rate    float64
	Room    int // the most jobs in the system; 0: any number
	Classes []Class
	How     How // Resume, Resampled or Migrate
}

// ClassAnswer is what is found of a class.
type ClassAnswer struct {
	Jobs          float64 // mean number in the system
	Fresh         float64 // mean number that have not started
	Busy          float64 // mean number that run
	AtOnce        float64 // probability that an arriving job starts at once
	Interruptions float64 // a job that is let in
}

// Answer is what is found of a queue.
type Answer struct {
	Limit   float64 // the largest stable rate; +Inf with a finite room
	Stable  bool
	Classes []ClassAnswer
	Full    float64 // probability that an arriving job is turned away
	Up      float64 // mean servers that are up
	States  float64 // of the layer that repeats, or of all
}

// Fits says why a queue is no chain.
func (q *Queue) Fits() error {
	if _, err := q.sorted(); err != nil {
		return err
	}
	if q.alone() {
		_, _, err := q.phases()
		return err
	}
	if len(q.Classes) >= fresh/2 {
		return fmt.Errorf("the queue has %d classes; chains take fewer than %d", len(q.Classes), fresh/2)
	}
	for _, c := range q.Classes {
		if _, ok := law.ExponentialRate(c.Work); !ok {
			return fmt.Errorf("the service time of a class is %v; chains of servers that fail take exponential ones", c.Work)
		}
	}
	return nil
}

// alone reports whether one class has the queue to itself.
func (q *Queue) alone() bool { return len(q.Classes) == 1 && q.How != Migrate }

// graph is what is asked of the chain of a queue.
type graph interface {
	Stationary(ctx context.Context, most chain.Limits) (*chain.Law, error)
	Unending(ctx context.Context, rate float64, most chain.Limits) (*chain.Law, error)
	ByLayer() *chain.Layers
}

// explore lists the states of the chain; answer is what its law tells.
func (q *Queue) explore(ctx context.Context, most chain.Limits) (listed graph, answer func(law *chain.Law) *Answer, err error) {
	if err := q.Fits(); err != nil {
		return nil, nil, err
	}
	if q.alone() {
		s, err := q.single()
		if err != nil {
			return nil, nil, err
		}
		g, err := s.explore(ctx, most)
		return g, func(law *chain.Law) *Answer { return s.answer(g, law) }, err
	}
	s, err := q.several()
	if err != nil {
		return nil, nil, err
	}
	g, err := s.explore(ctx, most)
	return g, func(law *chain.Law) *Answer { return s.answer(g, law) }, err
}

// Solve finds what theory knows of a queue.
func (q *Queue) Solve(ctx context.Context, most chain.Limits) (*Answer, error) {
	g, answer, err := q.explore(ctx, most)
	if err != nil {
		return nil, err
	}
	if q.Room > 0 {
		law, err := g.Stationary(ctx, most)
		if err != nil {
			return nil, err
		}
		a := answer(law)
		a.Limit, a.Stable, a.States = math.Inf(1), true, float64(len(law.P))
		return a, nil
	}
	law, err := g.Unending(ctx, q.Rate, most)
	if law == nil {
		return nil, err
	}
	a := new(Answer)
	if err == nil {
		a = answer(law)
	}
	a.Limit, a.Stable, a.States = law.Limit, err == nil, repeating(g)
	return a, nil
}

// Size is how large the chain is. It lists the states.
func (q *Queue) Size(ctx context.Context) (chain.Size, error) {
	g, _, err := q.explore(ctx, chain.Limits{States: mostListed})
	if err != nil {
		return chain.Size{}, err
	}
	l := g.ByLayer()
	n, all := repeating(g), float64(len(l.Order))
	return chain.Size{States: n, Levels: len(l.Starts) - 2, Bytes: 8 * n * (12*n + 3*all), Flops: 160*n*n*n + 5*n*n*all}, nil
}

// repeating is how many states the layer has that stands for all above it.
func repeating(g graph) float64 {
	l := g.ByLayer()
	return float64(len(l.Layer(len(l.Starts) - 2)))
}

// mostListed is the most states that are listed to tell how many there are.
const mostListed = 100_000

// mostSaturated is the most states of the saturated chain, which is solved by elimination.
const mostSaturated = 3000

// Limit is the largest stable rate, by the saturated chain: that of the layer that repeats.
func (q *Queue) Limit(ctx context.Context) (rate float64, states float64, err error) {
	saturated := *q
	saturated.Rate, saturated.Room = math.MaxFloat32, 0
	a, err := saturated.Solve(ctx, chain.Limits{States: mostListed, InLayer: mostSaturated})
	if err != nil {
		return 0, 0, err
	}
	return a.Limit, a.States, nil
}

// downs are servers that are down, by the law of their repair.
type downs [mostRepairs]uint16

// mostRepairs is the most different laws of repair.
const mostRepairs = 3

// fails are exponential kinds of failures, sorted by what they do.
type fails struct {
	servers, free int // servers, and those that jobs may hold
	crews         int
	rates         []float64 // of a server, by the law of repair
	repairs       []float64 // rates
	brief         float64   // rate of failures of a server that is back at once
	all           float64
}

// sorted makes them.
func (q *Queue) sorted() (*fails, error) {
	f := &fails{servers: q.All, free: q.All - q.Spares, crews: q.crews(), all: q.Servers.Rate()}
	at := map[float64]int{}
	for _, k := range q.Kinds {
		if k.Repair.Mean() == 0 {
			f.brief += k.Rate
			continue
		}
		rate, ok := law.ExponentialRate(k.Repair)
		if !ok {
			return nil, fmt.Errorf("the time of repair is %v; chains take exponential ones", k.Repair)
		}
		i, seen := at[rate]
		if !seen {
			i = len(f.rates)
			at[rate] = i
			f.rates, f.repairs = append(f.rates, 0), append(f.repairs, rate)
		}
		f.rates[i] += k.Rate
	}
	switch {
	case len(f.rates) > mostRepairs:
		return nil, fmt.Errorf("the failures have %d laws of repair; chains take %d", len(f.rates), mostRepairs)
	case len(f.rates) > 1 && f.crews < q.All:
		return nil, ErrRepairs
	}
	return f, nil
}

// up is how many are up.
func (f *fails) up(d downs) int {
	up := f.servers
	for _, n := range d {
		up -= int(n)
	}
	return up
}

// room is how many servers jobs may hold.
func (f *fails) room(d downs) int { return min(f.up(d), f.free) }

// mended calls to with the ends of repairs.
func (f *fails) mended(d downs, to func(d downs, rate float64)) {
	for i, rate := range f.repairs {
		if n := int(d[i]); n > 0 {
			less := d
			less[i]--
			to(less, float64(min(n, f.crews))*rate)
		}
	}
}

// broken calls to with failures of n servers after which they are down.
func (f *fails) broken(d downs, n int, to func(d downs, rate float64)) {
	for i, rate := range f.rates {
		more := d
		more[i]++
		to(more, float64(n)*rate)
	}
}
