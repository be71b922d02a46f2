package chain

import "context"

// band is rates between states in a row, of which each row holds the columns that
// elimination can fill.
type band struct {
	rows       [][]float64
	first, top []int     // by row its first column, and by column the first row that holds it; neither descends
	leave      []float64 // by row, the rate out of all columns
	out        []float64 // rates of leaving a state for those before it or out of all
}

// newBand has so many rows; bounds gives the first column of a row, and one more than its last.
// The first row that holds a column is found from these.
func newBand(n int, bounds func(i int) (from, to int)) *band {
	b := &band{make([][]float64, n), make([]int, n), make([]int, n), make([]float64, n), make([]float64, n)}
	next := 0 // column
	for i := range n {
		from, to := bounds(i)
		b.first[i], b.rows[i] = from, make([]float64, to-from)
		for ; next < to; next++ {
			b.top[next] = i
		}
	}
	return b
}

// add adds a rate.
func (b *band) add(i, j int, rate float64) { b.rows[i][j-b.first[i]] += rate }

// eliminate is the method of Grassmann, Taksar and Heyman (Operations Research 33, 1985): the
// last state is taken out again and again, down to a given one, and moves through it become
// moves past it. Above the diagonal, a column then holds the share of each state before it that
// goes there. Nothing is subtracted, so that every number has a small relative
// error. It returns the place of a state that is never left, or -1.
func (b *band) eliminate(ctx context.Context, to int, report func(part float64)) (stuck int, err error) {
	since, n := 0, len(b.rows)
	for i := n - 1; i >= to; i-- {
		past := b.rows[i][:i-b.first[i]]
		if since += 1 + len(past)*(i-b.top[i]); since > 1<<20 {
			since = 0
			if ctx.Err() != nil {
				return -1, context.Cause(ctx)
			}
			if report != nil {
				report(1 - float64(i)/float64(n))
			}
		}
		b.out[i] = b.leave[i]
		for _, rate := range past {
			b.out[i] += rate
		}
		if b.out[i] == 0 {
			return i, nil
		}
		for j := b.top[i]; j < i; j++ {
			row := b.rows[j]
			through := row[i-b.first[j]]
			if through == 0 {
				continue
			}
			share := through / b.out[i]
			row[i-b.first[j]] = share
			b.leave[j] += share * b.leave[i]
			axpy(share, past, row[b.first[i]-b.first[j]:])
		}
	}
	return -1, nil
}

// axpy adds a times x to y.
func axpy(a float64, x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += a * v
	}
}

// law is the stationary law by place, once all but the first state have been eliminated.
func (b *band) law() []float64 {
	p := make([]float64, len(b.rows))
	p[0] = 1
	total := 1.0
	for i := 1; i < len(p); i++ {
		for j := b.top[i]; j < i; j++ {
			p[i] += p[j] * b.rows[j][i-b.first[j]]
		}
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

// solve puts what is gained from each state on in the place of what it gains in a unit of
// time, once all states have been eliminated.
func (b *band) solve(gain []float64) {
	for i := len(gain) - 1; i >= 0; i-- {
		for j := b.top[i]; j < i; j++ {
			gain[j] += b.rows[j][i-b.first[j]] * gain[i]
		}
	}
	for i := range gain {
		for k, rate := range b.rows[i][:i-b.first[i]] {
			gain[i] += rate * gain[b.first[i]+k]
		}
		gain[i] /= b.out[i]
	}
}
