package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

// Sixteen GPUs in jobs of four. Switched off as soon as no job needs them they take less energy, and jobs
// wait while they are set up; four that stay awake make up for part of the wait.
func ExampleModel_Sleep() {
	cluster := mjq.Servers(16).Poisson(1).Class("job", 4, 1, mjq.ExpMean(1.25))
	kilowatts := mjq.Watts{Busy: 0.5, Idle: 0.25, Setup: 0.4, Asleep: 0.02}
	sleeps := cluster.Sleep(mjq.Deterministic(0), mjq.ExpMean(0.2))
	for _, m := range []mjq.Model{cluster, sleeps, sleeps.Awake(4)} {
		r := mjq.Must(m.Watts(kilowatts).Solve(context.Background()))
		fmt.Printf("wait %.3f, power %.2f kW, %.2f kWh a job\n", r.All.Waiting.Mean.Value, r.Energy.Power.Value, r.Energy.PerJob.Value)
	}
	// Output:
	// wait 0.019, power 5.25 kW, 5.25 kWh a job
	// wait 0.318, power 3.07 kW, 3.07 kWh a job
	// wait 0.228, power 3.20 kW, 3.20 kWh a job
}
