package queue

import "context"

// delays are the first two moments of the wait of a job of a class that arrives in each
// state. First come first served they do not depend on later arrivals: a wait is the first
// passage, by services alone, to a state in which the job does not wait.
type delays struct{ mean, square []float64 }

// delays solves for all classes.
func (c *followed) delays(ctx context.Context, bytes float64) ([]delays, error) {
	x := c.Chain
	x.Stop = make([]float64, len(c.States))
	for i, moves := range c.Moves {
		if len(moves) == 0 {
			x.Stop[i] = 1 // nobody is in service
		}
	}
	// A state in which the job does not wait leads to others of the kind only.
	f, err := x.Passage(ctx, bytes, 2*len(c.Classes), func(k, i int, before [][]float64) float64 {
		switch {
		case !c.waitsIn(k/2, int32(i)):
			return 0
		case k%2 == 0:
			return 1
		}
		return 2 * before[k-1][i]
	})
	if err != nil {
		return nil, err
	}
	var out []delays
	for k := range c.Classes {
		out = append(out, delays{f[2*k], f[2*k+1]})
	}
	return out, nil
}

// waitsIn says whether a job of a class that arrives in a state has to wait.
func (c *followed) waitsIn(class int, i int32) bool {
	return c.waiting[i] > 0 || !c.place.Fits(c.States[i].at, class)
}
