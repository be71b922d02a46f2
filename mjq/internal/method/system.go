package method

import (
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// RareJobs is a number of jobs that holds on average k of the rarest class,
// and at least 1000: long enough for a window to know every class (the advice
// of Section 7.1 of the paper).
func (m *Problem) RareJobs(k float64) int64 {
	rarest := 1.0
	for _, c := range m.Classes {
		rarest = min(rarest, c.Prob)
	}
	return int64(max(1000, min(k/rarest, 1e8)))
}

// System compiles the model for the samplers.
func (m *Problem) System(seed uint64, workers int) sampling.System {
	sys := sampling.System{Servers: m.Servers, Workers: workers, Light: true}
	var classes []stream.Class
	var names []string
	for i, c := range m.Classes {
		names = append(names, c.Name)
		sys.Needs, sys.Probs = append(sys.Needs, int32(c.Need)), append(sys.Probs, c.Prob)
		classes = append(classes, stream.Class{Need: c.Need, Prob: m.OpenProb(i), Service: c.Service})
		sys.Light = sys.Light && light(c.Service)
	}
	arrivals := m.Arrivals
	if arrivals == nil {
		arrivals = arrival.Poisson(1) // the pile does not look at it
	}
	sys.Input = stream.NewFrom(seed, arrivals, classes, names...)
	if !m.Plain() {
		sys.Variant = recurrenceOf(m.Spec)
	}
	return sys
}

// chainBytes is about what one chain of a sampler takes: the jobs read ahead and
// the words they are made of, the groups in service, and accounts by class.
func (m *Problem) chainBytes() float64 {
	bytes := 20e3 + 16*float64(len(m.Classes))
	if m.Identities() {
		bytes += spec.IdentityBytes / 2 * float64(m.Servers)
	}
	return bytes
}

// sampleBytes is about what a sample takes until its batch is complete.
func (m *Problem) sampleBytes() float64 {
	return 100 + 8*float64(len(m.Classes)*(3+len(m.Resources)))
}

// leastJobs is the least mean number of jobs in service, λ E[σ], at which times
// of arrival, which add up over a few hundred jobs, have the digits to tell when
// services end.
const leastJobs = 1e-9

// drawingFaults says what keeps a model from being run job by job.
func (m *Problem) drawingFaults(f *check.Faults) {
	m.ArrivalFaults(f)
	f.Memory(2*m.chainBytes(), "%d servers that are told apart", m.Servers)
	rate := m.Rate()
	if m.Load != nil {
		rate = *m.Load * m.IdealRate() // no limit is higher
	}
	jobs := rate * m.MeanService()
	f.That(!(jobs < leastJobs), "services of mean %.3g at the rate %.3g: jobs take a part %.2g of the time between them, so that rounding of the times of arrival would drown the waits; choose a rate or services that are larger, or .Exact()",
		m.MeanService(), rate, jobs)
}

// light reports whether a law has exponential moments.
func light(l law.Law) bool {
	_, _, ok := law.Tilt(l, 1e-9/l.Mean())
	return ok
}

// heavy reports whether a law has infinite variance.
func heavy(l law.Law) bool { return math.IsInf(l.Variance(), 1) }

// recurrenceOf is the one that the samplers follow where servers are not all alike.
func recurrenceOf(s *spec.Spec) sampling.Recurrence {
	if len(s.Resources) > 0 {
		y := &sampling.Typed{AsPrinted: s.AsPrinted}
		for _, r := range s.Resources {
			y.Units = append(y.Units, r.Units)
		}
		for c := range s.Classes {
			y.Needs = append(y.Needs, unitsOf(&s.Classes[c]))
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

// unitsOf is what a class needs by type, as the recurrence counts.
func unitsOf(c *spec.Class) (units []int32) {
	for _, n := range c.Units {
		units = append(units, int32(n))
	}
	return units
}

// couplingFaults says what keeps a queue from being sampled backward.
func couplingFaults(f *check.Faults, s *spec.Spec) {
	unmarkedFaults(f, s)
	f.That(s.Monotone(), "a class asks for servers by number and another for any: the workload is not monotone, so that windows do not bound it from below; use mjq.Forward{}")
}

// unmarkedFaults says that a method looks at every class as if it could come now.
func unmarkedFaults(f *check.Faults, s *spec.Spec) {
	f.That(!marked(s), "arrivals %v say of which class a job is: what a class meets depends on the state of the arrivals then; use mjq.Forward{}, mjq.Unbiased{} or mjq.Simulation{}", s.Arrivals)
}

// marked reports whether the arrivals say of which class some jobs are.
func marked(s *spec.Spec) bool { return s.Arrivals != nil && arrival.ClassRates(s.Arrivals) != nil }

// plainFaults says that a method knows identical servers only.
func plainFaults(f *check.Faults, s *spec.Spec) {
	f.That(s.Plain(), "the queue has types of resources, named servers or random assignment, and this method knows identical servers only; use mjq.Forward{} or, but for servers that are told apart, mjq.Simulation{}")
}
