package events

import "github.com/mjqueue/mjq/mjq/policy"

// types is what a Simulator of such a system knows beside.
type types struct {
	// The integrals over time since the last TakeUnits of the units that are idle, and of
	// those idle while a job waits, by type.
	idle, wasted []float64
}

// seize takes the units of a job that starts.
func (s *Simulator) seize(kind int) {
	for t, n := range s.view.NeedUnits[kind] {
		if s.view.FreeUnits[t] -= n; s.view.FreeUnits[t] < 0 {
			panic(s.tooMany())
		}
	}
}

// release gives them back.
func (s *Simulator) release(kind int) {
	for t, n := range s.view.NeedUnits[kind] {
		s.view.FreeUnits[t] += n
	}
}

// advance accumulates what passes.
func (t *types) advance(v *policy.View, dt float64) {
	for j, free := range v.FreeUnits {
		t.idle[j] += dt * float64(free)
		if v.Jobs > 0 {
			t.wasted[j] += dt * float64(free)
		}
	}
}

func (t *types) clear() {
	clear(t.idle)
	clear(t.wasted)
}

// TakeUnits adds the integrals over time of the units of each type that are idle, and of
// those idle while a job waits, so many times to dst, which has both one after the other,
// and forgets them. Without types there are none.
func (s *Simulator) TakeUnits(dst []float64, times float64) {
	if s.types == nil {
		return
	}
	for j, x := range s.types.idle {
		dst[j] += times * x
		dst[len(dst)/2+j] += times * s.types.wasted[j]
	}
	s.types.clear()
}
