package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

// What can answer to 0.5 %, in how many seconds, and how it is asked.
func ExampleModel_Methods() {
	m := mjq.FiveClassExponential().Poisson(1.4)
	t := mjq.Must(m.Methods(context.Background(), mjq.RelErr(0.005)))
	fmt.Println("Dominated:", t.Columns[2].Cells[1])
	fmt.Println("Forward:", t.Columns[4].Cells[5], t.Columns[3].Values[5].Value > 0)
	// Output:
	// Dominated: the load of the dominating queue, in which every job takes all servers, is λ E[σ] = 1.842; it must be below 1; use Certified(1e-6) or Backward, or a rate below 0.760052
	// Forward: Sample().Forward().Jobs(240000).CloseControlVariates() true
}

// With nothing but a target, Sample takes the quickest sampler and says which.
func ExampleRelErr() {
	m := mjq.FiveClassExponential().Poisson(1.4)
	r := mjq.Must(m.Solve(context.Background(), mjq.RelErr(0.05)))
	fmt.Println("within 5 %:", r.Run.Met)
	fmt.Println(r.Notes[len(r.Notes)-1])
	// Output:
	// within 5 %: true
	// The sampler was chosen for the target: Sample().Forward().Jobs(18000).ControlVariates() gives the same.
}
