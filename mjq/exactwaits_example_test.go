package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

func ExampleSampleQuery_Dominated() {
	m := mjq.Must(mjq.Servers(2).
		Poisson(2).
		Class("one", 1, 0.5, mjq.ExpRate(4)).
		Class("two", 2, 0.5, mjq.ExpRate(4)).
		Build())
	q := m.Sample().Dominated().N(50_000).Seed(7)
	r := mjq.Must(q.Run(context.Background()))
	exact := mjq.Must(mjq.BrillGreen(1, 1, 4))
	fmt.Printf("a sample takes %.0f jobs on average\n", q.Cost())
	fmt.Printf("class two waits %.3f, we say so: %v\n", exact.MeanWaiting2(), r.Class("two").Waiting.Mean.Covers(exact.MeanWaiting2()))
	// Output:
	// a sample takes 2 jobs on average
	// class two waits 0.204, we say so: true
}

func ExampleBrillGreen() {
	q := mjq.Must(mjq.BrillGreen(1, 1, 4))
	for _, x := range []float64{0, 1, 3} {
		fmt.Printf("P(W > %v) = %.10f for one server, %.10f for two\n", x, q.Waiting1(x), q.Waiting2(x))
	}
	// Output:
	// P(W > 0) = 0.3367542031 for one server, 0.4710819323 for two
	// P(W > 1) = 0.0339350039 for one server, 0.0464110551 for two
	// P(W > 3) = 0.0003326320 for one server, 0.0004497813 for two
}

func ExampleMPareto1() {
	q := mjq.Must(mjq.MPareto1(mjq.ParetoStream{Rate: 2.25, Shape: 3.5, Scale: 1}))
	fmt.Printf("load %.1f, mean wait %.4f\n", q.Load, q.MeanWaiting())
	for _, x := range []float64{1, 10, 100} {
		fmt.Printf("P(W > %v) = %.8g\n", x, q.Waiting(x))
	}
	// Output:
	// load 0.9, mean wait 6.0000
	// P(W > 1) = 0.73914445
	// P(W > 10) = 0.19832749
	// P(W > 100) = 0.00013367966
}
