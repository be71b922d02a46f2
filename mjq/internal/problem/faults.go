package problem

import (
	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/compiled"
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
		f.Memory(2*n.Bytes(), "%d nodes with %v contents that they could have; count the units of each type in larger pieces", m.NodeCount(), compiled.Contents(n.Kinds))
	}
	rate := m.Rate()
	if m.Load != nil {
		rate = *m.Load * m.IdealRate() // no limit is higher
	}
	jobs := rate * m.MeanService()
	f.That(!(jobs < leastJobs), "services of mean %.3g at the rate %.3g: jobs take a part %.2g of the time between them, so that rounding of the times of arrival would drown the waits; choose a rate or services that are larger, or mjq.Exact{}",
		m.MeanService(), rate, jobs)
}
