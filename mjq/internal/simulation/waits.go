package simulation

import (
	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/recurrence"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Job is a job of a given sequence.
type Job struct {
	Class   string
	Service float64 // σ
	Gap     float64 // τ, until the next job arrives
}

// Waits lets the given jobs arrive at an empty system, the first at time 0, and returns
// how long each waits, first come first served.
func Waits(p *problem.Problem, jobs ...Job) ([]float64, error) {
	byName := map[string]int{}
	for i, class := range p.Classes {
		byName[class.Name] = i
	}
	var f check.Faults
	f.That(p.FirstCome(), "policy %v: jobs are followed first come first served; leave the policy out, or ask for a Path", p.Policy)
	for n, j := range jobs {
		class, known := byName[j.Class]
		f.That(known, "job %d: there is no class %q", n+1, j.Class)
		f.That(j.Service >= 0, "job %d: the service time %v must not be negative", n+1, j.Service)
		f.That(j.Gap >= 0, "job %d: the gap %v must not be negative", n+1, j.Gap)
		f.That(!known || p.PickOf(class).Random == 0, "job %d: class %q draws servers at random; name them instead", n+1, j.Class)
	}
	if err := f.Err("Waits"); err != nil {
		return nil, err
	}
	step := stepper(p.Spec)
	var waits []float64
	now := 0.0
	for _, j := range jobs {
		waits = append(waits, step(now, byName[j.Class], j.Service)-now)
		now += j.Gap
	}
	return waits, nil
}

// stepper is the recurrence from an empty system on: the start of service of a job that
// arrives at time t.
func stepper(s *spec.Spec) func(t float64, class int, service float64) (start float64) {
	switch {
	case len(s.Resources) > 0:
		return typedStepper(s)
	case s.Identities():
		return namedStepper(s)
	}
	x := recurrence.NewRuns(s.Servers)
	return func(t float64, class int, service float64) float64 {
		start, _ := x.Step(t, int32(s.Classes[class].Need), service)
		return start
	}
}

// namedStepper is that of servers with identities.
func namedStepper(s *spec.Spec) func(t float64, class int, service float64) (start float64) {
	x := recurrence.NewNamed(s.Servers)
	x.AsPrinted = s.AsPrinted
	return func(t float64, class int, service float64) float64 {
		pick := s.PickOf(class)
		named := make([]int32, len(pick.Named))
		for i, server := range pick.Named {
			named[i] = int32(server - 1)
		}
		start, _ := x.Step(t, named, int32(pick.Any), service)
		return start
	}
}

// typedStepper is that of types of resources.
func typedStepper(s *spec.Spec) func(t float64, class int, service float64) (start float64) {
	var units []int
	for _, r := range s.Resources {
		units = append(units, r.Units)
	}
	x, waste := recurrence.NewTyped(units), make([]float64, len(units))
	x.AsPrinted = s.AsPrinted
	return func(t float64, class int, service float64) float64 {
		return x.Step(t, problem.UnitsOf(&s.Classes[class]), service, waste)
	}
}
