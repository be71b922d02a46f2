package loss

// huge is where a law in the making is scaled down. What then vanishes is below 1e-300 of
// what has been found.
const huge = 1e290

// alike is the law for one type of servers, not normalised: by the recursion
//
//	j q(j) = Σ_k a_k b_k Σ_l F_k(l) q(j - l b_k),
//
// F_k(l) being the probability that a batch has l jobs or more; without batches l is 1.
func alike(servers int, classes []Class) []float64 {
	r := newRecursion(classes)
	r.to(servers)
	return r.law()
}

// recursion is the law in the making. It may go on to more servers.
type recursion struct {
	classes []Class
	q       []float64
	sums    [][]float64 // by class of geometric batches, Σ_l ratio^(l-1) q(j - l b)
	widest  int         // how far back a step looks
	scaled  []scaling
}

// scaling says that entries from one on are less by the factor 1/huge.
type scaling struct{ from int }

func newRecursion(classes []Class) *recursion {
	r := &recursion{classes: classes, q: []float64{1}, sums: make([][]float64, len(classes))}
	for k, c := range classes {
		back := c.Needs[0]
		switch b := c.Batch; {
		case b != nil && b.Sizes == nil:
			r.sums[k] = []float64{0}
		case b != nil:
			back *= len(b.Sizes)
		}
		r.widest = max(r.widest, back)
	}
	return r
}

// to goes on to so many servers.
func (r *recursion) to(servers int) {
	for j := len(r.q); j <= servers; j++ {
		sum := 0.0
		for k := range r.classes {
			c := &r.classes[k]
			if b := c.Needs[0]; b <= j {
				sum += c.Load * float64(b) * r.before(k, j)
			}
		}
		r.q = append(r.q, sum/float64(j))
		if r.q[j] > huge {
			r.scale(j)
		}
	}
}

// before is Σ_l F_k(l) q(j - l b).
func (r *recursion) before(k, j int) (sum float64) {
	c := &r.classes[k]
	b := c.Needs[0]
	switch {
	case c.Batch == nil:
		return r.q[j-b]
	case c.Batch.Sizes == nil:
		for i := len(r.sums[k]); i <= j; i++ {
			x := 0.0
			if i >= b {
				x = r.q[i-b] + c.Batch.Ratio*r.sums[k][i-b]
			}
			r.sums[k] = append(r.sums[k], x)
		}
		return r.sums[k][j]
	}
	tail := 1.0
	for l, p := range c.Batch.Sizes {
		if at := j - (l+1)*b; at < 0 {
			break
		} else {
			sum += tail * r.q[at]
		}
		tail -= p
	}
	return sum
}

// scale makes the entries small that are still looked at. Those before follow at the end.
func (r *recursion) scale(j int) {
	from := max(0, j-r.widest)
	for i := from; i <= j; i++ {
		r.q[i] /= huge
	}
	for _, s := range r.sums {
		for i := from; i < len(s); i++ {
			s[i] /= huge
		}
	}
	r.scaled = append(r.scaled, scaling{from})
}

// law is what has been found, all in the last scale.
func (r *recursion) law() []float64 {
	q := r.q
	below := len(r.scaled)
	factor := 1.0
	for i := len(q) - 1; i >= 0; i-- {
		for below > 0 && i < r.scaled[below-1].from {
			below--
			factor /= huge
		}
		q[i] *= factor
	}
	return q
}

// typed is the law for several types: j_r q(j) = Σ_k a_k b_kr q(j - b_k) for every type r
// of which a unit is busy.
func (l *Law) typed(classes []Class) []float64 {
	q := make([]float64, int(l.Cells()))
	q[0] = 1
	offsets := make([]int, len(classes))
	for k, c := range classes {
		for r, need := range c.Needs {
			offsets[k] += need * l.steps[r]
		}
	}
	busy := make([]int, len(l.Units))
	for at := 1; at < len(q); at++ {
		l.next(busy)
		r := 0
		for busy[r] == 0 {
			r++
		}
		sum := 0.0
		for k, c := range classes {
			if c.Needs[r] > 0 && within(c.Needs, busy) {
				sum += c.Load * float64(c.Needs[r]) * q[at-offsets[k]]
			}
		}
		q[at] = sum / float64(busy[r])
		if q[at] > huge {
			for i := range q[:at+1] {
				q[i] /= huge
			}
		}
	}
	return q
}

// next is the next combination.
func (l *Law) next(busy []int) {
	for r := len(busy) - 1; ; r-- {
		if busy[r]++; busy[r] <= l.Units[r] {
			return
		}
		busy[r] = 0
	}
}

func within(needs, busy []int) bool {
	for r, need := range needs {
		if need > busy[r] {
			return false
		}
	}
	return true
}
