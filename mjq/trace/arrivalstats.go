package trace

import (
	"math"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/result"
)

const (
	mostLags     = 20
	fewestCounts = 30 // windows that an index of dispersion is made of, at least
)

// show puts what a trace shows beside what a process says.
func (q *fit) show(f *result.ArrivalFit, p arrival.Process) {
	gaps := q.gaps()
	f.Correlations = correlations(gaps, min(mostLags, len(gaps)/10))
	f.CorrelationsModel = arrival.Correlations(p, len(f.Correlations))
	for w := 4 / q.t.Rate(); w <= q.t.Span()/fewestCounts; w *= 4 {
		f.Windows = append(f.Windows, w)
		f.Dispersion = append(f.Dispersion, q.dispersion(w))
		f.DispersionModel = append(f.DispersionModel, arrival.DispersionAt(p, w))
	}
	if q.Period > 0 {
		f.Period, f.Rates = q.Period, q.rates()
		for k := range f.Rates {
			rate := p.Rate()
			if d, is := p.(arrival.Profile); is {
				rate = d.Rates[k]
			}
			f.RatesModel = append(f.RatesModel, rate)
		}
	}
}

// correlations are those of gaps with the ones 1 to k later.
func correlations(gaps []float64, k int) []float64 {
	n, mean, squares := float64(len(gaps)), 0.0, 0.0
	for _, x := range gaps {
		mean += x / n
	}
	for _, x := range gaps {
		squares += (x - mean) * (x - mean)
	}
	out := make([]float64, max(0, k))
	for j := range out {
		sum := 0.0
		for i := range len(gaps) - j - 1 {
			sum += (gaps[i] - mean) * (gaps[i+j+1] - mean)
		}
		out[j] = sum / squares
	}
	return out
}

// dispersion is the variance of the counts in windows of a length over their mean.
func (q *fit) dispersion(window float64) float64 {
	n := int(q.t.Span() / window)
	counts := make([]float64, n)
	for _, j := range q.t.Jobs {
		if k := int((j.Arrival - q.t.Jobs[0].Arrival) / window); k < n {
			counts[k]++
		}
	}
	mean, squares := 0.0, 0.0
	for _, c := range counts {
		mean += c / float64(n)
	}
	for _, c := range counts {
		squares += (c - mean) * (c - mean)
	}
	if mean == 0 {
		return math.NaN()
	}
	return squares / float64(n-1) / mean
}
