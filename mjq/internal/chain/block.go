package chain

import (
	"context"
	"slices"
)

// together solves a set of states that lead back to one another.
func (c *Chain) together(ctx context.Context, bytes float64, set []int32, f [][]float64, reward Reward) error {
	order, place, wide := c.near(set)
	b, err := c.block(order, place, wide, bytes)
	if err != nil {
		return err
	}
	switch stuck, err := b.eliminate(ctx, 0, nil); {
	case err != nil:
		return err
	case stuck >= 0:
		return &Endless{int(order[stuck])}
	}
	gain := make([]float64, len(order))
	for k := range f {
		for at, i := range order {
			gain[at] = reward(k, int(i), f)
			for _, m := range c.Moves[i] {
				if _, inside := place[m.To]; !inside {
					gain[at] += m.Rate * f[k][m.To]
				}
			}
		}
		b.solve(gain)
		for at, i := range order {
			f[k][i] = gain[at]
		}
	}
	return nil
}

// near is a set in an order in which moves lead to states nearby, the place of each, and how
// far they lead: that of their numbers if it is good enough.
func (c *Chain) near(set []int32) (order []int32, place map[int32]int, wide int) {
	order, place = slices.Sorted(slices.Values(set)), make(map[int32]int, len(set))
	for _, last := range []bool{false, true} {
		for at, i := range order {
			place[i] = at
		}
		wide = 0
		for at, i := range order {
			for _, m := range c.Moves[i] {
				if to, inside := place[m.To]; inside {
					wide = max(wide, at-to, to-at)
				}
			}
		}
		if last || wide <= goodEnough {
			break
		}
		order = c.narrow(set)
	}
	return order, place, wide
}

// goodEnough is a width of a band for which no other order is looked for.
const goodEnough = 64

// block is the rates of a set of states in an order.
func (c *Chain) block(order []int32, place map[int32]int, wide int, bytes float64) (*band, error) {
	n := len(order)
	if takes := 8 * float64(n) * float64(2*wide+1); takes > bytes {
		return nil, Large(float64(n), takes, "%.4g states lead back to one another, and to eliminate them takes %.2g MB of the %.2g MB allowed", float64(n), takes/1e6, bytes/1e6)
	}
	b := newBand(n, func(i int) (from, to int) { return max(0, i-wide), min(n, i+wide+1) })
	for at, i := range order {
		b.leave[at] = c.Stop[i]
		for _, m := range c.Moves[i] {
			switch to, inside := place[m.To]; {
			case !inside:
				b.leave[at] += m.Rate
			case to != at:
				b.add(at, to, m.Rate)
			}
		}
	}
	return b, nil
}
