package trace_test

import (
	"fmt"

	"github.com/mjqueue/mjq/mjq/trace"
)

// Of the jobs of a log two left, and two started before their patience ended.
func ExampleTrace_Patience() {
	log := &trace.Trace{Jobs: []trace.Job{{Waited: 1, WaitKnown: true}, {Waited: 3, WaitKnown: true}},
		Left: []trace.Departure{{Waited: 2}, {Waited: 4}}}
	p, err := log.Patience()
	fmt.Println(p.Longer(2), p.Fit(), err)
	// Output: 0.6666666666666667 ExpMean(5) <nil>
}
