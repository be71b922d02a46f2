package problem

import (
	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/spec"
)

// leastJobs is the least mean number of jobs in service, λ E[σ], at which times
// of arrival, which add up over a few hundred jobs, have the digits to tell when
// services end.
const leastJobs = 1e-9

// DrawingFaults says what keeps a model from being run job by job.
func (m *Problem) DrawingFaults(f *check.Faults) {
	m.ArrivalFaults(f)
	f.Memory(2*m.ChainBytes(), "%d servers that are told apart", m.Servers)
	if n := m.Placed(); n != nil {
		f.Memory(2*n.Bytes(), "%d nodes with %v contents that they could have; count the units of each type in larger pieces", m.NodeCount(), events.Contents(n.Kinds))
	}
	rate := m.Rate()
	if m.Load != nil {
		rate = *m.Load * m.IdealRate() // no limit is higher
	}
	jobs := rate * m.MeanService()
	f.That(!(jobs < leastJobs), "services of mean %.3g at the rate %.3g: jobs take a part %.2g of the time between them, so that rounding of the times of arrival would drown the waits; choose a rate or services that are larger, or mjq.Exact{}",
		m.MeanService(), rate, jobs)
}

// CouplingFaults says what keeps a queue from being sampled backward.
func CouplingFaults(f *check.Faults, s *spec.Spec) {
	UnmarkedFaults(f, s)
	f.That(s.Monotone(), "a class asks for servers by number and another for any: the workload is not monotone, so that windows do not bound it from below; use mjq.Forward{}")
}

// UnmarkedFaults says that a method looks at every class as if it could come now.
func UnmarkedFaults(f *check.Faults, s *spec.Spec) {
	f.That(!Marked(s), "arrivals %v say of which class a job is: what a class meets depends on the state of the arrivals then; use mjq.Forward{}, mjq.Unbiased{} or mjq.Simulation{}", s.Arrivals)
}

// Marked reports whether the arrivals say of which class some jobs are.
func Marked(s *spec.Spec) bool { return s.Arrivals != nil && arrival.ClassRates(s.Arrivals) != nil }

// PlainFaults says that a method knows identical servers only.
func PlainFaults(f *check.Faults, s *spec.Spec) {
	f.That(s.Plain(), "the queue has types of resources, named servers or random assignment, and this method knows identical servers only; use mjq.Forward{} or, but for servers that are told apart, mjq.Simulation{}")
}

// CountedFaults says that the event engine counts servers, or units of each type of
// resource, and serves first come first served in order.
func CountedFaults(f *check.Faults, s *spec.Spec) {
	f.That(!s.Identities(), "the queue has named servers or random assignment, and this method does not tell servers apart; use mjq.Forward{}")
	f.That(!s.AsPrinted, "the recursion as printed lets later jobs overtake, which this method does not; use mjq.Forward{}")
}
