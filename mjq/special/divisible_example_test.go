package special_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/special"
)

var ctx = context.Background()

// note is the example of the capacity note: a resource of 6 for jobs of 2 and 3.
var note = special.Amount(6).
	Class("small", 2, 0.5, law.ExpMean(0.4)).
	Class("big", 3, 0.5, law.ExpMean(1.6))

func ExampleDivisible() {
	d := special.Amount(1).
		Class("third", 1./3, 0.6, law.ExpMean(1)).
		Class("most", 0.7, 0.4, law.ExpMean(2))
	c, err := d.Capacity(ctx)
	fmt.Println(c, err)
	_, err = d.Class("all", 2, 0.1, law.ExpMean(1)).Capacity(ctx)
	fmt.Println(err)
	// Output:
	// stable below λ = 0.8445945946 jobs per unit of time; 1.31579 without blocking; 0.358108 of the resource unused in saturation <nil>
	// Capacity: Divisible: class 3 "all": need 2 exceeds the total of 1; such a job could never start
	// the class probabilities sum to 1.1, not 1; scale them, or add the class that is missing
}

func ExampleDivisible_Capacity() {
	c, err := note.Capacity(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("λ_c = %.6f = 300/149\n", c.Rate)
	fmt.Println(c.Table())
	// Output:
	// λ_c = 2.013423 = 300/149
	// The saturated queue
	// small in service  big in service  head of line  probability
	//                0               2  big               0.322
	//                0               2  small             0.322
	//                1               1  big               0.161
	//                1               1  small             0.161
	//                2               0  big               0.0201
	//                3               0  big               0.00671
	//                3               0  small             0.00671
	// stable below λ = 2.013422819 jobs per unit of time; 2.14286 without blocking; 0.362416 of the resource unused in saturation
}

func ExampleDivisible_ProcessingRate() {
	for _, lambda := range []float64{1, 300. / 149, 3} {
		p, err := note.ProcessingRate(ctx, lambda)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("λ = %.6f: long lines are served at rate %.6f\n", lambda, p.Rate)
	}
	// Output:
	// λ = 1.000000: long lines are served at rate 1.685052
	// λ = 2.013423: long lines are served at rate 2.013423
	// λ = 3.000000: long lines are served at rate 2.261244
}

func ExampleDivisible_Sojourn() {
	r, err := note.Sojourn(ctx, 1.8)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean response %.4f, P(response > 20) ≤ %.4f\n", r.Response.Mean, r.Response.TailBound(20))
	// Output:
	// mean response 6.4714, P(response > 20) ≤ 0.1933
}

func ExampleDivisible_Model() {
	s, err := special.Amount(1).
		Class("third", 1./3, 0.6, law.ExpMean(1)).
		Class("tenth", 0.1, 0.4, law.ErlangMeanPhases(2, 3)).
		Model()
	fmt.Printf("%v%v\n", s, err)
	// Output:
	// FCFS multiserver-job queue: 30 servers, 2 job classes, no arrivals given
	// class  servers  probability  mean service    SCV  service law
	// third       10          0.6             1  1      ExpMean(1)
	// tenth        3          0.4             2  0.333  ErlangMeanPhases(2, 3)
	// <nil>
}
