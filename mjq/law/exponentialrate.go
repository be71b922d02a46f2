package law

import "math"

// mostCompared is the most phases of which ExponentialRate looks whether all end at one rate.
const mostCompared = 100

// ExponentialRate is the rate of a law that is exponential, in whatever way it is written:
// [Memoryless], or phase-type with all phases left for good at one rate.
func ExponentialRate(l Law) (rate float64, ok bool) {
	if rate, ok = MemorylessRate(l); ok {
		return rate, true
	}
	if n, ok := PhaseCount(l); !ok || n > mostCompared {
		return 0, false
	}
	alpha, a, ok := Phases(l)
	if !ok {
		return 0, false
	}
	started := 0.0
	for i, row := range a {
		exit := 0.0
		for _, r := range row {
			exit -= r
		}
		if i == 0 {
			rate = exit
		}
		if !(math.Abs(exit-rate) <= 1e-13*math.Abs(row[i])) {
			return 0, false
		}
		started += alpha[i]
	}
	return rate, math.Abs(started-1) <= 1e-13 && rate > 0
}
