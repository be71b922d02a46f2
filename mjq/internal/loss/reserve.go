package loss

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/chain"
)

// Reserved is a system of one type of servers in which a class starts only if so many servers
// stay free. Services are exponential.
type Reserved struct {
	Servers int
	Classes []Class // Poisson, one by one
	Means   []float64
	Worths  []float64 // of a job that is carried
}

// Approximate is the worth carried in a unit of time with so many servers kept free, by class,
// and the shares turned away: by the recursion with the arrivals that would go too high left
// out, which is exact without reservation (Roberts, ITC 10, 1983).
func (r *Reserved) Approximate(keep []int) (reward float64, blocked []float64) {
	q := r.roberts(keep)
	for k, c := range r.Classes {
		b := 0.0
		for _, p := range q[max(0, r.Servers-c.Needs[0]-keep[k]+1):] {
			b += p
		}
		blocked = append(blocked, b)
		reward += r.Worths[k] * c.Load / r.Means[k] * (1 - b)
	}
	return reward, blocked
}

// roberts is the law of the busy servers by that recursion.
func (r *Reserved) roberts(keep []int) []float64 {
	q := make([]float64, r.Servers+1)
	q[0] = 1
	for j := 1; j <= r.Servers; j++ {
		sum := 0.0
		for k, c := range r.Classes {
			if b := c.Needs[0]; b <= j && j <= r.Servers-keep[k] {
				sum += c.Load * float64(b) * q[j-b]
			}
		}
		q[j] = sum / float64(j)
		if q[j] > huge {
			for i := range q[:j+1] {
				q[i] /= huge
			}
		}
	}
	normalise(q)
	return q
}

// Best searches for the reservation of the largest reward, class by class until nothing
// changes, from a given one on: steps that grow, and then all near the best. It asks reward some
// dozens of times a class.
func (r *Reserved) Best(ctx context.Context, from []int, reward func(keep []int) (float64, error)) (keep []int, most float64, err error) {
	keep = slices.Clone(from)
	if most, err = reward(keep); err != nil {
		return nil, 0, err
	}
	for changed := true; changed; {
		changed = false
		for k, c := range r.Classes {
			for _, n := range candidates(keep[k], r.Servers-c.Needs[0]) {
				if ctx.Err() != nil {
					return nil, 0, context.Cause(ctx)
				}
				next := slices.Clone(keep)
				next[k] = n
				v, err := reward(next)
				if err != nil {
					return nil, 0, err
				}
				if v > most*(1+1e-12) {
					keep, most, changed = next, v, true
				}
			}
		}
	}
	return keep, most, nil
}

// candidates are numbers near one and farther and farther from it, from 0 to a most.
func candidates(at, most int) (list []int) {
	if most <= 64 {
		for n := range most + 1 {
			list = append(list, n)
		}
		return list
	}
	for step := 1; step <= most; step += max(1, step/3) {
		for _, n := range []int{at - step, at + step} {
			if n >= 0 && n <= most {
				list = append(list, n)
			}
		}
	}
	return append(list, 0, most)
}

// Fluid is a reward that nothing exceeds: classes are carried in the order of their worths by
// server and time while servers last.
func (r *Reserved) Fluid() (reward float64) {
	var order []int
	for k := range r.Classes {
		order = append(order, k)
	}
	value := func(k int) float64 { return r.Worths[k] / (r.Means[k] * float64(r.Classes[k].Needs[0])) }
	slices.SortFunc(order, func(a, b int) int {
		if value(a) > value(b) {
			return -1
		}
		return 1
	})
	free := float64(r.Servers)
	for _, k := range order {
		work := r.Classes[k].Load * float64(r.Classes[k].Needs[0])
		used := min(free, work)
		reward += value(k) * used
		free -= used
	}
	return reward
}

// Combinations is the number of sets of jobs that fit together; it stops counting at a most.
func (r *Reserved) Combinations(most float64) float64 {
	var needs []int
	for _, c := range r.Classes {
		needs = append(needs, c.Needs[0])
	}
	sum := 0.0
	for _, w := range chain.Ways(r.Servers, needs...) {
		sum += w
	}
	return min(most, sum)
}

