package recurrence

// Typed is the workload of a queue with several types of resources: one ordered
// vector a type, of which a job takes the lowest coordinates of all types at
// one and the same time. It follows equation (15) of Baccelli, Olliaro, Ajmone
// Marsan and Marin (Section 9.2), with one change. There a job lifts only the
// coordinates that it takes, so that a later job of other types may start
// before an earlier one, although the discipline is meant to be first come
// first served. Here, as in their equation (2), the vectors of all types are
// lifted to the start; AsPrinted keeps the published recursion.
//
// Vectors are kept as runs (see Runs), so that a step costs O(runs) and does
// not depend on the number of units.
type Typed struct {
	AsPrinted bool
	pools     []*Runs
	front     float64
}

// NewTyped is an empty system with that many units of every type.
func NewTyped(units []int) *Typed {
	y := &Typed{}
	for _, s := range units {
		y.pools = append(y.pools, NewRuns(s))
	}
	return y
}

// Reset empties the system at time t.
func (y *Typed) Reset(t float64) {
	for _, r := range y.pools {
		r.Reset(t)
	}
	y.front = t
}

// Step lets a job arrive at time t that needs needs[j] units of type j, at least
// one in all, for the given service time. It returns the start of service and adds to
// waste[j] the unit-time of type j that stood idle for this job: of all units
// while it was the first to wait or, AsPrinted, of those that it gathered.
// Arrival times must not decrease.
func (y *Typed) Step(t float64, needs []int32, service float64, waste []float64) (start float64) {
	if y.AsPrinted {
		return y.stepAsPrinted(t, needs, service, waste)
	}
	floor := max(t, y.front)
	start = y.start(floor, needs)
	for j, r := range y.pools {
		waste[j] += r.lift(floor, start)
		r.occupy(needs[j], start+service)
	}
	y.front = start
	return start
}

func (y *Typed) stepAsPrinted(t float64, needs []int32, service float64, waste []float64) (start float64) {
	for _, r := range y.pools {
		r.passed(t)
	}
	start = y.start(t, needs)
	for j, r := range y.pools {
		if need := needs[j]; need > 0 {
			waste[j] += r.pull(t, start, need)
			r.free += need // occupy takes them from the free ones
			r.occupy(need, start+service)
		}
	}
	y.front = max(y.front, start)
	return start
}

// start is W_1^{α_1} ∨ ... ∨ W_T^{α_T} over the types that are needed.
func (y *Typed) start(floor float64, needs []int32) float64 {
	start := floor
	for j, r := range y.pools {
		if needs[j] > 0 {
			start = max(start, r.coordinate(floor, needs[j]-1))
		}
	}
	return start
}

// Probe is Step for a job that only looks: when it would start, and what would
// stand idle for it.
func (y *Typed) Probe(t float64, needs []int32, waste []float64) (start float64) {
	floor := t
	if !y.AsPrinted {
		floor = max(t, y.front)
	}
	start = y.start(floor, needs)
	for j, r := range y.pools {
		if y.AsPrinted {
			waste[j] += r.below(floor, start, needs[j])
		} else {
			waste[j] += r.below(floor, start, r.servers)
		}
	}
	return start
}

// below is Σ (start - W^i)^+ over the lowest count coordinates.
func (r *Runs) below(floor, start float64, count int32) (idle float64) {
	taken := min(count, r.free)
	idle = float64(taken) * (start - floor)
	count -= taken
	for n := len(r.groups) - 1; n >= 0 && count > 0; n-- {
		g := r.groups[n]
		taken = min(count, g.Count)
		idle += float64(taken) * max(0, start-max(floor, g.Release))
		count -= taken
	}
	return idle
}

// Coordinates appends the ordered vector of type j at time t to dst.
func (y *Typed) Coordinates(dst []float64, j int, t float64) []float64 {
	floor := t
	if !y.AsPrinted {
		floor = max(t, y.front)
	}
	return y.pools[j].coordinates(dst, floor, t)
}

func (r *Runs) coordinates(dst []float64, floor, t float64) []float64 {
	for range r.free {
		dst = append(dst, floor-t)
	}
	for n := len(r.groups) - 1; n >= 0; n-- {
		for range r.groups[n].Count {
			dst = append(dst, max(floor, r.groups[n].Release)-t)
		}
	}
	return dst
}

// Work is the sum of all coordinates of all types at time t.
func (y *Typed) Work(t float64) (sum float64) {
	for _, r := range y.pools {
		sum += r.Work(t)
	}
	return sum
}

// Top is the latest release of any unit: the height of the pile.
func (y *Typed) Top() (top float64) {
	for _, r := range y.pools {
		top = max(top, r.Top())
	}
	return top
}

// Heights appends the mean coordinate of every type at time 0.
func (y *Typed) Heights(dst []float64) []float64 {
	for _, r := range y.pools {
		dst = append(dst, r.Work(0)/float64(r.servers))
	}
	return dst
}

// Front is a time before which no later job of the saturated system starts.
func (y *Typed) Front() float64 {
	if !y.AsPrinted {
		return y.front
	}
	low := y.front
	for _, r := range y.pools {
		low = min(low, r.lowest())
	}
	return low
}

// Shift moves the origin of time to by; see Runs.Shift.
func (y *Typed) Shift(by float64) {
	for _, r := range y.pools {
		r.Shift(by)
	}
	y.front = max(0, y.front-by)
}
