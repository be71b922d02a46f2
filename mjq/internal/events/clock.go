package events

import "math"

// Some policies decide anew at times of their own. These are events like others, but
// that no job comes or leaves.

// strikes is when the clock of the policy strikes next; +Inf without one.
func (s *Simulator) strikes() float64 {
	if s.clock == nil {
		return math.Inf(1)
	}
	return s.clock.Next()
}

// strike has the clock strike.
func (s *Simulator) strike() {
	s.advance(max(s.view.Now, s.clock.Next()))
	s.clock.Strike(s.draw)
	s.passDue = true
}

// clockDraws are the numbers of the clock, apart from those of jobs.
const clockDraws = 1 << 62

// draw is the next number in [0, 1) for the clock.
func (s *Simulator) draw() float64 {
	s.drawn++
	return uniform(s.key, clockDraws+s.drawn)
}

// wait lets the time pass up to the first arrival in an empty system.
func (s *Simulator) wait() {
	for s.strikes() < s.arrival {
		s.strike()
	}
	s.passDue = false
	s.advance(s.arrival)
}
