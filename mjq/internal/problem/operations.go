package problem

import (
	"math"

	"github.com/mjqueue/mjq/mjq/spec"
)

// Operations are counted as one core of the reference machine does 10⁹ of them a second. Those of
// a job are estimated from the kind of the engine and the policy, the jobs in service at once and
// those that wait (BenchmarkSolve of package ordinary). No clock has a say.
const (
	recurredJob, recurredBusy     = 70, 0.1
	simulatedJob, simulatedBusy   = 200, 0.04
	preemptedJob, preemptedBusy   = 350, 0.3
	reservingJob, reservingBusy   = 300, 0.2
	reservation, mostReservations = 350, 20 // for each of the jobs that wait
	placedTimes                   = 1.5     // on nodes
	resized                       = 120     // for each of the jobs in service that change their size
)

// RecurredOperations is about how many a job of a forward run takes.
func (m *Problem) RecurredOperations() float64 { return recurredJob + recurredBusy*m.InService() }

// SimulatedOperations is about how many a job of a simulation takes where so many others wait.
func (m *Problem) SimulatedOperations(waiting float64) float64 {
	job, busy := float64(simulatedJob), simulatedBusy
	if m.Features().Has(spec.Reordered) {
		switch known := m.Policy.Properties(); {
		case known.Preemptive:
			job, busy = preemptedJob, preemptedBusy
		case known.Reservations != 0:
			planned := math.Min(1+waiting, mostReservations)
			if known.Reservations > 0 {
				planned = math.Min(planned, float64(known.Reservations))
			}
			job, busy = reservingJob+reservation*planned, reservingBusy
		}
	}
	if m.Features().Has(spec.Placed) {
		job *= placedTimes
	}
	return job + busy*m.InService() + resized*m.changing()
}

// changing is how many jobs in service change their size, at most.
func (m *Problem) changing() (jobs float64) {
	for i := range m.Classes {
		if c := &m.Classes[i]; c.Elastic != nil && !c.Elastic.Partial {
			jobs += math.Min(m.Rate()*c.Prob*c.Service.Mean(), float64(m.Servers/c.Elastic.Least))
		}
	}
	return jobs
}

// InService is how many jobs are in service at once, if none is turned away, at most.
func (m *Problem) InService() float64 {
	busy := m.Rate() * m.MeanService()
	if most := float64(m.Servers); !(busy < most) {
		return most
	}
	return busy
}
