package special_test

import (
	"fmt"

	"github.com/mjqueue/mjq/mjq/special"
)

func ExampleOneAndN() {
	s := special.OneAndN{N: 256, BigProb: 0.001, SmallRate: 1, BigRate: 0.025}
	fmt.Printf("stable below %.4f jobs per unit of time\n", s.Throughput())
	fmt.Printf("(1-ρ) E[N] → %.1f\n", s.ScaledQueueLength())
	fmt.Println(special.OneAndN{N: 1, BigProb: 0.001, SmallRate: 1, BigRate: 0}.Err())
	// Output:
	// stable below 20.4481 jobs per unit of time
	// (1-ρ) E[N] → 756.1
	// OneAndN: N = 1: the number of servers must be at least 2, or 1-server and n-server jobs are the same
	// BigRate = 0: the rate of n-server jobs must be positive and finite
}

func ExampleOneAndN_Table() {
	fmt.Print(special.OneAndN{N: 3, BigProb: 0.5, SmallRate: 1, BigRate: 1}.Table())
	// Output:
	// 1-and-n queue: 3 servers, n-server jobs with probability 0.5, rates 1 and 1: throughput 1.17073, balanced
	// 1-server jobs i  steps that admit  steps that complete  completion average  time average     Δ(i)
	//               0             0.25                0.25                 0.5          0.585   -0.0393
	//               1             0.125               0.125                0.25         0.293   -0.210
	//               2             0.125               0.0625               0.125        0.0732   0.205
	//               3             0                   0.0625               0.125        0.0488   1.42
	// The two columns of steps are the transition average; the laws sum to 1 over all states.
}

func ExampleOneAndN_AsymptoticThroughput() {
	for _, n := range []int{100, 10_000, 1_000_000, 100_000_000} {
		s := special.OneAndN{N: n, BigProb: 1 / float64(n), SmallRate: 1, BigRate: 1}
		fmt.Printf("n = %9d, %v: exact %.6g, asymptotic %.6g\n",
			n, s.Regime(), s.Throughput(), s.AsymptoticThroughput(s.Regime()))
	}
	// Output:
	// n =       100, balanced: exact 17.3858, asymptotic 21.7147
	// n =     10000, balanced: exact 965.361, asymptotic 1085.74
	// n =   1000000, balanced: exact 66827, asymptotic 72382.4
	// n = 100000000, balanced: exact 5.11008e+06, asymptotic 5.42868e+06
}

func ExampleOneAndN_Model() {
	fmt.Print(special.OneAndN{N: 4, BigProb: 0.2, SmallRate: 1, BigRate: 2}.Model())
	// Output:
	// FCFS multiserver-job queue: 4 servers, 2 job classes, no arrivals given
	// class  servers  probability  mean service  SCV  service law
	// small        1          0.8           1      1  ExpMean(1)
	// big          4          0.2           0.5    1  ExpMean(0.5)
}

func ExampleBrillGreen() {
	q := special.BrillGreen{Lambda1: 1, Lambda2: 1, Mu: 4}
	for _, x := range []float64{0, 1, 3} {
		fmt.Printf("P(W > %v) = %.10f for one server, %.10f for two\n", x, q.Waiting1(x), q.Waiting2(x))
	}
	// Output:
	// P(W > 0) = 0.3367542031 for one server, 0.4710819323 for two
	// P(W > 1) = 0.0339350039 for one server, 0.0464110551 for two
	// P(W > 3) = 0.0003326320 for one server, 0.0004497813 for two
}

func ExampleMPareto1() {
	q := special.MPareto1{{Rate: 2.25, Shape: 3.5, Scale: 1}}
	fmt.Printf("load %.1f, mean wait %.4f\n", q.Load(), q.MeanWaiting())
	for _, x := range []float64{1, 10, 100} {
		fmt.Printf("P(W > %v) = %.8g\n", x, q.Waiting(x))
	}
	// Output:
	// load 0.9, mean wait 6.0000
	// P(W > 1) = 0.73914445
	// P(W > 10) = 0.19832749
	// P(W > 100) = 0.00013367966
}

func ExampleUnitAssignment() {
	fmt.Println(special.UnitAssignment{N: 2, BigProb: 0.5})
	// Output: stable below λ = 1.2 first come first served, below 1.11815 under random assignment: a ratio of 1.07321 (1.34151 as printed)
}
