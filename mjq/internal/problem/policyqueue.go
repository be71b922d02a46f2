package problem

import (
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/policychain"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Under other policies than first come first served queues are solved by deferred
// revelation; see package policychain for which, and up to which size.

// PolicySource is where the exact values of such policies come from.
const PolicySource = "deferred revelation: the class of a job is drawn when the policy first looks at it"

// PolicyQueue is the queue with Poisson arrivals as package policychain sees it. The error
// says what keeps it from being solved.
func PolicyQueue(s *spec.Spec, rate float64) (*policychain.Queue, error) {
	return ArrivingQueue(s, rate, nil)
}

// ArrivingQueue is that with arrivals of that rate; nil if they are Poisson.
func ArrivingQueue(s *spec.Spec, rate float64, in *states.Arrivals) (*policychain.Queue, error) {
	phases, err := PhaseSystem(s)
	if err != nil {
		return nil, err
	}
	sys := policychain.System{Servers: s.Servers, Rate: rate, Classes: phases.Classes, Known: s.PolicySystem().Classes}
	if s.Impatient() {
		sys.Stopped = s.AlsoPreempted
		for _, c := range s.Classes {
			leave := 0.0
			if c.Patience != nil {
				var ok bool
				if leave, ok = law.MemorylessRate(c.Patience); !ok {
					return nil, fmt.Errorf("class %q: its patience %v is not exponential; under policy %v use mjq.Simulation{}", c.Name, c.Patience, s.Policy)
				}
			}
			sys.Leave = append(sys.Leave, leave)
		}
	}
	return policychain.NewWith(sys, in, s.Discipline())
}
