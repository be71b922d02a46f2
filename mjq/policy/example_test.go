package policy_test

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/policy"
)

// A policy of one's own: First-Fit, but the last two servers are kept for jobs that
// need more than one.
func ExampleNew() {
	keep := policy.New("keep two", func(v *policy.View) {
		for job := range v.Queue() {
			spare := 0
			if job.Need == 1 {
				spare = 2
			}
			if job.Need+spare <= v.Free {
				v.StartJob(job)
			}
		}
	})
	jobs := []events.Logged{
		{Arrival: 0, Need: 1, Service: 3},
		{Arrival: 0, Need: 1, Service: 3},
		{Arrival: 0, Need: 1, Service: 3}, // two servers are free, and kept
		{Arrival: 1, Need: 2, Service: 1}, // takes them
	}
	run := events.New(compiled.System{Servers: 4, Policy: keep, Needs: []int{1, 2}})
	run.Recorded = func(r *events.Record) { fmt.Printf("job %d from %v to %v\n", r.Number, r.Start, r.End) }
	run.ResetTo(events.Log(jobs), 0)
	run.Until(math.MaxInt64)
	// Output:
	// job 0 from 0 to 3
	// job 1 from 0 to 3
	// job 3 from 1 to 2
	// job 2 from 3 to 6
}

// A stored policy is a JSON object.
func ExampleMarshal() {
	data, err := policy.Marshal(policy.Backfill{Depth: 4}.Estimates(policy.Factor(2)).Kill())
	fmt.Println(string(data), err)
	p, err := policy.Unmarshal(data)
	fmt.Println(p, err)
	// Output:
	// {"policy":"Backfill","depth":4,"estimates":{"rule":"factor","factor":2},"kill":true} <nil>
	// Backfill(4).Estimates(Factor(2)).Kill() <nil>
}
