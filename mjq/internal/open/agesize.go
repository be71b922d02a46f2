package open

import "github.com/mjqueue/mjq/mjq/internal/states"

// SizeOfAges is the size of SolveAges, at most, and of SolveCounts along with it
// where no class is marked; found by counting.
func SizeOfAges(x *states.Index, a states.Arrivals) Size {
	nodes := 0.0
	for u := 0; u <= x.Servers; u++ {
		nodes += float64(x.Count(u))
	}
	m := float64(len(a.D0))
	up, down, singles, open := 0.0, nodes*m, m, true
	seen := map[age]bool{}
	for _, e := range a.Events {
		open = open && e.Class == states.Open
		blocked := blockedBy(x, e.Class)
		for _, row := range e.Rates {
			for j, rate := range row {
				for more := range e.Size {
					if s := (age{0, e.Class, j, more}); rate > 0 && !seen[s] {
						seen[s] = true
						up += blocked
						singles += float64(min(more, 1))
					}
				}
			}
		}
	}
	n := up + down
	z := Size{Phases: int(min(n, 1<<62)), Bytes: 60 * n * n, Flops: (3 + 3.2*doublings) * n * n * n}
	if open {
		counts := sizeOf(x, singles)
		z.Bytes += 3 * counts.Bytes
		z.Flops += 2 * counts.Flops
	}
	return z
}

// blockedBy is the number of multisets beside which some job of a class, or of any
// if it is open, does not fit.
func blockedBy(x *states.Index, class int) (n float64) {
	widest := x.Widest()
	if class != states.Open {
		widest = x.Plan.Kinds[x.Of[class]].Need
	}
	for u := max(0, x.Servers-widest+1); u <= x.Servers; u++ {
		n += float64(x.Count(u))
	}
	return n
}
