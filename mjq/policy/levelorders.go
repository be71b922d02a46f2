package policy

import "github.com/mjqueue/mjq/internal/ranks"

// levelOrders serves every level on what the levels above leave, with preemption, by its
// jobs in order of arrival. Cost: O(kinds² log n) a pass, besides the jobs that start and
// stop.
type levelOrders struct {
	levels
	orders []*ranks.Order // by level
	serve  func(s *levelOrders, v *View, level, left int) (held int)
}

func newLevelOrders(of levels, serve func(s *levelOrders, v *View, level, left int) (held int)) *levelOrders {
	s := &levelOrders{levels: of, serve: serve}
	for l := range of.count() {
		s.orders = append(s.orders, ranks.New(of.first[l+1]-of.first[l]))
	}
	return s
}

func (s *levelOrders) at(j *Job) (order *ranks.Order, group int) {
	l := s.of[j.Kind]
	return s.orders[l], j.Kind - s.first[l]
}

func (s *levelOrders) Arrived(_ *View, j *Job) {
	order, group := s.at(j)
	order.Push(j.ID, group)
}

func (s *levelOrders) Left(_ *View, j *Job) {
	order, group := s.at(j)
	order.Remove(j.ID, group)
}

// Reneged takes a job out.
func (s *levelOrders) Reneged(v *View, j *Job) { s.Left(v, j) }

func (s *levelOrders) Pass(v *View) {
	left := v.Servers
	for l := range s.orders {
		left -= s.serve(s, v, l, left)
	}
}

// firstFit serves every job that fits; see PreemptiveFirstFit. It finds for each kind, from the largest
// need down, the place in the order of arrival from which on it no longer fits. Servers only get fewer
// along that order, so larger needs stop fitting earlier, and of each kind the earliest jobs run. The
// larger kinds have been taken all at once, and no job of a kind is between those that they come too
// early for.
func (s *levelOrders) firstFit(v *View, level, left int) (held int) {
	first, order, free := s.first[level], s.orders[level], left
	for k := s.first[level+1] - 1; k >= first; k-- {
		if v.Waiting[k]+v.Running[k] == 0 {
			continue
		}
		need := s.need[k]
		n := order.UpTo(order.Last(s.need[first:k+1], free-need)+1, k-first)
		free -= n * need
		served(v, k, n)
	}
	return left - free
}

// fill serves the largest jobs of the front; see ServerFilling.
func (s *levelOrders) fill(v *View, level, left int) (held int) {
	first, end := s.first[level], s.first[level+1]
	front := s.orders[level].Last(s.need[first:end], left-1) + 1 // 0 if nothing is left
	for k := end - 1; k >= first; k-- {
		n := min(s.orders[level].UpTo(front, k-first), (left-held)/s.need[k])
		held += n * s.need[k]
		served(v, k, n)
	}
	return held
}
