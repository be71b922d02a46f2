package special

import (
	"context"
	"fmt"
	"slices"
)

// openQueue is the queue with Poisson arrivals below its capacity, level by level:
// for each number n of jobs in the system the conditional probabilities
// p(m, i | n) and the conditional rate of completions u(n).
type openQueue struct {
	space  *waitingSpace
	limit  *limitLaw
	empty  [][]int32      // sets of jobs in service while the line is empty
	order  map[string]int // and where they are found
	rate   []float64      // completions, of the waiting states and then of the empty ones
	jobs   []int          // in service, likewise
	first  []int          // by number of jobs, where the empty states begin
	most   int            // M, jobs in service at most
	levels []level
	sweeps int // of the fixed point
}

// level is one number of jobs in the system. Phases are numbered as in rate:
// first the waiting states, then those with an empty line.
type level struct {
	down [][]move  // completions, by phase; nil for a phase that does not occur
	p    []float64 // p(· | n)
	u    float64   // u(n)
}

// last is the number of levels kept; beyond them p(· | n) is its limit.
func (o *openQueue) last() int { return len(o.levels) - 1 }

// newOpenQueue lists the phases.
func newOpenQueue(ctx context.Context, s *waitingSpace, limit *limitLaw) (*openQueue, error) {
	o := &openQueue{space: s, limit: limit, most: s.res.most(), order: map[string]int{}}
	o.rate, o.jobs = slices.Clone(s.rate), slices.Clone(s.jobs)
	none := make([]int32, len(s.res.classes))
	o.meet(none)
	for i := 0; i < len(o.empty); i++ {
		if err := stopped(ctx); err != nil {
			return nil, err
		}
		for l := range s.res.classes {
			if s.res.fits(o.empty[i], l) {
				more := slices.Clone(o.empty[i])
				more[l]++
				o.meet(more)
			}
		}
		if len(o.empty) > maxStates {
			return nil, fmt.Errorf("more than %d sets of jobs fit in service together; join classes of like needs, or simulate", maxStates)
		}
	}
	return o, nil
}

// meet adds a set of jobs in service to the empty states. They are met in
// order of their number of jobs.
func (o *openQueue) meet(counts []int32) {
	k := serving{counts, -1}.key()
	if _, known := o.order[k]; known {
		return
	}
	n := total(counts)
	if n == len(o.first) {
		o.first = append(o.first, len(o.rate))
	}
	o.order[k] = len(o.rate)
	o.empty = append(o.empty, counts)
	o.rate, o.jobs = append(o.rate, o.space.res.rate(counts)), append(o.jobs, n)
}

// phase is the index of what is in service with the class at the head, -1 for
// an empty line.
func (o *openQueue) phase(counts []int32, head int) int {
	x := serving{counts, head}
	if head < 0 {
		return o.order[x.key()]
	}
	at, _ := o.space.Number(x)
	return int(at)
}

// occurs reports whether phase i is possible with n jobs in the system.
func (o *openQueue) occurs(i, n int) bool {
	if i < o.space.len() {
		return o.jobs[i] < n
	}
	return o.jobs[i] == n
}

// grow adds levels up to n, with the limiting probabilities as a first guess.
func (o *openQueue) grow(ctx context.Context, n int) error {
	for k := len(o.levels); k <= n; k++ {
		l := level{down: make([][]move, len(o.rate)), p: make([]float64, len(o.rate))}
		for i := range l.down {
			if !o.occurs(i, k) {
				continue
			}
			if err := stopped(ctx); err != nil {
				return err
			}
			l.down[i] = o.completions(i, k)
			l.p[i] = 1
			if k > o.most {
				l.p[i] = o.limit.p[i]
			}
		}
		normalise(l.p)
		l.u = dot(l.p, o.rate)
		o.levels = append(o.levels, l)
	}
	return nil
}

// completions are the moves from phase i with n jobs to n-1 jobs. When the
// line is long enough never to run out they are those of the space.
func (o *openQueue) completions(i, n int) (row []move) {
	s := o.space
	if i >= s.len() {
		counts := slices.Clone(o.empty[i-s.len()])
		for c, m := range counts {
			if m > 0 {
				counts[c]--
				row = append(row, move{o.phase(counts, -1), float64(m) * s.res.classes[c].rate})
				counts[c]++
			}
		}
		return row
	}
	line := n - o.jobs[i] - 1 // behind the head
	if line > o.most {
		return s.out[i]
	}
	s.res.completions(s.States[i], line, func(next serving, rate float64) { row = append(row, move{o.phase(next.counts, next.head), rate}) })
	return row
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
