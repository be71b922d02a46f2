package mjq

import "github.com/mjqueue/mjq/mjq/internal/workload"

// PlannedJob is a job of a given sequence.
type PlannedJob struct {
	Class   string
	Service float64 // σ
	Gap     float64 // τ, until the next job arrives
}

// Waits lets the given jobs arrive at an empty system, the first at time 0,
// and returns how long each waits: the recurrence without any randomness, to
// follow an example by hand. It fails for classes that draw servers at random,
// for names that no class has, and for negative times.
func (c *Cluster) Waits(jobs ...PlannedJob) ([]float64, error) {
	byName := map[string]int{}
	for i, class := range c.m.classes {
		byName[class.Name] = i
	}
	var f faults
	for n, j := range jobs {
		class, known := byName[j.Class]
		f.check(known, "job %d: there is no class %q", n+1, j.Class)
		f.check(j.Service >= 0 && j.Gap >= 0, "job %d: service %v and gap %v must not be negative", n+1, j.Service, j.Gap)
		if known && c.m.variant.resources == nil {
			f.check(c.m.variant.picks[class].Random == 0, "job %d: class %q draws servers at random; name them instead", n+1, j.Class)
		}
	}
	if err := f.err("waits"); err != nil {
		return nil, err
	}
	step := c.m.variant.stepper(c.m.servers)
	var waits []float64
	now := 0.0
	for _, j := range jobs {
		waits = append(waits, step(now, byName[j.Class], j.Service)-now)
		now += j.Gap
	}
	return waits, nil
}

// stepper is the recurrence from an empty system on: the start of service of a
// job that arrives at time t.
func (v *variant) stepper(servers int) func(t float64, class int, service float64) (start float64) {
	if v.resources == nil {
		x := workload.NewNamed(servers)
		x.AsPrinted = v.asPrinted
		return func(t float64, class int, service float64) float64 {
			start, _ := x.Step(t, v.picks[class].Named, int32(v.picks[class].Any), service)
			return start
		}
	}
	var units []int
	for _, r := range v.resources {
		units = append(units, r.Units)
	}
	x, waste := workload.NewTyped(units), make([]float64, len(units))
	x.AsPrinted = v.asPrinted
	return func(t float64, class int, service float64) float64 {
		return x.Step(t, v.needs[class], service, waste)
	}
}
