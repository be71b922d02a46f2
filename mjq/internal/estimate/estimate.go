// Package estimate turns observations into numbers with intervals. It works
// in constant memory, and what it accumulates can be merged, in a fixed order,
// to the same bits however the work was shared out.
package estimate

import "github.com/mjqueue/mjq/mjq/result"

// OfReplications is the mean of independent replications with its Student
// interval. One replication has no interval.
func OfReplications(values []float64, level float64, method string) result.Estimate {
	n := len(values)
	if n == 0 {
		return result.Unknown()
	}
	var p Pair
	for _, v := range values {
		p.Add(v, 0)
	}
	return p.Mean(level, method)
}
