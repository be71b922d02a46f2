package failing

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// most is the highest moment that is known in closed form.
const most = 5

// moments are those of a time on an event, from its probability on.
type moments [most + 1]float64

// choose are binomial coefficients.
var choose = [most + 1][most + 1]float64{{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}, {1, 5, 10, 10, 5, 1}}

// lasting are those of a constant time, with a probability.
func lasting(time, probability float64) (m moments) {
	for k := range m {
		m[k], probability = probability, probability*time
	}
	return m
}

// plus are those of the sum of two independent times.
func (m moments) plus(o moments) (sum moments) {
	for k := range sum {
		for j := range k + 1 {
			sum[k] += choose[k][j] * m[k-j] * o[j]
		}
	}
	return sum
}

// add adds those of a time with a weight.
func (m *moments) add(weight float64, o moments) {
	for k := range m {
		m[k] += weight * o[k]
	}
}

// hit are those of the time until a hit, if it comes before w.
func (h Hits) hit(w float64) (m moments) {
	if h.Rate == 0 || w <= 0 {
		return m
	}
	m[0] = -math.Expm1(-h.Rate * w)
	scale := 1.0
	for k := 1; k <= most; k++ {
		scale *= float64(k) / h.Rate
		m[k] = scale * mathext.GammaIncReg(float64(k+1), h.Rate*w)
	}
	return m
}

// untilPassed are those of tries until one passes: of the first try and of later ones on the events that they pass
// and that they are hit.
func untilPassed(first, firstHit, pass, laterHit moments, detection float64) moments {
	left, after := moments{1}, moments{1} // from a later try on, and with the detection before it
	for k := 1; k <= most; k++ {
		before := 0.0
		for i := range k {
			before += choose[k][i] * left[i] * math.Pow(detection, float64(k-i))
		}
		sum := pass[k] + laterHit[0]*before
		for j := range k {
			sum += choose[k][j] * laterHit[k-j] * after[j]
		}
		left[k] = sum / pass[0]
		after[k] = left[k] + before
	}
	all := firstHit.plus(after)
	all.add(1, first)
	return all
}

// during are those of the time of a stretch.
func (h Hits) during(w float64) moments {
	if h.Rate == 0 || w <= 0 {
		return lasting(max(w, 0), 1)
	}
	long := h.Recovery + w
	return untilPassed(lasting(w, math.Exp(-h.Rate*w)), h.hit(w), lasting(long, math.Exp(-h.Rate*long)), h.hit(long), h.Detection)
}

// failed is the mean and the variance of a time until a hit, if it comes.
func (m moments) failed() [2]float64 {
	if m[0] == 0 {
		return [2]float64{}
	}
	mean := m[1] / m[0]
	return [2]float64{mean, m[2]/m[0] - mean*mean}
}

// time is what is known of a time of these moments.
func (m moments) time() Time {
	return Time{Mean: m[1], Variance: m[2] - m[1]*m[1], Third: m[3] - 3*m[1]*m[2] + 2*m[1]*m[1]*m[1]}
}

// moments are those of the time for which jobs hold their servers, by nodes of their work.
func (a After) moments(nodes []node, rate float64) (all moments) {
	h := a.hits(rate)
	switch a.How {
	case Drop:
		for _, n := range nodes {
			all.add(n.weight, lasting(n.work, math.Exp(-rate*n.work)))
			all.add(n.weight, h.hit(n.work))
		}
	case Resampled:
		all = a.newWork(nodes, rate)
	case Resume:
		h.Recovery = 0
		each := h.during(a.Recovery).plus(lasting(a.Detection, 1))
		for _, n := range nodes {
			all.add(n.weight, poisson(rate*n.work, each).plus(lasting(n.work, 1)))
		}
	default:
		whole, before, done := h.during(a.Every+a.Cost), moments{1}, 0.0
		for _, n := range nodes { // of ascending work
			var k float64
			if a.How == Checkpoint {
				for k = a.checkpoints(n); done < k; done++ {
					before = before.plus(whole)
				}
			}
			all.add(n.weight, before.plus(h.during(n.work-k*a.Every)))
		}
	}
	return all
}

// newWork are those under Resampled.
func (a After) newWork(nodes []node, rate float64) moments {
	var first, firstHit, pass, laterHit moments
	h := Hits{Rate: rate}
	for _, n := range nodes {
		long := a.Recovery + n.work
		first.add(n.weight, lasting(n.work, math.Exp(-rate*n.work)))
		pass.add(n.weight, lasting(long, math.Exp(-rate*long)))
		firstHit.add(n.weight, h.hit(n.work))
		laterHit.add(n.weight, h.hit(long))
	}
	return untilPassed(first, firstHit, pass, laterHit, a.Detection)
}

// poisson are those of a Poisson number of independent times.
func poisson(mean float64, each moments) moments {
	sum := moments{1}
	for k := 1; k <= most; k++ {
		for j := 1; j <= k; j++ {
			sum[k] += choose[k-1][j-1] * mean * each[j] * sum[k-j]
		}
	}
	return sum
}
