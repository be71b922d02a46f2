package divisible

import "math"

// Moments are the stationary means that the note's Section II asks for, and
// what their split by classes needs. Nq is the number of jobs in line, K the
// number of them behind the head (Nq - 1, or 0 when the line is empty).
type Moments struct {
	Jobs       float64   // E[N]
	Line       float64   // E[Nq]
	LineSquare float64   // E[Nq²]
	Low        float64   // the part of E[Nq²] of levels n ≤ M, M the most jobs in service
	Used       float64   // mean amount of the resource held
	Blocked    float64   // mean amount not held while a job waits
	Waiting    []float64 // P(a job of the class is at the head), by class
	Behind     []float64 // E[K; a job of the class is at the head], by class
	BehindTwo  float64   // E[K(K-1)]
}

// Moments sums over the levels, the levels beyond the last as geometric series.
func (o *Open) Moments() *Moments {
	classes := len(o.space.res.Classes)
	m := &Moments{Waiting: make([]float64, classes), Behind: make([]float64, classes)}
	prob := o.levelProbs()
	for n, l := range o.levels {
		for i, x := range l.p {
			if x > 0 {
				o.add(m, i, n, series{prob[n] * x, 0, 0})
			}
		}
		if n == o.most {
			m.Low = m.LineSquare
		}
	}
	last := o.Levels()
	eta := o.limit.Arrivals / o.limit.Rate
	for i, x := range o.limit.P {
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
func (o *Open) add(m *Moments, i, n int, w series) {
	m.Jobs += float64(n)*w.zero + w.one
	if i >= o.space.Len() {
		m.Used += w.zero * o.space.res.used(o.empty[i-o.space.Len()])
		return
	}
	used := o.space.res.used(o.space.counts[i])
	m.Used += w.zero * used
	m.Blocked += w.zero * (o.space.res.Total - used)
	q := float64(n - o.jobs[i])
	m.Line += q*w.zero + w.one
	m.LineSquare += q*q*w.zero + 2*q*w.one + w.two
	k, h := q-1, o.space.head[i]
	m.Waiting[h] += w.zero
	m.Behind[h] += k*w.zero + w.one
	m.BehindTwo += (k*k-k)*w.zero + (2*k-1)*w.one + w.two
}

// levelProbs is p(n) by equation (1), with u(j) in the product where the note
// prints u(n), normalised together with the geometric tail.
func (o *Open) levelProbs() []float64 {
	logs := make([]float64, len(o.levels))
	top := 0.0
	for n := 1; n < len(logs); n++ {
		logs[n] = logs[n-1] + math.Log(o.limit.Arrivals/o.levels[n].u)
		top = max(top, logs[n])
	}
	sum := 0.0
	for n := range logs {
		logs[n] = math.Exp(logs[n] - top)
		sum += logs[n]
	}
	eta := o.limit.Arrivals / o.limit.Rate
	sum += logs[len(logs)-1] * eta / (1 - eta)
	for n := range logs {
		logs[n] /= sum
	}
	return logs
}
