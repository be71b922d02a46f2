package saturated

import "context"

// gth is the stationary distribution of the jump chain by the elimination of
// Grassmann, Taksar and Heyman, which subtracts nothing and so keeps every
// digit of every entry: 2n³/3 operations for n states.
func (c *Chain) gth(ctx context.Context) []float64 {
	n := c.States()
	p := make([][]float64, n)
	unit := make([]float64, n)
	for i := range p {
		p[i] = make([]float64, n)
		unit[i] = 1
		c.jump(ctx, unit, p[i])
		unit[i] = 0
	}
	for k := n - 1; k > 0; k-- {
		row, out := p[k][:k], 0.0
		for _, v := range row {
			out += v
		}
		for _, into := range p[:k] {
			into[k] /= out
			if f := into[k]; f != 0 {
				for j, v := range row {
					into[j] += f * v
				}
			}
		}
	}
	y := make([]float64, n)
	y[0] = 1
	sum := 1.0
	for k := 1; k < n; k++ {
		for i := range k {
			y[k] += y[i] * p[i][k]
		}
		sum += y[k]
	}
	for i := range y {
		y[i] /= sum
	}
	return y
}