// Optimum is the largest reward of any rule that lets jobs in by what is in service, within a
// relative error: the decision process by value iteration with its bounds (Odoni 1969).
func (r *Reserved) Optimum(ctx context.Context, within float64) (low, high float64, err error) {
	p, err := r.process(ctx)
	if err != nil {
		return 0, 0, err
	}
	v, next := make([]float64, len(p.jobs)), make([]float64, len(p.jobs))
	for range mostRounds {
		if ctx.Err() != nil {
			return 0, 0, context.Cause(ctx)
		}
		low, high = math.Inf(1), math.Inf(-1)
		for i := range v {
			next[i] = p.step(v, i)
			low, high = min(low, next[i]-v[i]), max(high, next[i]-v[i])
		}
		if high-low <= within*math.Abs(high) {
			return low * p.fastest, high * p.fastest, nil
		}
		shift := next[0]
		for i := range next {
			next[i] -= shift
		}
		v, next = next, v
	}
	return 0, 0, fmt.Errorf("after %d rounds the largest reward lies between %.6g and %.6g: rates lie too far apart", mostRounds, low*p.fastest, high*p.fastest)
}

// mostRounds is how many times the values of all states are improved.
const mostRounds = 10_000_000

// process is the decision process: sets of jobs in service, and where an arrival or the end
// of a service leads.
type process struct {
	*Reserved
	jobs    [][]int
	up      [][]int32 // by state and class; -1 where it does not fit
	down    [][]int32
	fastest float64
}

func (r *Reserved) process(ctx context.Context) (*process, error) {
	with := func(jobs []int, k, more int) []int {
		next := slices.Clone(jobs)
		next[k] += more
		return next
	}
	x, err := chain.Explore(ctx, chain.Rule[[]int, string]{Key: key,
		Moves: func(_ context.Context, jobs []int, to func([]int, float64)) {
			free := r.Servers
			for k, n := range jobs {
				free -= n * r.Classes[k].Needs[0]
			}
			for k, c := range r.Classes {
				if c.Needs[0] <= free {
					to(with(jobs, k, 1), c.Load/r.Means[k])
				}
			}
		}}, chain.Limits{}, make([]int, len(r.Classes)))
	if err != nil {
		return nil, err
	}
	p := &process{Reserved: r, jobs: x.States}
	for _, jobs := range x.States {
		up, down := make([]int32, len(jobs)), make([]int32, len(jobs))
		rate := 0.0
		for k, n := range jobs {
			up[k], down[k] = -1, -1
			if to, ok := x.Number(with(jobs, k, 1)); ok {
				up[k] = to
			}
			if n > 0 {
				down[k], _ = x.Number(with(jobs, k, -1))
			}
			rate += float64(n)/r.Means[k] + r.Classes[k].Load/r.Means[k]
		}
		p.up, p.down, p.fastest = append(p.up, up), append(p.down, down), max(p.fastest, rate)
	}
	p.fastest *= 1.01 // so that the chain is not periodic
	return p, nil
}

// key tells sets of jobs apart.
func key(jobs []int) string {
	b := make([]byte, 0, 2*len(jobs))
	for _, n := range jobs {
		b = append(b, byte(n), byte(n>>8))
	}
	return string(b)
}

// step is the best of a state for one more step.
func (p *process) step(v []float64, i int) float64 {
	sum, left := 0.0, p.fastest
	for k, c := range p.Classes {
		rate := c.Load / p.Means[k]
		to := v[i]
		if j := p.up[i][k]; j >= 0 {
			to = max(to, p.Worths[k]+v[j])
		}
		sum += rate * to
		left -= rate
		if n := p.jobs[i][k]; n > 0 {
			rate := float64(n) / p.Means[k]
			sum += rate * v[p.down[i][k]]
			left -= rate
		}
	}
	return (sum + left*v[i]) / p.fastest
}
