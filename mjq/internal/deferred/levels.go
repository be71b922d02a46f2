package deferred

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/mam"
)

// MaxDense is the largest number of states of a level that is solved by dense
// matrices: ten of them, and 13 n³ operations a step of the reduction.
const MaxDense = 2000

// bytesPerLevel is about what a level takes with a state or two.
const bytesPerLevel = 500

// level is the states with a number of jobs; the last of levels stands for all numbers
// from it on, where no transition depends on the number.
type level struct {
	states []*state
	place  map[string]int
	up     []arrow // of the last level: to itself, as one level up
	local  []arrow
	down   []arrow // of the last level: to the one below
	same   []arrow // of the last level: as many jobs fewer from farther up
}

// arrow is a rate from one state to another, by their places.
type arrow struct {
	from, to int
	rate     float64
}

func (l *level) put(s *state) (place int, fresh bool) {
	key := s.key()
	if at, ok := l.place[key]; ok {
		return at, false
	}
	l.place[key] = len(l.states)
	l.states = append(l.states, s)
	return len(l.states) - 1, true
}

// levels are the states that a bounded rule can reach, which take the most bytes given. The
// last level is the first above what the policy ever sees; its matrices take those of the
// options.
func (q *Queue) levels(ctx context.Context, sees int, o Options, most float64) ([]*level, error) {
	x := &explorer{Queue: q, endless: true, limit: int(min(MaxDense, math.Sqrt(o.Bytes/80))), bytes: most}
	if n := q.sets(q.servers - q.least()); n > float64(x.limit) {
		return nil, &TooLarge{States: n, Bytes: 80 * n * n, Why: fmt.Sprintf("so many sets of jobs and phases can fill the servers, and more states a level has; %d can be solved", x.limit)}
	}
	if w, ok := q.rule.(window); ok {
		if n := q.mixes(w.jobs); n > float64(x.limit) {
			return nil, &TooLarge{States: n, Bytes: 80 * n * n, Why: fmt.Sprintf("a window of %d jobs holds as many mixes of needs, and a level has more states than that; at most %d can be solved", w.jobs, x.limit)}
		}
	}
	if n := float64(sees) + 2; n*bytesPerLevel > most {
		return nil, &TooLarge{States: n, Bytes: n * bytesPerLevel, Why: fmt.Sprintf("the policy sees up to %d jobs, and each number of them takes a level", sees)}
	}
	err := x.grow(ctx, sees+1)
	return x.all, err
}

// mixes is how many sets of needs a number of jobs can have. All can be met by a queue
// whose servers are held so that no job fits.
func (p *plan) mixes(jobs int) float64 {
	n := 1.0
	for k := range len(p.kinds) - 1 { // binomial
		n *= float64(jobs+k+1) / float64(k+1)
	}
	return n
}

// matrix is arrows as a matrix.
func matrix(rows, cols int, arrows []arrow) *mat.Dense {
	m := mat.NewDense(rows, cols, nil)
	for _, a := range arrows {
		m.Set(a.from, a.to, m.At(a.from, a.to)+a.rate)
	}
	return m
}

// balance sets the diagonal so that the rows of all blocks sum to 0. A change to the
// same state is none.
func balance(local *mat.Dense, others ...*mat.Dense) *mat.Dense {
	for i := range local.RawMatrix().Rows {
		local.Set(i, i, 0)
		out := 0.0
		for _, m := range append(others, local) {
			if m != nil {
				out += mat.Sum(m.Slice(i, i+1, 0, m.RawMatrix().Cols))
			}
		}
		local.Set(i, i, -out)
	}
	return local
}

// blocks are the generator blocks of a level below the homogeneous ones.
func blocks(all []*level, n int) mam.Level {
	size := len(all[n].states)
	if n == len(all)-1 {
		return mam.Level{Down: matrix(size, len(all[n-1].states), all[n].down)}
	}
	b := mam.Level{Up: matrix(size, len(all[n+1].states), all[n].up), Local: matrix(size, size, all[n].local)}
	if n > 0 {
		b.Down = matrix(size, len(all[n-1].states), all[n].down)
	}
	balance(b.Local, b.Up, b.Down)
	return b
}

