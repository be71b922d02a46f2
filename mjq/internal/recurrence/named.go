package recurrence

import (
	"cmp"
	"slices"
)

// Named is the workload of a queue whose servers have identities: a vector that
// is never sorted, in absolute time. A job takes the servers that it names and,
// besides, any others that are free soonest, equally free ones from the first
// on. It follows equation (14) of Baccelli, Olliaro, Ajmone Marsan and Marin
// (Section 9.1) with identities in place of positions in the ordered vector.
//
// By default every server is lifted to the start of the job, so that no later
// job starts before an earlier one; AsPrinted lifts only those that it takes,
// as the paper does. AsPrinted with jobs that name all their servers is random
// assignment (Appendix A): a first-come first-served line at every server.
//
// The vector grows with what it holds, coordinate by coordinate, only if no job
// takes any servers besides those it names: of two vectors with (0, 1) ≤ (2, 1)
// a long job for any server occupies server 1 in the first and server 2 in the
// second. Positions has no such defect.
type Named struct {
	AsPrinted bool
	release   []float64
	front     float64
	last      float64
	taken     []bool
	spare     []int32
}

// NewNamed is an empty system of s servers at time 0.
func NewNamed(servers int) *Named {
	return &Named{release: make([]float64, servers), taken: make([]bool, servers), spare: make([]int32, 0, servers)}
}

// Reset empties the system at time t.
func (v *Named) Reset(t float64) {
	for i := range v.release {
		v.release[i] = t
	}
	v.front, v.last = t, t
}

func (v *Named) floor(t float64) float64 {
	if v.AsPrinted {
		return t
	}
	return max(t, v.front)
}

// Step lets a job arrive at time t that takes the named servers, numbered from
// 0 and distinct, and any others besides, for the given service time. It
// returns the start of service and the server-time that stood idle for it: of
// all servers while it was the first to wait or, AsPrinted, of those that it
// gathered. O(named) AsPrinted without others, else O(s log s).
func (v *Named) Step(t float64, named []int32, others int32, service float64) (start, waste float64) {
	floor := v.floor(t)
	chosen, start := v.choose(floor, named, others)
	waste = v.idle(floor, start, named, chosen)
	release := start + service
	for _, i := range named {
		v.release[i] = release
	}
	for _, i := range chosen {
		v.release[i] = release
	}
	v.front, v.last = max(v.front, start), max(v.last, release)
	return start, waste
}

// Probe is Step for a job that only looks.
func (v *Named) Probe(t float64, named []int32, others int32) (start, waste float64) {
	floor := v.floor(t)
	chosen, start := v.choose(floor, named, others)
	return start, v.idle(floor, start, named, chosen)
}

// choose finds the others and Ŵ, the time when all are free.
func (v *Named) choose(floor float64, named []int32, others int32) (chosen []int32, start float64) {
	start = floor
	for _, i := range named {
		start = max(start, v.release[i])
	}
	if others == 0 {
		return nil, start
	}
	for _, i := range named {
		v.taken[i] = true
	}
	v.spare = v.spare[:0]
	for i := range v.release {
		if !v.taken[i] {
			v.spare = append(v.spare, int32(i))
		}
	}
	for _, i := range named {
		v.taken[i] = false
	}
	slices.SortStableFunc(v.spare, func(a, b int32) int {
		return cmp.Compare(max(floor, v.release[a]), max(floor, v.release[b]))
	})
	chosen = v.spare[:others]
	return chosen, max(start, v.release[chosen[others-1]])
}

func (v *Named) idle(floor, start float64, named, chosen []int32) (idle float64) {
	if !v.AsPrinted {
		for _, at := range v.release {
			idle += max(0, start-max(floor, at))
		}
		return idle
	}
	for _, i := range named {
		idle += start - max(floor, v.release[i])
	}
	for _, i := range chosen {
		idle += start - max(floor, v.release[i])
	}
	return idle
}

// Coordinates appends the vector at time t to dst, server by server.
func (v *Named) Coordinates(dst []float64, t float64) []float64 {
	floor := v.floor(t)
	for _, at := range v.release {
		dst = append(dst, max(floor, at)-t)
	}
	return dst
}

// Mark is a sum of the coordinates at time t in which every server has a weight of its
// own: two systems of the same total work may hold it on different servers.
func (v *Named) Mark(t float64) (sum float64) {
	floor := v.floor(t)
	for i, at := range v.release {
		sum += float64(i+1) * (max(floor, at) - t)
	}
	return sum
}

// Work is the sum of all coordinates at time t. O(s).
func (v *Named) Work(t float64) (sum float64) {
	floor := v.floor(t)
	for _, at := range v.release {
		sum += max(floor, at) - t
	}
	return sum
}

// Top is the latest release of any server: the height of the pile.
func (v *Named) Top() float64 { return v.last }

// Front is a time before which no later job of the saturated system starts.
// O(s) AsPrinted.
func (v *Named) Front() float64 {
	if v.AsPrinted {
		return slices.Min(v.release)
	}
	return v.front
}

// Shift moves the origin of time to by; see Runs.Shift. O(s).
func (v *Named) Shift(by float64) {
	for i := range v.release {
		v.release[i] = max(0, v.release[i]-by)
	}
	v.front, v.last = max(0, v.front-by), max(0, v.last-by)
}
