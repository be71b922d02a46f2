package chain

import "context"

// Reward is what the k-th quantity gains in a state in a unit of time. It may read the
// quantities before it, before[j][state] for j < k, at this state.
type Reward func(k, state int, before [][]float64) float64

// Passage finds n quantities f of the time until the chain stops, each with
// (stop + Σ rate) f = reward + Σ rate f(next): with the reward 1 the mean of that time, with
// the reward 2 f[0] its second moment. States that lead back to one another are solved
// together, by the elimination of Grassmann, Taksar and Heyman (Operations Research 33, 1985),
// all others one after the other, those that a state leads to before it. Nothing is
// subtracted, and nothing is iterated: the relative error of each number is a small multiple
// of the number of eliminated states times the rounding of one operation, however often the
// chain goes round before it stops.
//
// An elimination takes bytes at most. It fails with *TooLarge, with *Endless, and with the
// cause of the end of ctx.
func (c *Chain) Passage(ctx context.Context, bytes float64, n int, reward Reward) ([][]float64, error) {
	f := make([][]float64, n)
	for k := range f {
		f[k] = make([]float64, len(c.Moves))
	}
	since := 0
	for states := range c.classes() {
		if since += len(states); since > 1024 {
			if since = 0; ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
		}
		if len(states) == 1 {
			if err := c.alone(int(states[0]), f, reward); err != nil {
				return nil, err
			}
			continue
		}
		if err := c.together(ctx, bytes, states, f, reward); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// alone solves a state that does not come back.
func (c *Chain) alone(i int, f [][]float64, reward Reward) error {
	out := c.Stop[i]
	for _, m := range c.Moves[i] {
		if int(m.To) != i {
			out += m.Rate
		}
	}
	if out == 0 {
		return &Endless{i}
	}
	for k := range f {
		sum := reward(k, i, f)
		for _, m := range c.Moves[i] {
			if int(m.To) != i {
				sum += m.Rate * f[k][m.To]
			}
		}
		f[k][i] = sum / out
	}
	return nil
}
