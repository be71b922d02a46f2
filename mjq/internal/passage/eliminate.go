package passage

import "context"

// block is a set of states that lead back to one another. Its matrix of rates is kept as a
// band: rows[i] holds the columns from i-wide to i+wide.
type block struct {
	states []int32
	wide   int
	rows   [][]float64
	leave  []float64 // rates out of the set, those of stopping included
	out    []float64 // rates of leaving a state for those before it or the set
}

// together solves a set of states that lead back to one another.
func (c *Chain) together(ctx context.Context, bytes float64, set []int32, f [][]float64, reward Reward) error {
	b, err := c.block(set, bytes)
	if err != nil {
		return err
	}
	if err := b.eliminate(ctx); err != nil {
		return err
	}
	gain := make([]float64, len(b.states))
	inside := make(map[int32]bool, len(b.states))
	for _, i := range b.states {
		inside[i] = true
	}
	for k := range f {
		for at, i := range b.states {
			gain[at] = reward(k, int(i), f)
			for _, m := range c.Moves[i] {
				if !inside[m.To] {
					gain[at] += m.Rate * f[k][m.To]
				}
			}
		}
		b.solve(gain)
		for at, i := range b.states {
			f[k][i] = gain[at]
		}
	}
	return nil
}

// block makes the matrix.
func (c *Chain) block(set []int32, bytes float64) (*block, error) {
	b := &block{states: c.narrow(set)}
	n := len(b.states)
	place := make(map[int32]int, n)
	for at, i := range b.states {
		place[i] = at
	}
	for at, i := range b.states {
		for _, m := range c.Moves[i] {
			if to, inside := place[m.To]; inside {
				b.wide = max(b.wide, at-to, to-at)
			}
		}
	}
	if takes := 8 * float64(n) * float64(2*b.wide+1); takes > bytes {
		return nil, &TooLarge{float64(n), takes, bytes}
	}
	b.rows, b.leave, b.out = make([][]float64, n), make([]float64, n), make([]float64, n)
	for at, i := range b.states {
		b.rows[at] = make([]float64, 2*b.wide+1)
		b.leave[at] = c.Stop[i]
		for _, m := range c.Moves[i] {
			switch to, inside := place[m.To]; {
			case !inside:
				b.leave[at] += m.Rate
			case to != at:
				b.rows[at][to-at+b.wide] += m.Rate
			}
		}
	}
	return b, nil
}

// eliminate takes the last state out of the set again and again: moves through it become
// moves past it. What is left of a column below the diagonal are the shares of a state that
// go to those before it.
func (b *block) eliminate(ctx context.Context) error {
	since := 0
	for i := len(b.states) - 1; i >= 0; i-- {
		if since += b.wide * b.wide; since > 1<<20 {
			if since = 0; ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		past := b.rows[i][max(0, b.wide-i):b.wide] // columns from first to i-1
		first := max(0, i-b.wide)
		b.out[i] = b.leave[i]
		for _, rate := range past {
			b.out[i] += rate
		}
		if b.out[i] == 0 {
			return &Endless{int(b.states[i])}
		}
		for j := first; j < i; j++ {
			share := b.rows[j][i-j+b.wide] / b.out[i]
			if share == 0 {
				continue
			}
			b.rows[j][i-j+b.wide] = share
			b.leave[j] += share * b.leave[i]
			row := b.rows[j][first-j+b.wide:]
			for k, rate := range past {
				row[k] += share * rate
			}
		}
	}
	return nil
}

// solve puts the solution for what each state gains in its place.
func (b *block) solve(gain []float64) {
	for i := len(gain) - 1; i >= 0; i-- {
		for j := max(0, i-b.wide); j < i; j++ {
			gain[j] += b.rows[j][i-j+b.wide] * gain[i]
		}
	}
	for i := range gain {
		for j := max(0, i-b.wide); j < i; j++ {
			gain[i] += b.rows[i][j-i+b.wide] * gain[j]
		}
		gain[i] /= b.out[i]
	}
}
