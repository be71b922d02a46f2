package problem

import (
	"math"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// System compiles the model for the samplers, with the jobs of a seed.
func (m *Problem) System(seed uint64, workers int) sampling.System {
	sys := sampling.System{System: *m.Compiled(), Workers: workers, Light: true}
	var classes []stream.Class
	var names []string
	for i, c := range m.Classes {
		names = append(names, c.Name)
		classes = append(classes, stream.Class{Need: c.Need, Prob: m.OpenProb(i), Service: c.Service})
		sys.Light = sys.Light && Light(c.Service)
	}
	arrivals := m.Arrivals
	if arrivals == nil {
		arrivals = arrival.Poisson(1) // the pile does not look at it
	}
	sys.Input = stream.NewFrom(seed, arrivals, classes, names...)
	return sys
}

// ChainBytes is about what one chain of a sampler takes: the jobs read ahead and
// the words they are made of, the groups in service, and accounts by class.
func (m *Problem) ChainBytes() float64 {
	bytes := 20e3 + 16*float64(len(m.Classes))
	if m.Features().Has(spec.Picked) {
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
