package problem

import (
	"github.com/mjqueue/mjq/mjq/internal/deferred"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Under other policies than first come first served queues are solved by deferred
// revelation; see package deferred for which, and up to which size.

// PolicySource is where the exact values of such policies come from.
const PolicySource = "deferred revelation: the class of a job is drawn when the policy first looks at it"

// PolicyQueue is the queue with Poisson arrivals as package deferred sees it. The error
// says what keeps it from being solved.
func PolicyQueue(s *spec.Spec, rate float64) (*deferred.Queue, error) {
	return ArrivingQueue(s, rate, nil)
}

// ArrivingQueue is that with arrivals of that rate; nil if they are Poisson.
func ArrivingQueue(s *spec.Spec, rate float64, in *states.Arrivals) (*deferred.Queue, error) {
	phases, err := PhaseSystem(s)
	if err != nil {
		return nil, err
	}
	return deferred.NewWith(deferred.System{Servers: s.Servers, Rate: rate, Classes: phases.Classes}, in, s.BoundPolicy())
}
