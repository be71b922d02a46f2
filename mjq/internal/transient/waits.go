package transient

import "context"

// waits are the first two moments of the wait of a job of a class that arrives in each
// state. First come first served they do not depend on later arrivals: a wait is the first
// passage, by services alone, to a state in which the job does not wait.
type waits struct{ mean, square []float64 }

// waits solves for all classes.
func (c *queue) waits(ctx context.Context, bytes float64) ([]waits, error) {
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
	var out []waits
	for k := range c.Classes {
		out = append(out, waits{f[2*k], f[2*k+1]})
	}
	return out, nil
}

// waitsIn says whether a job of a class that arrives in a state has to wait.
func (c *queue) waitsIn(class int, i int32) bool {
	s := c.States[i]
	return s.head >= 0 || c.Classes[class].Need > c.free(s)
}