// far is the blocks of the homogeneous levels.
func (q *Queue) far(l *level) mam.QBD {
	n := len(l.states)
	b := mam.QBD{Up: matrix(n, n, l.up), Local: matrix(n, n, l.local), Down: matrix(n, n, l.same)}
	balance(b.Local, b.Up, b.Down)
	return b
}

// byLevels solves the chain of a bounded rule.
func (q *Queue) byLevels(ctx context.Context, sees int, o Options) (*Measures, error) {
	all, st, sol, err := q.stationary(ctx, sees, o)
	if err != nil {
		return nil, err
	}
	m := q.sumLevels(all, st)
	m.States, m.Decay, m.Residual = len(all[len(all)-1].states), sol.Caudal, sol.Residual
	return m, nil
}

// stationary is the stationary law of the chain of a bounded rule.
func (q *Queue) stationary(ctx context.Context, sees int, o Options) ([]*level, *mam.Stationary, *mam.QBDSolution, error) {
	all, err := q.levels(ctx, sees, o, o.Bytes)
	if err != nil {
		return nil, nil, nil, err
	}
	last := len(all) - 1
	bytes := denseBytes(len(all[last].states))
	for _, l := range all[:last] {
		bytes += 16 * float64(len(l.states)) * float64(len(l.states)) // mam.Boundary keeps two matrices of each
	}
	if bytes > o.Bytes {
		return nil, nil, nil, &TooLarge{States: float64(len(all[last].states)), Bytes: bytes, Why: fmt.Sprintf("so many states each of %d levels has at most", len(all))}
	}
	qbd := q.far(all[last])
	sol, err := qbd.Solve(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	st, err := mam.Boundary{Levels: last, At: func(n int) mam.Level { return blocks(all, n) }}.Solve(ctx, qbd, sol)
	return all, st, sol, err
}

func (q *Queue) sumLevels(all []*level, st *mam.Stationary) *Measures {
	sum := newSums(q)
	var levels []float64
	last := len(all) - 1
	for n, l := range all[:last] {
		for i, s := range l.states {
			sum.add(s, st.Pi[n][i], 0, 0)
		}
		levels = append(levels, settled(l, st.Pi[n]))
	}
	p, first, pairs := st.Above(0), st.Above(1), st.Above(2)
	for i, s := range all[last].states {
		sum.add(s, p[i], first[i], 2*pairs[i]+first[i])
	}
	return sum.measures(levels)
}

// ErrUnbounded is why a policy that looks at any number of jobs has no finite
// saturated chain.
var ErrUnbounded = errors.New("the policy looks at any number of jobs, so that no finite chain describes it when the line never ends")

// Limit is the largest arrival rate that the queue can carry, the throughput when the
// line never ends (the saturation rule of Baccelli and Foss, Operations Research 43,
// 1995): the stationary vector of a finite chain, 2/3 n³ operations for n states. It
// fails with ErrUnbounded where there is no such chain, with *TooLarge if its solution would
// take more memory than the bytes given, and with the error of ctx. The arrival rate of
// the system does not matter.
func (q *Queue) Limit(ctx context.Context, bytes float64) (float64, error) {
	b, ok := q.rule.(bounded)
	if !ok {
		return 0, ErrUnbounded
	}
	o := Options{Bytes: bytes}.defaults()
	all, err := q.levels(ctx, b.sees(), o, max(o.Bytes, Options{}.defaults().Bytes))
	if err != nil {
		return 0, err
	}
	l := all[len(all)-1]
	n := len(l.states)
	pi, err := mam.GTHContext(ctx, balance(matrix(n, n, append(l.local, l.same...))))
	if err != nil {
		return 0, err
	}
	rate := 0.0
	for _, a := range l.same {
		rate += pi[a.from] * a.rate
	}
	return rate, nil
}
