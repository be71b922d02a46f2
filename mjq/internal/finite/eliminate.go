package finite

import "context"

// band is the matrix of rates, of which each row holds the columns of the layers that
// elimination can fill.
type band struct {
	rows  [][]float64
	first []int // by row, its first column
}

// reach is how many layers a move goes up and down at most.
func (x *explored) reach() (up, down int) {
	for i, moves := range x.moves {
		for _, m := range moves {
			d := x.layer[m.to] - x.layer[i]
			up, down = max(up, d), max(down, -d)
		}
	}
	return up, down
}

// bounds are the columns that row i can have.
func (x *explored) bounds(i, up, down int) (from, to int) {
	layers := len(x.starts) - 1
	return x.starts[max(0, x.layer[i]-down)], x.starts[min(layers, x.layer[i]+up+1)]
}

// eliminate is the method of Grassmann, Taksar and Heyman (Operations Research 33, 1985):
// the last state is taken out of the chain again and again, whose moves through it become
// moves past it. Nothing is subtracted, so that every probability has a small relative error.
func (x *explored) eliminate(ctx context.Context, most Limits) ([]float64, error) {
	n := len(x.states)
	up, down := x.reach()
	size := TooLarge{States: float64(n)}
	for i := range n {
		from, to := x.bounds(i, up, down)
		size.Bytes += 8 * float64(to-from)
		size.Flops += 2 * float64(i-x.starts[max(0, x.layer[i]-up)]) * float64(i-from)
	}
	if size.Bytes > most.Bytes || size.Flops > most.Flops {
		return nil, &size
	}
	b := x.band(up, down)
	out := make([]float64, n)
	for i := n - 1; i > 0; i-- {
		if i%64 == 0 {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if most.ReportSolving != nil {
				most.ReportSolving(1 - float64(i)/float64(n))
			}
		}
		past := b.rows[i][:i-b.first[i]]
		for _, rate := range past {
			out[i] += rate
		}
		if out[i] == 0 {
			return nil, errAbsorbing
		}
		for j := x.starts[max(0, x.layer[i]-up)]; j < i; j++ {
			row := b.rows[j]
			if through := row[i-b.first[j]]; through > 0 {
				axpy(through/out[i], past, row[b.first[i]-b.first[j]:])
			}
		}
	}
	return x.substitute(b, out, up), nil
}

// band puts the rates into rows.
func (x *explored) band(up, down int) *band {
	b := &band{make([][]float64, len(x.states)), make([]int, len(x.states))}
	for i := range b.rows {
		from, to := x.bounds(i, up, down)
		b.first[i], b.rows[i] = from, make([]float64, to-from)
		for _, m := range x.moves[i] {
			b.rows[i][int(m.to)-from] += m.rate
		}
	}
	return b
}

// axpy adds a times x to y.
func axpy(a float64, x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += a * v
	}
}

// substitute finds the probabilities from the first state on.
func (x *explored) substitute(b *band, out []float64, up int) []float64 {
	p := make([]float64, len(x.states))
	p[0] = 1
	total := 1.0
	for i := 1; i < len(p); i++ {
		for j := x.starts[max(0, x.layer[i]-up)]; j < i; j++ {
			p[i] += p[j] * b.rows[j][i-b.first[j]]
		}
		p[i] /= out[i]
		total += p[i]
		if total > 1e250 {
			for j := range p[:i+1] {
				p[j] *= 1e-250
			}
			total *= 1e-250
		}
	}
	for i := range p {
		p[i] /= total
	}
	return p
}
