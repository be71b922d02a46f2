package loss

import (
	"context"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/chain"
)

// Implied is a reservation by prices: a class starts while its jobs are worth more than the
// servers that they take, at what these earn with later jobs. Prices and reservation follow from
// each other, and are found in turns until nothing changes. The price of servers in a state is
// the implied cost of Kelly (Advances in Applied Probability 20, 1988), state by state: the
// difference of the relative values of two numbers of busy servers (Howard, Dynamic Programming
// and Markov Processes, 1960). Numbers of busy servers are taken for a Markov chain, in which
// jobs of a class end as often as Roberts's recursion has them in service; without reservation
// the law of that chain is exact. A turn goes the part of the way that raises the reward by
// Approximate most: all of it, a half, a quarter and so on. Cost: servers × largest need² a turn, of some ten.
func (r *Reserved) Implied(ctx context.Context) (keep []int, err error) {
	keep = make([]int, len(r.Classes))
	most, _ := r.Approximate(keep)
	for {
		v, err := r.values(ctx, keep)
		if err != nil {
			return nil, err
		}
		best := keep
		for next := r.affordable(v, r.roberts(keep)); !slices.Equal(next, keep); next = halfway(keep, next) {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if reward, _ := r.Approximate(next); reward > most*(1+1e-12) {
				most, best = reward, next
			}
		}
		if slices.Equal(best, keep) {
			return keep, nil
		}
		keep = best
	}
}

// halfway is between two reservations, nearer to the first.
func halfway(a, b []int) (list []int) {
	for k := range a {
		list = append(list, a[k]+(b[k]-a[k])/2)
	}
	return list
}

// ImpliedOperations is about what a turn of Implied costs.
func (r *Reserved) ImpliedOperations() float64 {
	widest := float64(r.widest())
	return float64(r.Servers) * widest * widest
}

func (r *Reserved) widest() (b int) {
	for _, c := range r.Classes {
		b = max(b, c.Needs[0])
	}
	return b
}

// affordable is the reservation under which each class gains most, at the prices of the numbers
// of busy servers that it meets.
func (r *Reserved) affordable(v, q []float64) (keep []int) {
	for k, c := range r.Classes {
		b := c.Needs[0]
		best, sum, last := 0.0, 0.0, -1
		for j := 0; j+b <= r.Servers; j++ {
			if sum += q[j] * (r.Worths[k] + v[j+b] - v[j]); sum > best {
				best, last = sum, j
			}
		}
		keep = append(keep, min(r.Servers-b, r.Servers-b-last))
	}
	return keep
}

// values are the relative values of the numbers of busy servers, that of none 0: what more is
// earned from there on until the likeliest number is reached.
func (r *Reserved) values(ctx context.Context, keep []int) ([]float64, error) {
	q := r.roberts(keep)
	likeliest := 0
	for j, p := range q {
		if p > q[likeliest] {
			likeliest = j
		}
	}
	c := chain.Chain{Moves: make([][]chain.Move, len(q)), Stop: make([]float64, len(q))}
	earned := make([]float64, len(q))
	for j, p := range q {
		to := func(to int, rate float64) {
			if to == likeliest {
				c.Stop[j] += rate
			} else {
				c.Moves[j] = append(c.Moves[j], chain.Move{To: int32(to), Rate: rate})
			}
		}
		if p == 0 { // never reached
			to(j+1-2*min(1, j/(likeliest+1)), 1)
			continue
		}
		for k, class := range r.Classes {
			b := class.Needs[0]
			if j+b <= r.Servers-keep[k] {
				rate := class.Load / r.Means[k]
				to(j+b, rate)
				earned[j] += rate * r.Worths[k]
			}
			if j >= b && j <= r.Servers-keep[k] {
				to(j-b, class.Load*(q[j-b]/p)/r.Means[k])
			}
		}
	}
	f, err := c.Passage(ctx, math.Inf(1), 2, func(k, j int, _ [][]float64) float64 {
		if k == 0 {
			return earned[j]
		}
		return 1
	})
	if err != nil {
		return nil, err
	}
	v, gain := f[0], f[0][likeliest]/f[1][likeliest]
	for j := range v {
		v[j] -= gain * f[1][j]
	}
	none := v[0]
	for j := range v {
		v[j] -= none
	}
	return v, nil
}
