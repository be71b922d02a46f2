package special

import "math"

// lineMeans are the stationary means that the note's Section II asks for, and
// what their split by classes needs. Nq is the number of jobs in line, K the
// number of them behind the head (Nq - 1, or 0 when the line is empty).
type lineMeans struct {
	jobs       float64   // E[N]
	line       float64   // E[Nq]
	lineSquare float64   // E[Nq²]
	low        float64   // the part of E[Nq²] of levels n ≤ M, M the most jobs in service
	used       float64   // mean amount of the resource held
	blocked    float64   // mean amount not held while a job waits
	waiting    []float64 // P(a job of the class is at the head), by class
	behind     []float64 // E[K; a job of the class is at the head], by class
	behindTwo  float64   // E[K(K-1)]
}

// means sums over the levels, the levels beyond the last as geometric series.
func (o *openQueue) means() *lineMeans {
	classes := len(o.space.res.classes)
	m := &lineMeans{waiting: make([]float64, classes), behind: make([]float64, classes)}
	prob := o.levelProbs()
	for n, l := range o.levels {
		for i, x := range l.p {
			if x > 0 {
				o.add(m, i, n, series{prob[n] * x, 0, 0})
			}
		}
		if n == o.most {
			m.low = m.lineSquare
		}
	}
	last := o.last()
	eta := o.limit.arrivals / o.limit.rate
	for i, x := range o.limit.p {
		o.add(m, i, last, geometric(prob[last]*x, eta))
	}
	return m
}

// series is Σ w_j j^k for k = 0, 1, 2 over levels n + j.
type series struct{ zero, one, two float64 }

// geometric is the series of w_j = w η^j for j ≥ 1.
func geometric(w, eta float64) series {
	d := 1 - eta
	return series{w * eta / d, w * eta / (d * d), w * eta * (1 + eta) / (d * d * d)}
}

// add adds phase i with weights w_j at the levels n + j.
func (o *openQueue) add(m *lineMeans, i, n int, w series) {
	m.jobs += float64(n)*w.zero + w.one
	if i >= o.space.len() {
		m.used += w.zero * o.space.res.used(o.empty[i-o.space.len()])
		return
	}
	used := o.space.res.used(o.space.States[i].counts)
	m.used += w.zero * used
	m.blocked += w.zero * (o.space.res.total - used)
	q := float64(n - o.jobs[i])
	m.line += q*w.zero + w.one
	m.lineSquare += q*q*w.zero + 2*q*w.one + w.two
	k, h := q-1, o.space.States[i].head
	m.waiting[h] += w.zero
	m.behind[h] += k*w.zero + w.one
	m.behindTwo += (k*k-k)*w.zero + (2*k-1)*w.one + w.two
}

// levelProbs is p(n) by equation (1), with u(j) in the product where the note
// prints u(n), normalised together with the geometric tail.
func (o *openQueue) levelProbs() []float64 {
	logs := make([]float64, len(o.levels))
	top := 0.0
	for n := 1; n < len(logs); n++ {
		logs[n] = logs[n-1] + math.Log(o.limit.arrivals/o.levels[n].u)
		top = max(top, logs[n])
	}
	sum := 0.0
	for n := range logs {
		logs[n] = math.Exp(logs[n] - top)
		sum += logs[n]
	}
	eta := o.limit.arrivals / o.limit.rate
	sum += logs[len(logs)-1] * eta / (1 - eta)
	for n := range logs {
		logs[n] /= sum
	}
	return logs
}
