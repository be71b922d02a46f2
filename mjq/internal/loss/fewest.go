package loss

// Fewest is the smallest number of servers at which every class is turned away no more often
// than it may be, at most a number; found says whether there is one. It is one pass of the
// recursion: the law of each number of servers is that of the larger ones cut off. Classes
// are Poisson, with batches of one. Shares are lost to rounding below 1e-13.
func Fewest(classes []Class, may []float64, atLeast, most int) (servers int, found bool) {
	r := newRecursion(classes)
	total, scaled := 1.0, 0
	windows := make([]float64, len(classes)) // Σ q over the last need numbers
	for k := range windows {
		windows[k] = 1
	}
	for s := 1; s <= most; s++ {
		r.to(s)
		if len(r.scaled) > scaled {
			scaled = len(r.scaled)
			total /= huge
			for k := range windows {
				windows[k] /= huge
			}
		}
		total += r.q[s]
		ok := s >= atLeast
		for k, c := range classes {
			windows[k] += r.q[s]
			if old := s - c.Needs[0]; old >= 0 {
				windows[k] = max(0, windows[k]-r.q[old])
			}
			ok = ok && windows[k] <= may[k]*total
		}
		if ok {
			return s, true
		}
	}
	return 0, false
}
