package simulation

import (
	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/recurrence"
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
	step := stepper(p)
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
func stepper(p *problem.Problem) func(t float64, class int, service float64) (start float64) {
	q := *p.Compiled()
	switch {
	case q.Types != nil:
		return typedStepper(&q)
	case q.Picks != nil:
		return namedStepper(&q)
	}
	x := recurrence.NewRuns(q.Servers)
	return func(t float64, class int, service float64) float64 {
		start, _ := x.Step(t, int32(q.Needs[class]), service)
		return start
	}
}

// namedStepper is that of servers with identities.
func namedStepper(q *compiled.System) func(t float64, class int, service float64) (start float64) {
	x := recurrence.NewNamed(q.Servers)
	x.AsPrinted = q.AsPrinted
	return func(t float64, class int, service float64) float64 {
		start, _ := x.Step(t, q.Picks[class].Named, int32(q.Picks[class].Any), service)
		return start
	}
}

// typedStepper is that of types of resources.
func typedStepper(q *compiled.System) func(t float64, class int, service float64) (start float64) {
	x, waste := recurrence.NewTyped(q.Types.Units), make([]float64, len(q.Types.Units))
	x.AsPrinted = q.AsPrinted
	return func(t float64, class int, service float64) float64 {
		var needs []int32
		for _, n := range q.Types.Needs[class] {
			needs = append(needs, int32(n))
		}
		return x.Step(t, needs, service, waste)
	}
}
