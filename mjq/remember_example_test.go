package mjq_test

import (
	"context"
	"fmt"
	"os"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/workload"
)

// What has been computed is there at once the next time, in this program or in the next;
// another seed is another question.
func ExampleCache() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	mjq.Cache(folder)
	defer mjq.Cache("")

	m := workload.FiveClassExponential().Poisson(1.4)
	q := mjq.Backward{Samples: 1000}
	for _, q := range []mjq.Option{q, q, mjq.Options(q, mjq.Seed(8)), mjq.Options(q, mjq.NoCache())} {
		r := mjq.Must(m.Solve(context.Background(), q))
		fmt.Println("remembered:", !r.Run.Remembered.IsZero())
	}
	// Output:
	// remembered: false
	// remembered: true
	// remembered: false
	// remembered: false
}
