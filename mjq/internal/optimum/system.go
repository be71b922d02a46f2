// Package optimum finds the best scheduling policy of a small multiserver-job queue with
// Poisson arrivals and exponential services: the one of the least long-run average of a
// weighted number of jobs in the system, among all that know how many jobs of each class
// run and wait, which with exponential services is all there is to know. It is a Markov
// decision process in continuous time, solved by policy iteration (Howard 1960; Puterman,
// Markov Decision Processes, Wiley 1994, sections 8.6 and 11.4).
//
// The queue is cut at a number of jobs, beyond which arrivals are turned away at no cost.
// That cannot make the optimum worse: whoever serves the true queue may be imitated with
// the jobs that were let in, idling for those that were not. So each cut gives a lower
// bound of the optimum, by the least of what the optimality equation leaves over (Odoni
// 1969); the bounds grow with the cut until they no longer move.
package optimum

import (
	"fmt"
	"math"
	"slices"
)

// Class is a class of jobs with exponential services.
type Class struct {
	Need   int
	Rate   float64 // of arrivals
	Mu     float64 // of service
	Weight float64 // of a job in the system, 0 or more
}

// System is a queue.
type System struct {
	Servers    int
	Classes    []Class
	Preemptive bool // running jobs may be stopped and resumed
}

// MostClasses is the most classes of a system.
const MostClasses = 3

// MostSchedules is the most sets of jobs that may fit together.
const MostSchedules = 255

// schedules are all sets of jobs that fit together, by class, the empty one first.
func (s *System) schedules() (list [][]int) {
	x := make([]int, len(s.Classes))
	var from func(k, free int)
	from = func(k, free int) {
		if k == len(x) {
			list = append(list, slices.Clone(x))
			return
		}
		for x[k] = 0; x[k]*s.Classes[k].Need <= free && len(list) <= MostSchedules; x[k]++ {
			from(k+1, free-x[k]*s.Classes[k].Need)
		}
		x[k] = 0
	}
	from(0, s.Servers)
	return list
}

// Validate names what keeps the system from being solved, but for its size.
func (s *System) Validate() error {
	if n := len(s.Classes); n < 1 || n > MostClasses {
		return fmt.Errorf("%d classes: the optimal policy is found for 1 to %d", n, MostClasses)
	}
	sum := 0.0
	for i, c := range s.Classes {
		if c.Need < 1 || c.Need > s.Servers || !(c.Rate > 0) || !(c.Mu > 0) || !(c.Weight >= 0) || math.IsInf(c.Rate+c.Mu+c.Weight, 1) {
			return fmt.Errorf("class %d: %+v makes no sense with %d servers", i, c, s.Servers)
		}
		sum += c.Weight
	}
	if sum == 0 {
		return fmt.Errorf("all weights are 0: every policy is optimal; give one class a positive weight")
	}
	if n := len(s.schedules()); n > MostSchedules {
		return fmt.Errorf("%d servers: more than %d sets of jobs fit together; give fewer servers or larger needs, or compare policies by mjq.Compare", s.Servers, MostSchedules)
	}
	return nil
}
