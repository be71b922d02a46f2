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
	Interruptions float64 // a job that is let in
}

// Answer is what is found of a queue.
type Answer struct {
	Limit   float64 // the largest stable rate; +Inf with a finite room
	Stable  bool
	Classes []ClassAnswer
	NoWait  float64 // probability that an arriving job starts at once
	Full    float64 // probability that an arriving job is turned away
	Up      float64 // mean servers that are up
	Levels  []float64
	States  chain.Size
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
			return nil, fmt.Errorf("the time of repair is %v; Exact takes exponential ones", k.Repair)
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
		return nil, fmt.Errorf("the failures have %d laws of repair; Exact takes %d", len(f.rates), mostRepairs)
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

// weighed is the stationary law of a graph: p of a state, and of a state of the layer that
// stands for all above it also the mean number of layers above.
type weighed struct{ p, above []float64 }

// solved finds it, and the largest stable rate of arrivals.
func solved[S any, K comparable](ctx context.Context, g *chain.Graph[S, K], rate float64, room int, most chain.Limits) (w weighed, limit float64, stable bool, err error) {
	n := len(g.States)
	w = weighed{make([]float64, n), make([]float64, n)}
	if room > 0 {
		law, err := g.Stationary(ctx, most)
		if err == nil {
			w.p = law.P
		}
		return w, math.Inf(1), true, err
	}
	u, err := g.Unending(ctx, rate)
	return weighed{u.P, u.Above}, u.Limit, u.Stable, err
}
