// Package special solves queues of multiserver jobs whose structure allows more
// than the general methods of package mjq: closed forms, single integrals, and a
// resource that is divided into amounts instead of servers.
//
//	OneAndN         n servers, jobs of one server and of all n, saturated or not
//	BrillGreen      two servers, one service rate: tails as sums of exponentials
//	MPareto1        one server with Pareto services, as far into the tail as one likes
//	UnitAssignment  first come first served against random assignment, services of 1
//	Divisible       needs that are amounts of a divisible resource
//
// A queue is plain data with named fields, and its formulas are methods that return a
// number at once:
//
//	special.OneAndN{N: 256, BigProb: 0.001, SmallRate: 1, BigRate: 0.025}.Throughput()
//
// Err names everything that is wrong with the parameters, each with its remedy; if there is
// anything, all numbers of the queue are NaN. Longer computations are questions with a context
// and the options of package mjq, whose error includes that of the parameters:
//
//	c, err := special.Amount(6).
//		Class("small", 2, 0.5, law.ExpMean(0.4)).
//		Class("big", 3, 0.5, law.ExpMean(1.6)).
//		Capacity(ctx)
//
// Model is the same queue as a model with servers, for everything else that package mjq
// answers.
//
// Queues are immutable and may be shared by goroutines.
package special
