package trace_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/trace"
)

// The partitions debug and batch share eight servers. Jobs of debug may hold four of them, and no
// user more than six.
func ExampleLimit() {
	log := trace.New("shared", []trace.Job{
		{Arrival: 0, Need: 4, Service: 3600, Class: "debug", User: "ann"},
		{Arrival: 10, Need: 4, Service: 3600, Class: "debug", User: "bob"}, // debug is full
		{Arrival: 20, Need: 4, Service: 3600, Class: "batch", User: "ann"}, // ann holds four
		{Arrival: 30, Need: 2, Service: 3600, Class: "batch", User: "cem"},
	})
	r, err := log.Replay(context.Background(), trace.Replay{Servers: 8, Classes: trace.ByClass, Limits: []trace.Limit{
		{By: trace.EachClass, Name: "debug", Servers: 4},
		{By: trace.EachUser, Servers: 6},
	}}, mjq.NoCache())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range r.Classes {
		fmt.Printf("%s: mean wait %.0f s\n", c.Name, c.Waiting.Mean.Value)
	}
	// Output:
	// batch/2: mean wait 0 s
	// batch/4: mean wait 3610 s
	// debug/4: mean wait 1795 s
}
