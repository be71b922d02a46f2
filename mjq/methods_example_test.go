package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/workload"
)

// What can answer to 0.5 %, in how many seconds, and how it is asked.
func ExampleModel_Methods() {
	m := workload.FiveClassExponential().Poisson(1.4)
	t := mjq.Must(m.Methods(context.Background(), mjq.RelErr(0.005)))
	fmt.Println("Dominated:", t.Columns[2].Cells[1])
	fmt.Println("Forward:", t.Columns[4].Cells[5], t.Columns[3].Values[5].Value > 0)
	// Output:
	// Dominated: the load of the dominating queue, in which every job takes all servers, is λ E[σ] = 1.842; it must be below 1; use mjq.Certified{} or mjq.Backward{}, or a rate below 0.760052
	// Forward: mjq.Forward{Jobs: 240000, Controls: mjq.CloseControls} true
}

// A target without a method: the result says what gives the same.
func ExampleRelErr() {
	m := mjq.Servers(4).Poisson(2).Class("small", 1, 0.9, mjq.ExpMean(1)).Class("big", 4, 0.1, mjq.LogNormalMeanSCV(1, 2))
	r := mjq.Must(m.Solve(context.Background(), mjq.RelErr(0.05)))
	fmt.Println("within 5 %:", r.Run.Met)
	fmt.Println(r.Run.Method)
	// Output:
	// within 5 %: true
	// mjq.Forward{Jobs: 10000, Controls: mjq.PlainControls}, mjq.RelErr(0.05), mjq.MaxJobs(200000000)
}

// The same seed draws the same jobs on a GPU and on the cores.
func ExampleDevices() {
	on := mjq.CPU
	if devices, err := mjq.Devices(); err == nil && len(devices) > 0 { // built with the tag cuda, and a driver
		on = mjq.GPU
	}
	show := func(where mjq.Processor) {
		m := mjq.Servers(4).Poisson(1).Class("one", 1, 0.7, mjq.ExpMean(1)).Class("all", 4, 0.3, mjq.ExpMean(1))
		fmt.Println(mjq.Must(m.Solve(context.Background(), mjq.Backward{Samples: 1024, Device: where}, mjq.Seed(1))).All.Waiting.Mean)
	}
	show(on)
	// Output: 1.82 ± 0.16
}
