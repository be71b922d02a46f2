package recurrence

import "slices"

// Positions is the ordered workload of a queue whose jobs take servers drawn
// uniformly at random besides any others: equation (14) of Baccelli, Olliaro,
// Ajmone Marsan and Marin (Section 9.1) as it stands, the random servers being
// positions in the ordered vector. Since they are drawn without regard to the
// state, the vector has the law of the sorted vector of Named; unlike that one
// it is monotone for all jobs, which coupling from the past needs.
//
// By default every coordinate is lifted to the start of the job, so that no
// later job starts before an earlier one; AsPrinted lifts only those taken.
type Positions struct {
	AsPrinted bool
	pool      *Runs
	sorted    []int32
}

// NewPositions is an empty system of s servers at time 0.
func NewPositions(servers int) *Positions { return &Positions{pool: NewRuns(servers)} }

// Reset empties the system at time t.
func (v *Positions) Reset(t float64) { v.pool.Reset(t) }

func (v *Positions) floor(t float64) float64 {
	if v.AsPrinted {
		return t
	}
	return max(t, v.pool.front)
}

// find is the position i* below which others servers are not among those given
// (all positions up to it are taken), -1 without others, and the highest
// position taken. The positions given, in ascending order, are left in sorted.
func (v *Positions) find(given []int32, others int32) (star, highest int32) {
	v.sorted = append(v.sorted[:0], given...)
	slices.Sort(v.sorted)
	star = others - 1
	for _, p := range v.sorted {
		if p <= star {
			star++
		}
	}
	highest = star
	if n := len(v.sorted); n > 0 {
		highest = max(highest, v.sorted[n-1])
	}
	return star, highest
}

// Step lets a job arrive at time t that takes the given positions, numbered
// from 0 and distinct, and the lowest others besides, for the given service
// time; see Named.Step. O(runs + given log given).
func (v *Positions) Step(t float64, given []int32, others int32, service float64) (start, waste float64) {
	floor, r := v.floor(t), v.pool
	star, highest := v.find(given, others)
	if v.AsPrinted {
		r.passed(t)
		start = r.coordinate(floor, highest)
		waste = v.remove(floor, start, star, true)
		r.free += others + int32(len(given))
	} else {
		start = r.coordinate(floor, highest)
		waste = r.lift(floor, start)
	}
	r.occupy(others+int32(len(given)), start+service)
	return start, waste
}

// Probe is Step for a job that only looks.
func (v *Positions) Probe(t float64, given []int32, others int32) (start, waste float64) {
	floor, r := v.floor(t), v.pool
	star, highest := v.find(given, others)
	start = r.coordinate(floor, highest)
	if v.AsPrinted {
		r.passed(t)
		return start, v.remove(floor, start, star, false)
	}
	return start, r.below(floor, start, r.servers)
}

// remove takes the positions up to star and those of sorted beyond it out of
// the vector and returns their Σ (start - W^i); without really it only looks.
func (v *Positions) remove(floor, start float64, star int32, really bool) (idle float64) {
	r := v.pool
	beyond, _ := slices.BinarySearch(v.sorted, star+1)
	rest := v.sorted[beyond:]
	from := int32(0)
	count := func(upTo int32) int32 {
		n := max(0, min(upTo, star+1)-from)
		for len(rest) > 0 && rest[0] < upTo {
			rest = rest[1:]
			n++
		}
		from = upTo
		return n
	}
	n := count(r.free)
	idle = float64(n) * (start - floor)
	left := r.free - n
	for i := len(r.groups) - 1; i >= 0; i-- {
		g := &r.groups[i]
		n := count(from + g.Count)
		idle += float64(n) * (start - g.Release)
		if really {
			g.Count -= n
		}
	}
	if really {
		r.free = left
		r.groups = r.groups.without()
	}
	return idle
}

// Coordinates appends the ordered vector at time t to dst.
func (v *Positions) Coordinates(dst []float64, t float64) []float64 {
	return v.pool.coordinates(dst, v.floor(t), t)
}

// Work is the sum of all coordinates at time t.
func (v *Positions) Work(t float64) float64 { return v.pool.Work(t) }

// Top is the latest release of any server: the height of the pile.
func (v *Positions) Top() float64 { return v.pool.Top() }

// Front is a time before which no later job of the saturated system starts.
func (v *Positions) Front() float64 {
	if v.AsPrinted {
		return v.pool.lowest()
	}
	return v.pool.front
}

// Shift moves the origin of time to by; see Runs.Shift.
func (v *Positions) Shift(by float64) { v.pool.Shift(by) }
