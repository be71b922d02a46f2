package classic

import (
	"math"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// Priorities is a queue under a priority, with Poisson arrivals. Needs are by class, and classes
// have the levels of the policy. A level that is not stable has infinite means; those above it
// keep theirs.
type Priorities struct {
	Servers int
	Needs   []int
	Classes []PriorityClass
	Policy  policy.Priority
}

// Closed are the means by a closed form, and where it comes from; false if there is none.
func (s Priorities) Closed() (means []PriorityMeans, source string, ok bool) {
	if s.sized() {
		return nil, "", false
	}
	return s.inOrder()
}

// inOrder is Closed as if jobs of a level were served in order of arrival.
func (s Priorities) inOrder() (means []PriorityMeans, source string, ok bool) {
	p := s.Policy
	_, kills := p.Limits()
	if p.ExemptFor > 0 || p.Added != nil || p.Preempts == policy.Drop || kills {
		return nil, "", false
	}
	if s.one() {
		switch {
		case p.Preempts == "":
			return Nonpreemptive(s.Classes), "M/G/1 with priorities: Cobham (1954)", true
		case p.Preempts == policy.Resume:
			return Resume(s.Classes), "M/G/1 with preemption: Jaiswal (1968)", true
		case len(levels(s.Classes)) <= 2:
			return Restart(s.Classes, p.Preempts == policy.Resampled), "M/G/1 with preemption and repetition: Gaver (1962)", true
		}
		return nil, "", false
	}
	if mean, alike := s.alike(); alike && (p.Preempts == "" || p.Preempts == policy.Resume) {
		return AlikePriorities(s.Servers/s.Needs[0], mean, s.Classes, p.Preempts != ""), "M/M/c with priorities: Davis (1966)", true
	}
	return nil, "", false
}

// bySize reports whether jobs of a level go by their needs, and not by arrival.
func (s Priorities) bySize() bool {
	if s.Policy.Inner == nil {
		return false
	}
	order := s.Policy.Inner.Properties().Order
	return order == policy.LargestOrder || order == policy.FrontOrder
}

// sized reports whether that matters: some level has jobs of several needs.
func (s Priorities) sized() bool {
	for i, a := range s.Classes {
		for j, b := range s.Classes[:i] {
			if a.Level == b.Level && s.Needs[i] != s.Needs[j] {
				return s.bySize()
			}
		}
	}
	return false
}

// one reports whether no two jobs fit together.
func (s Priorities) one() bool {
	for _, need := range s.Needs {
		if 2*need <= s.Servers {
			return false
		}
	}
	for i, a := range s.Needs {
		for _, b := range s.Needs[:i] {
			if a+b <= s.Servers {
				return false
			}
		}
	}
	return true
}

// alike is the mean of the services if these are exponential with the same mean, and the
// needs are equal.
func (s Priorities) alike() (mean float64, ok bool) {
	for i, c := range s.Classes {
		e, exponential := c.Service.(law.Exponential)
		if !exponential || s.Needs[i] != s.Needs[0] {
			return 0, false
		}
		if i == 0 {
			mean = e.Mean()
		} else if e.Mean() != mean {
			return 0, false
		}
	}
	return mean, true
}

// Endless reports whether jobs of a class take an infinite time on average from the first
// start to the end, at any load, because they begin again too often. Each job of the levels
// above, or of a larger need in a level that goes by size, that does not fit beside one of the class preempts it at once; so it must get
// through its service between two of those that come, which it is preempted in e^{λσ} - 1
// times on average. Where only several of them together push it out, this takes them a
// time whose tail is exponential, and then a service without exponential moments is endless.
func (s Priorities) Endless(class int) bool {
	if s.Policy.Preempts != policy.Restart {
		return false
	}
	service, rate, held := s.Classes[class].Service, 0.0, make([]bool, s.Servers+1)
	held[0] = true
	for i, c := range s.Classes {
		larger := s.bySize() && c.Level == s.Classes[class].Level && s.Needs[i] > s.Needs[class]
		if c.Level >= s.Classes[class].Level && !larger || c.Rate == 0 {
			continue
		}
		if s.Needs[i]+s.Needs[class] > s.Servers {
			rate += c.Rate
		}
		for n := s.Needs[i]; n <= s.Servers; n++ {
			held[n] = held[n] || held[n-s.Needs[i]]
		}
	}
	if rate > 0 && math.IsInf(service.Laplace(-rate), 1) {
		return true
	}
	for n := s.Servers - s.Needs[class] + 1; n <= s.Servers; n++ {
		if held[n] {
			return math.IsInf(service.Laplace(-1e-9/service.Mean()), 1)
		}
	}
	return false
}
