package mjq

import (
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/closed"
)

// BrillGreenQueue is the solved queue of two servers with exponential services
// of one rate; see BrillGreen.
type BrillGreenQueue = closed.BrillGreen

// BrillGreen solves the queue with two servers, Poisson arrivals of jobs that
// need one server (rate lambda1) or both (rate lambda2), and exponential
// services of rate mu for all: P(W > x) of each class is a sum of three
// exponentials (Brill and Green, Management Science 30, 1984; Figure 1 of
// Golovin's paper has rates 1, 1 and 4). Waiting1, Waiting2 and Waiting give the
// tails of class 1, class 2 and any job, to about 1e-12; Rates, Weights1 and
// Weights2 the exponentials.
//
// The error names every rate that is not positive and finite, or the stability
// limit 2μ/(4p2 - 2p2² + p1²), pk being the share of class k, when the arrival
// rate reaches it. Cost: microseconds.
func BrillGreen(lambda1, lambda2, mu float64) (*BrillGreenQueue, error) {
	q, err := closed.NewBrillGreen(lambda1, lambda2, mu)
	if err != nil {
		return nil, fmt.Errorf("mjq: the Brill–Green queue: %w", err)
	}
	return q, nil
}

// ParetoStream is a Poisson stream of jobs of the given rate with the services
// of Lomax(Shape, Scale); see MPareto1.
type ParetoStream = closed.ParetoStream

// MPareto1Queue is the solved single-server queue with Pareto services; see
// MPareto1.
type MPareto1Queue = closed.ParetoServer

// MPareto1 solves the single-server queue M/G/1, first come first served, fed by
// streams of jobs with Pareto services of type II. Waiting gives P(W > x) to
// about 1e-11 of itself, as far into the tail as one likes: equation (15) of
// Golovin's paper (Ramsay, Queueing Systems 57, 2007) for one stream, whole
// shapes and others alike, and its extension to a mixture.
//
// It is the queue that bounds a multiserver-job queue in which every job takes
// all servers. Shapes must lie above 1 and the load below 1; the error names
// every fault. Cost: some ten milliseconds once, then some ten microseconds an x.
func MPareto1(streams ...ParetoStream) (*MPareto1Queue, error) {
	q, err := closed.NewParetoServer(streams...)
	if err != nil {
		return nil, fmt.Errorf("mjq: the M/Pareto/1 queue: %w", err)
	}
	return q, nil
}
