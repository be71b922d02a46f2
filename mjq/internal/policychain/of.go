package policychain

import (
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/states"
)

// Source is where the exact values under policies come from.
const Source = "deferred revelation: the class of a job is drawn when the policy first looks at it"

// Of is a queue under its policy, with arrivals of a rate, by their matrices; nil if they are Poisson.
// The error says what keeps it from being solved.
func Of(q *compiled.System, rate float64, in *states.Arrivals) (*Queue, error) {
	phases, err := states.Of(q)
	if err != nil {
		return nil, err
	}
	sys := System{Servers: q.Servers, Rate: rate, Classes: phases.Classes, Known: q.Known}
	if q.Patience != nil {
		sys.Stopped = q.AlsoPreempted
		rates, odd := states.Leaving(q)
		if odd >= 0 {
			return nil, fmt.Errorf("class %q: its patience %v is not exponential; under policy %v use mjq.Simulation{}", q.Known[odd].Name, q.Patience[odd], q.Policy)
		}
		sys.Leave = rates
	}
	return NewWith(sys, in, q.Policy)
}
