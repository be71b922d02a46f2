package problem

import (
	"math"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// System compiles the model for the samplers.
func (m *Problem) System(seed uint64, workers int) sampling.System {
	sys := sampling.System{Servers: m.Servers, Workers: workers, Light: true}
	var classes []stream.Class
	var names []string
	for i, c := range m.Classes {
		names = append(names, c.Name)
		sys.Needs, sys.Probs = append(sys.Needs, int32(c.Need)), append(sys.Probs, c.Prob)
		classes = append(classes, stream.Class{Need: c.Need, Prob: m.OpenProb(i), Service: c.Service})
		sys.Light = sys.Light && Light(c.Service)
	}
	arrivals := m.Arrivals
	if arrivals == nil {
		arrivals = arrival.Poisson(1) // the pile does not look at it
	}
	sys.Input = stream.NewFrom(seed, arrivals, classes, names...)
	if !m.Plain() && !m.OnNodes() {
		sys.Variant = recurrenceOf(m.Spec)
	}
	return sys
}

// ChainBytes is about what one chain of a sampler takes: the jobs read ahead and
// the words they are made of, the groups in service, and accounts by class.
func (m *Problem) ChainBytes() float64 {
	bytes := 20e3 + 16*float64(len(m.Classes))
	if m.Identities() {
		bytes += spec.IdentityBytes / 2 * float64(m.Servers)
	}
	return bytes
}

// Light reports whether a law has exponential moments.
func Light(l law.Law) bool {
	_, _, ok := law.Tilt(l, 1e-9/l.Mean())
	return ok
}

// Heavy reports whether a law has infinite variance.
func Heavy(l law.Law) bool { return math.IsInf(l.Variance(), 1) }

// recurrenceOf is the one that the samplers follow where servers are not all alike.
func recurrenceOf(s *spec.Spec) sampling.Recurrence {
	if len(s.Resources) > 0 {
		y := &sampling.Typed{AsPrinted: s.AsPrinted}
		for _, r := range s.Resources {
			y.Units = append(y.Units, r.Units)
		}
		for c := range s.Classes {
			y.Needs = append(y.Needs, UnitsOf(&s.Classes[c]))
		}
		return y
	}
	printed, named, any := s.AsPrinted || s.RandomAssignment, false, false
	x := &sampling.Specific{AsPrinted: printed}
	for c := range s.Classes {
		pick := s.PickOf(c)
		p := sampling.Pick{Any: pick.Any, Random: pick.Random}
		for _, server := range pick.Named {
			p.Named = append(p.Named, int32(server-1))
		}
		named, any = named || len(p.Named) > 0, any || p.Any > 0
		x.Picks = append(x.Picks, p)
	}
	x.Ordered = !named && (any || !printed)
	return x
}

// UnitsOf is what a class needs by type, as the recurrence counts.
func UnitsOf(c *spec.Class) (units []int32) {
	for _, n := range c.Units {
		units = append(units, int32(n))
	}
	return units
}
