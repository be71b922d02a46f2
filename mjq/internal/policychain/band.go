package policychain

import "context"

// band is a matrix whose entries lie within width of the diagonal, by rows.
type band struct {
	n, width int
	rows     []float64 // 2 width + 1 of each
}

func newBand(n, width int) *band {
	return &band{n, width, make([]float64, n*(2*width+1))}
}

// add adds to an entry.
func (b *band) add(i, j int, v float64) { b.rows[i*(2*b.width+1)+j-i+b.width] += v }

// solve solves for x in place of the right side, and spends the matrix. It does not
// change rows, which an M-matrix does not need, and reports whether it was one: whether
// all pivots are positive. It fails with the error of ctx. Cost: 2 n width² operations.
func (b *band) solve(ctx context.Context, x []float64) (bool, error) {
	w, full := b.width, 2*b.width+1
	for k := range b.n {
		if k%256 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		pivot := b.rows[k*full : (k+1)*full]
		if !(pivot[w] > 0) {
			return false, nil
		}
		most := min(w, b.n-1-k)
		for d := 1; d <= most; d++ {
			row := b.rows[(k+d)*full : (k+d+1)*full]
			f := row[w-d] / pivot[w]
			if f == 0 {
				continue
			}
			target, source := row[w-d+1:w-d+1+most], pivot[w+1:w+1+most]
			for j, v := range source {
				target[j] -= f * v
			}
			x[k+d] -= f * x[k]
		}
	}
	for k := b.n - 1; k >= 0; k-- {
		row := b.rows[k*full : (k+1)*full]
		for d := 1; d <= min(w, b.n-1-k); d++ {
			x[k] -= row[w+d] * x[k+d]
		}
		x[k] /= row[w]
	}
	return true, nil
}
