package saturated

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/mam"
)

// gth is the stationary distribution of the jump chain by elimination without
// subtraction, which keeps every digit: 2n³/3 operations for n states.
func (c *Chain) gth(ctx context.Context) ([]float64, error) {
	n := c.States()
	p := mat.NewDense(n, n, nil)
	unit := make([]float64, n)
	for i := range n {
		unit[i] = 1
		c.jump(ctx, unit, p.RawRowView(i))
		unit[i] = 0
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return mam.GTHContext(ctx, p)
}
