package policychain

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/mam"
)

// MaxDense is the largest number of states of a level that is solved by dense
// matrices: ten of them, and 13 n³ operations a step of the reduction.
const MaxDense = 2000

// bytesPerLevel is about what a level takes with a state or two.
const bytesPerLevel = 500

// levels are the states that a bounded rule can reach, which take the most bytes given. The
// last level is the first above what the policy ever sees; its matrices take those of the
// options.
func (q *Queue) levels(ctx context.Context, sees int, o Options, most float64) (*explorer, error) {
	x := &explorer{Queue: q, endless: true, limit: int(min(MaxDense, math.Sqrt(o.Bytes/80))), bytes: most}
	if n := q.sets(q.servers - q.least()); n > float64(x.limit) {
		return nil, large(n, 80*n*n, "so many sets of jobs and phases can fill the servers, and more states a level has; %d can be solved", x.limit)
	}
	if w, ok := q.rule.(window); ok {
		if n := q.mixes(w.jobs); n > float64(x.limit) {
			return nil, large(n, 80*n*n, "a window of %d jobs holds as many mixes of needs, and a level has more states than that; at most %d can be solved", w.jobs, x.limit)
		}
	}
	if n := float64(sees) + 2; n*bytesPerLevel > most {
		return nil, large(n, n*bytesPerLevel, "the policy sees up to %d jobs, and each number of them takes a level", sees)
	}
	return x, x.grow(ctx, sees+1)
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

// byLevels solves the chain of a bounded rule.
func (q *Queue) byLevels(ctx context.Context, sees int, o Options) (*Measures, error) {
	x, law, err := q.stationary(ctx, sees, o)
	if err != nil {
		return nil, err
	}
	sum, levels := newSums(q), make([]float64, x.most)
	x.Each(law, func(s *state, p, above, pairs float64) {
		sum.add(s, p, above, pairs+above)
		if n := s.total(); n < x.most && s.coming == 0 {
			levels[n] += p
		}
	})
	m := sum.measures(levels)
	m.States, m.Decay, m.Residual = len(x.ByLayer().Layer(x.most)), law.Decay, law.Residual
	return m, nil
}

// stationary is the stationary law of the chain of a bounded rule.
func (q *Queue) stationary(ctx context.Context, sees int, o Options) (*explorer, *chain.Law, error) {
	x, err := q.levels(ctx, sees, o, o.Bytes)
	if err != nil {
		return nil, nil, err
	}
	layers := x.ByLayer()
	last := len(layers.Layer(x.most))
	bytes := denseBytes(last)
	for n := range x.most {
		size := float64(len(layers.Layer(n)))
		bytes += 16 * size * size // mam.Boundary keeps two matrices of each
	}
	if bytes > o.Bytes {
		return nil, nil, large(float64(last), bytes, "so many states each of %d levels has at most", x.most+1)
	}
	law, err := x.Unending(ctx, q.rate, chain.Limits{})
	return x, law, err
}

// ErrUnbounded is why a policy that looks at any number of jobs has no finite
// saturated chain.
var ErrUnbounded = errors.New("the policy looks at any number of jobs, so that no finite chain describes it when the line never ends")

// Limit is the largest arrival rate that the queue can carry, the throughput when the
// line never ends (the saturation rule of Baccelli and Foss, Operations Research 43,
// 1995): the stationary vector of a finite chain, 2/3 n³ operations for n states. It
// fails with ErrUnbounded where there is no such chain, with *chain.TooLarge if its solution would
// take more memory than the bytes given, and with the error of ctx. The arrival rate of
// the system does not matter.
func (q *Queue) Limit(ctx context.Context, bytes float64) (float64, error) {
	b, ok := q.rule.(bounded)
	if !ok {
		return 0, ErrUnbounded
	}
	o := Options{Bytes: bytes}.defaults()
	x, err := q.levels(ctx, b.sees(), o, max(o.Bytes, Options{}.defaults().Bytes))
	if err != nil {
		return 0, err
	}
	far, _ := x.QBD()
	ends := mat.DenseCopyOf(far.Down)
	far.Local.Add(far.Local, far.Down)
	pi, err := mam.GTHContext(ctx, chain.Balance(far.Local))
	if err != nil {
		return 0, err
	}
	rate := 0.0
	for i, p := range pi {
		rate += p * mat.Sum(ends.Slice(i, i+1, 0, len(pi)))
	}
	return rate, nil
}
