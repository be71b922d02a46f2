package loss

// Goal bounds a weighted sum of the shares of jobs that are turned away, by class: of a class
// alone, or with the shares of the classes as weights of all jobs.
type Goal struct {
	Weights []float64
	Most    float64
}

// Fewest is the smallest number of servers, from a least to a most, at which all goals are met;
// found says whether there is one. It is one pass of the recursion: the law of each number of
// servers is that of the larger ones cut off. Classes are Poisson, and jobs come one by one.
// Shares are lost to rounding below 1e-13.
func Fewest(classes []Class, goals []Goal, least, most int) (servers int, found bool) {
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
		for k := range classes {
			windows[k] += r.q[s]
			if old := s - classes[k].Needs[0]; old >= 0 {
				windows[k] = max(0, windows[k]-r.q[old])
			}
		}
		if s >= least && met(goals, windows, total) {
			return s, true
		}
	}
	return 0, false
}

func met(goals []Goal, windows []float64, total float64) bool {
	for _, g := range goals {
		sum := 0.0
		for k, w := range g.Weights {
			sum += w * windows[k]
		}
		if sum > g.Most*total {
			return false
		}
	}
	return true
}
