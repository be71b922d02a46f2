package classic

import (
	"math"

	"github.com/mjqueue/mjq/mjq/policy"
)

// Undisturbed reports whether levels do not notice those below them.
func (s Priorities) Undisturbed() bool { return s.Policy.Preempts != "" && s.Policy.ExemptFor == 0 }

// FirstEndless is the first level with endless services; see Endless. It is -1 without one.
func (s Priorities) FirstEndless() int {
	first := -1
	for i, c := range s.Classes {
		if (first < 0 || c.Level < first) && c.Rate > 0 && s.Endless(i) {
			first = c.Level
		}
	}
	return first
}

// limited reports whether limits have a closed form. They do not depend on the order within a level
// unless service is lost.
func (s Priorities) limited() bool {
	_, _, ok := s.inOrder()
	return ok && !(s.Policy.Properties().Loses && s.sized())
}

// Limit is the largest rate of the jobs of a level with which they are stable, those of the
// levels above keeping theirs; false if it has no closed form.
func (s Priorities) Limit(level int) (float64, bool) {
	if !s.limited() {
		return 0, false
	}
	var above, of []PriorityClass
	rate, work, busy := 0.0, 0.0, 0.0
	for _, c := range s.Classes {
		switch {
		case c.Level == level:
			of = append(of, c)
			rate += c.Rate
			work += c.Rate * c.Service.Mean()
		case c.Level < level:
			above = append(above, c)
			busy += c.Rate * c.Service.Mean()
		}
	}
	if len(above) > 0 && s.Policy.Properties().Loses { // of two levels
		work, busy = 0, 0
		for _, c := range of {
			work += c.Rate * Restarted(above, c, s.Policy.Preempts == policy.Resampled).Mean
		}
	}
	servers := 1.0
	if !s.one() {
		servers = float64(s.Servers / s.Needs[0])
	}
	return max(0, servers-busy) * rate / work, true
}

// Rate is the largest rate of all jobs at which all levels are stable, with the classes in
// their proportions; false if it has no closed form.
func (s Priorities) Rate() (float64, bool) {
	if !s.limited() {
		return 0, false
	}
	rate, work := 0.0, 0.0
	for _, c := range s.Classes {
		rate += c.Rate
		work += c.Rate * c.Service.Mean()
	}
	servers := 1.0
	if !s.one() {
		servers = float64(s.Servers / s.Needs[0])
	}
	most := servers / work
	if !s.Policy.Properties().Loses {
		return most * rate, true
	}
	low, _ := bisected(0, most, func(x float64) bool { return s.at(x).carried() })
	return low * rate, true
}

// at is the system with all rates multiplied.
func (s Priorities) at(factor float64) Priorities {
	classes := make([]PriorityClass, len(s.Classes))
	for i, c := range s.Classes {
		c.Rate *= factor
		classes[i] = c
	}
	s.Classes = classes
	return s
}

// carried reports whether every level is stable at the rates of the system.
func (s Priorities) carried() bool {
	rates := make([]float64, len(levels(s.Classes)))
	for _, c := range s.Classes {
		rates[c.Level] += c.Rate
	}
	for level, rate := range rates {
		if limit, _ := s.Limit(level); !(rate < limit) && !(rate == 0) || math.IsNaN(limit) && rate > 0 {
			return false
		}
	}
	return true
}
