package policy

import "github.com/mjqueue/mjq/internal/ranks"

func newTypedPreemptiveFirstFit(types, kinds int) *typedPreemptiveFirstFit {
	s := &typedPreemptiveFirstFit{order: ranks.New(kinds), free: make([]int, types), weights: make([][]int, types),
		upTo: make([]int, kinds), left: make([]int, types)}
	for j := range types {
		s.weights[j] = make([]int, kinds)
	}
	return s
}

// typedPreemptiveFirstFit finds the kinds one after the other that no longer fit along
// the order of arrival. Up to the first place at which one does not, all jobs are
// served; from there on all but those of that kind, since of every type there is only
// less. Cost: O(kinds × types × (kinds + log n)) a pass, times the kinds that do not all
// fit, besides the jobs that start and stop.
type typedPreemptiveFirstFit struct {
	order   *ranks.Order
	free    []int   // by type, but for what the kinds that still fit take
	weights [][]int // by type and kind, the needs of the kinds that still fit; else 0
	fits    []int   // these kinds
	upTo    []int   // by kind, jobs up to a place
	left    []int   // by type, behind them
}

func (s *typedPreemptiveFirstFit) Arrived(_ *View, j *Job) { s.order.Push(j.ID, j.Kind) }

func (s *typedPreemptiveFirstFit) Left(_ *View, j *Job) { s.order.Remove(j.ID, j.Kind) }

func (s *typedPreemptiveFirstFit) Pass(v *View) {
	copy(s.free, v.Units)
	s.fits = s.fits[:0]
	for k, need := range v.NeedUnits {
		present := v.Waiting[k]+v.Running[k] > 0
		if present {
			s.fits = append(s.fits, k)
		}
		for j, n := range need {
			s.weights[j][k] = 0
			if present {
				s.weights[j][k] = n
			}
		}
	}
	for len(s.fits) > 0 {
		at, found := s.full(v)
		if !found {
			for _, k := range s.fits {
				served(v, k, v.Waiting[k]+v.Running[k])
			}
			return
		}
		s.stop(v, at)
	}
}

// full is the first place in the order with which some kind no longer fits, if there are
// as many jobs; 0 if that is before the first.
func (s *typedPreemptiveFirstFit) full(v *View) (at int, found bool) {
	for j, free := range s.free {
		most, all := 0, 0
		for _, k := range s.fits {
			n := v.NeedUnits[k][j]
			most = max(most, n)
			all += n * (v.Waiting[k] + v.Running[k])
		}
		if most == 0 || all <= free-most {
			continue
		}
		if place := s.order.Last(s.weights[j], free-most) + 1; !found || place < at {
			at, found = place, true
		}
	}
	return at, found
}

// stop serves, of the kinds that do not fit after a place, the jobs up to there.
func (s *typedPreemptiveFirstFit) stop(v *View, at int) {
	copy(s.left, s.free)
	for _, k := range s.fits {
		s.upTo[k] = s.order.UpTo(at, k)
		for j, n := range v.NeedUnits[k] {
			s.left[j] -= n * s.upTo[k]
		}
	}
	still := s.fits[:0]
	for _, k := range s.fits {
		need := v.NeedUnits[k]
		if most(need, s.left) > 0 {
			still = append(still, k)
			continue
		}
		served(v, k, s.upTo[k])
		for j, n := range need {
			s.free[j] -= n * s.upTo[k]
			s.weights[j][k] = 0
		}
	}
	s.fits = still
}
