package special

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/chain"
)

// waitingSpace is the set S(∞) of states in which a job waits, which are those of the chain of the
// saturated queue. It also holds the moves that completions make among them when the line behind the
// head is long.
type waitingSpace struct {
	*chain.Graph[serving, string]
	res  *resource
	rate []float64 // Σ m_ℓ μ_ℓ by state
	jobs []int     // m, the jobs in service
	out  [][]move  // by state, to where a completion leads and at what rate
	in   [][]move  // the same from the other end
}

// serving is how many jobs of each class are in service, m_ℓ, and the class i of the job at the head of
// the line, which does not fit beside them; -1 if the line is empty.
type serving struct {
	counts []int32
	head   int
}

// move is a transition to, or from, another state. A completion may lead back
// to the state it left, with one job fewer in line.
type move struct {
	state int
	rate  float64
}

// key tells states apart.
func (x serving) key() string {
	b := make([]byte, 0, 2*len(x.counts)+2)
	for _, m := range x.counts {
		b = binary.AppendUvarint(b, uint64(m))
	}
	return string(binary.AppendVarint(b, int64(x.head)))
}

// explore finds the states from one that every other can reach, the first
// class alone in service and at the head, by following completions; so all of
// them recur. More than maxStates of them are a *tooLarge error.
func explore(ctx context.Context, res *resource) (*waitingSpace, error) {
	first := serving{make([]int32, len(res.classes)), 0}
	first.counts[0] = int32(res.total * (1 + slack) / res.classes[0].need)
	within, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s := &waitingSpace{res: res}
	var err error
	s.Graph, err = chain.Explore(within, chain.Rule[serving, string]{Key: serving.key, Layer: func(x serving) int { return total(x.counts) },
		Moves: func(_ context.Context, x serving, to func(serving, float64)) {
			if !res.completions(x, -1, to) {
				stop(&tooLarge{res.most()})
			}
		}}, chain.Limits{States: maxStates}, first)
	if large := new(chain.TooLarge); errors.As(err, &large) {
		return nil, &tooLarge{res.most()}
	} else if err != nil {
		return nil, err
	}
	s.out, s.in = make([][]move, s.len()), make([][]move, s.len())
	for i, x := range s.States {
		s.rate, s.jobs = append(s.rate, res.rate(x.counts)), append(s.jobs, total(x.counts))
		res.completions(x, -1, func(next serving, rate float64) {
			k, _ := s.Number(next)
			s.out[i], s.in[k] = append(s.out[i], move{int(k), rate}), append(s.in[k], move{i, rate})
		})
	}
	return s, nil
}

// len is the number of states.
func (s *waitingSpace) len() int { return len(s.States) }

// completions calls to with the states after completions, with a line behind the head as fill takes it.
// It returns false when there are too many.
func (r *resource) completions(x serving, line int, to func(next serving, rate float64)) bool {
	for c, m := range x.counts {
		if m == 0 {
			continue
		}
		rest := slices.Clone(x.counts)
		rate := float64(m) * r.classes[c].rate
		if rest[c]--; !r.fits(rest, x.head) {
			to(serving{rest, x.head}, rate)
			continue
		}
		rest[x.head]++
		if !r.fill(rest, line, func(next serving, prob float64) { to(next, rate*prob) }) {
			return false
		}
	}
	return true
}

// fill starts jobs beside counts, of classes drawn one by one from the line,
// until one does not fit or the line of the given length (-1: endless) is
// used up, and calls found with each outcome and its probability. Outcomes that
// differ in the order of starts only come as one. It returns false when more than maxStates sets of
// jobs would have to be told apart on the way.
func (r *resource) fill(counts []int32, line int, found func(next serving, prob float64)) bool {
	var now chain.Weighted[string, []int32]
	now.Add("", counts, 1)
	for drawn := 0; len(now.States) > 0; drawn++ {
		if len(now.States) > maxStates {
			return false
		}
		var next chain.Weighted[string, []int32]
		now.Each(func(counts []int32, prob float64) {
			if drawn == line {
				found(serving{counts, -1}, prob)
				return
			}
			for l, c := range r.classes {
				if !r.fits(counts, l) {
					found(serving{counts, l}, prob*c.prob)
					continue
				}
				more := slices.Clone(counts)
				more[l]++
				next.Add(serving{more, -1}.key(), more, prob*c.prob)
			}
		})
		now = next
	}
	return true
}

func total(counts []int32) int {
	n := 0
	for _, m := range counts {
		n += int(m)
	}
	return n
}
