package mjq_test

import (
	"context"
	"fmt"
	"os"

	"github.com/mjqueue/mjq/mjq"
)

// What has been computed is there at once the next time, in this program or in the next;
// another seed is another question.
func ExampleRemember() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	mjq.Remember(folder)
	defer mjq.Remember("")

	m := mjq.Must(mjq.FiveClassExponential().Poisson(1.4).Build())
	q := m.Sample().Backward().N(1000)
	for _, q := range []mjq.SampleQuery{q, q, q.Seed(8), q.Fresh()} {
		r := mjq.Must(q.Run(context.Background()))
		fmt.Println("remembered:", !r.Run.Remembered.IsZero())
	}
	// Output:
	// remembered: false
	// remembered: true
	// remembered: false
	// remembered: false
}
