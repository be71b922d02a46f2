package transient

import "math"

// waits are the first two moments of the wait of a job of a class that arrives in each
// state. First come first served they do not depend on later arrivals: with T the time
// to the next event of service, of rate r, E[W] = 1/r + E[W'] and E[W²] = (2/r) E[W] +
// E[W'²]. Services lead to no more jobs than there were, so the states are gone through
// by their number of jobs, those of equal numbers again and again until nothing moves.
type waits struct{ mean, square []float64 }

// waits solves for a class.
func (c *chain) waits(class int, levels [][]int32) waits {
	w := waits{make([]float64, len(c.states)), make([]float64, len(c.states))}
	for _, level := range levels {
		for range mostSweeps {
			moved := 0.0
			for _, i := range level {
				moved = max(moved, c.wait(&w, class, i))
			}
			if moved < 1e-14 {
				break
			}
		}
	}
	return w
}

// mostSweeps through the states of a level; phases that lead on only take as many as
// there are in a row.
const mostSweeps = 10_000

// wait computes the moments of one state anew, and says how much they moved.
func (c *chain) wait(w *waits, class int, i int32) (moved float64) {
	if !c.waitsIn(class, i) {
		return 0
	}
	mean, square := 1.0, 0.0
	for _, e := range c.serve[i] {
		mean += e.rate * w.mean[e.to]
		square += e.rate * w.square[e.to]
	}
	mean /= c.rate[i]
	square = (2*mean + square) / c.rate[i]
	moved = max(math.Abs(mean-w.mean[i])/mean, math.Abs(square-w.square[i])/square)
	w.mean[i], w.square[i] = mean, square
	return moved
}

// waitsIn says whether a job of a class that arrives in a state has to wait.
func (c *chain) waitsIn(class int, i int32) bool {
	s := c.states[i]
	return s.head >= 0 || c.Classes[class].Need > c.free(s)
}

// levels are the states by their number of jobs.
func (c *chain) levels() (levels [][]int32) {
	for i, s := range c.states {
		n := s.running() + s.waiting()
		for len(levels) <= n {
			levels = append(levels, nil)
		}
		levels[n] = append(levels[n], int32(i))
	}
	return levels
}
