package special

import (
	"context"
	"encoding/binary"
	"slices"
)

// waitingSpace is the set S(∞) of states in which a job waits: how many jobs of each
// class are in service, and the class of the job at the head of the line,
// which does not fit beside them. It also holds the moves that completions
// make among them when the line behind the head is long.
type waitingSpace struct {
	res    *resource
	counts [][]int32 // m_ℓ by state
	head   []int     // i, the class of the head of the line
	rate   []float64 // Σ m_ℓ μ_ℓ by state
	jobs   []int     // m, the jobs in service
	out    [][]move  // by state, to where a completion leads and at what rate
	in     [][]move  // the same from the other end
	index  map[string]int
}

// move is a transition to, or from, another state. A completion may lead back
// to the state it left, with one job fewer in line.
type move struct {
	state int
	rate  float64
}

// key identifies counts together with the class at the head.
func key(counts []int32, head int) string {
	b := make([]byte, 0, 2*len(counts)+2)
	for _, m := range counts {
		b = binary.AppendUvarint(b, uint64(m))
	}
	return string(binary.AppendVarint(b, int64(head)))
}

// explore finds the states from one that every other can reach, the first
// class alone in service and at the head, by following completions; so all of
// them recur. More than maxStates of them are a *tooLarge error.
func explore(ctx context.Context, res *resource) (*waitingSpace, error) {
	s := &waitingSpace{res: res, index: map[string]int{}}
	first := make([]int32, len(res.classes))
	first[0] = int32(res.total * (1 + slack) / res.classes[0].need)
	s.at(first, 0)
	for i := 0; i < len(s.counts); i++ {
		if err := stopped(ctx); err != nil {
			return nil, err
		}
		s.out = append(s.out, nil)
		for c, m := range s.counts[i] {
			if m == 0 {
				continue
			}
			if !s.complete(i, c) {
				return nil, &tooLarge{res.most()}
			}
		}
	}
	s.in = make([][]move, s.len())
	for i, row := range s.out {
		for _, e := range row {
			s.in[e.state] = append(s.in[e.state], move{i, e.rate})
		}
	}
	return s, nil
}

// len is the number of states.
func (s *waitingSpace) len() int { return len(s.counts) }

// state is the jobs in service by class and the class of the head of state i.
func (s *waitingSpace) state(i int) (counts []int32, head int) { return s.counts[i], s.head[i] }

// at is the index of a state, which it adds if it is new.
func (s *waitingSpace) at(counts []int32, head int) int {
	k := key(counts, head)
	i, ok := s.index[k]
	if !ok {
		i = len(s.counts)
		s.index[k] = i
		s.counts, s.head = append(s.counts, slices.Clone(counts)), append(s.head, head)
		s.rate, s.jobs = append(s.rate, s.res.rate(counts)), append(s.jobs, total(counts))
	}
	return i
}

// complete adds the moves out of state i at the completion of a job of class
// c, unless the states have become too many.
func (s *waitingSpace) complete(i, c int) bool {
	rest := slices.Clone(s.counts[i])
	rate := float64(rest[c]) * s.res.classes[c].rate
	rest[c]--
	if !s.res.fits(rest, s.head[i]) {
		s.add(i, s.at(rest, s.head[i]), rate)
		return s.len() <= maxStates
	}
	rest[s.head[i]]++
	return s.res.fill(rest, -1, func(counts []int32, head int, prob float64) bool {
		s.add(i, s.at(counts, head), rate*prob)
		return s.len() <= maxStates
	})
}

func (s *waitingSpace) add(from, to int, rate float64) {
	row := s.out[from]
	if k := slices.IndexFunc(row, func(e move) bool { return e.state == to }); k >= 0 {
		row[k].rate += rate
		return
	}
	s.out[from] = append(row, move{to, rate})
}

// fill starts jobs beside counts, of classes drawn one by one from the line,
// until one does not fit or the line of the given length (-1: endless) is
// used up, and calls found with each outcome: what is then in service, the
// class at the head (-1: the line is empty), and the probability. Outcomes that
// differ in the order of starts only come as one. It returns false as soon as found does, or when more than maxStates sets of
// jobs would have to be told apart on the way.
func (r *resource) fill(counts []int32, line int, found func(counts []int32, head int, prob float64) bool) bool {
	type partial struct {
		counts []int32
		prob   float64
	}
	now := []partial{{counts, 1}}
	for drawn := 0; len(now) > 0; drawn++ {
		var next []partial
		at := map[string]int{}
		for _, p := range now {
			if drawn == line {
				if !found(p.counts, -1, p.prob) {
					return false
				}
				continue
			}
			for l, c := range r.classes {
				if !r.fits(p.counts, l) {
					if !found(p.counts, l, p.prob*c.prob) {
						return false
					}
					continue
				}
				more := slices.Clone(p.counts)
				more[l]++
				k := key(more, -1)
				j, ok := at[k]
				if !ok {
					j = len(next)
					at[k] = j
					next = append(next, partial{more, 0})
				}
				next[j].prob += p.prob * c.prob
			}
		}
		if len(next) > maxStates {
			return false
		}
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
