package trace

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// Arrivals are the processes that a model can take for the arrivals of a trace.
type Arrivals string

// The processes: the law of the gaps as that of services (the default); and those that
// are fitted by maximum likelihood, of which Best is the one of the least BIC.
const (
	OwnGaps       Arrivals = ""
	PoissonOnly   Arrivals = "Poisson"
	TwoGaps       Arrivals = "hyperexponential gaps"
	BurstsMMPP    Arrivals = "MMPP of 2 phases"
	BurstsMAP     Arrivals = "MAP of 2 phases"
	Hours         Arrivals = "profile"
	HoursOfBursts Arrivals = "profile of an MMPP of 2 phases"
	Best          Arrivals = "best"
)

// Known are all of them that can be asked for by name.
var Known = []Arrivals{PoissonOnly, TwoGaps, BurstsMMPP, BurstsMAP, Hours, HoursOfBursts, Best}

// process fits the arrival process that is wanted, and shows it beside the log: rates by the
// time of day, index of dispersion, correlations of gaps.
func (q *fit) process(ctx context.Context) (*result.ArrivalFit, arrival.Process, error) {
	all, err := q.candidates(ctx)
	if err != nil {
		return nil, nil, err
	}
	c := all[0]
	if q.Arrivals != Best {
		c = all[slices.IndexFunc(all, func(c candidate) bool { return c.name == q.Arrivals })]
	}
	f := &result.ArrivalFit{Log: q.t.Name, Jobs: len(q.t.Jobs), Chosen: string(c.name), Unit: q.t.Unit}
	for _, k := range all {
		f.Candidates = append(f.Candidates, result.ArrivalCandidate{Name: string(k.name), Parameters: k.parameters, LogLikelihood: k.likelihood, BIC: k.bic, Process: k.process.String()})
	}
	q.show(f, c.process)
	return f, c.process, nil
}

// candidate is a process that was fitted.
type candidate struct {
	name            Arrivals
	process         arrival.Process
	parameters      int
	likelihood, bic float64
}

// candidates fits what is needed for the process that is wanted, and gives the best first.
func (q *fit) candidates(ctx context.Context) ([]candidate, error) {
	gaps, rate := q.spread(), q.t.Rate()
	n := float64(len(gaps))
	var all []candidate
	add := func(c candidate) {
		c.bic = float64(c.parameters)*math.Log(n) - 2*c.likelihood
		all = append(all, c)
		if q.report != nil {
			q.report(float64(len(all)), float64(len(Known)-1))
		}
	}
	unit := make([]float64, len(gaps)) // of mean 1
	for i, x := range gaps {
		unit[i] = x * rate
	}
	scale := n * math.Log(rate) // of densities
	total := 0.0
	for _, x := range unit {
		total += x
	}
	wanted := func(names ...Arrivals) bool { return q.Arrivals == Best || slices.Contains(names, q.Arrivals) }
	add(candidate{name: PoissonOnly, process: arrival.Poisson(rate), parameters: 1, likelihood: scale - total})
	var h, b twoPhases
	var l float64
	if wanted(TwoGaps, BurstsMAP) {
		h, l = fitHyper(ctx, unit)
		add(candidate{name: TwoGaps, process: arrival.Renewal{Gap: hyper(h, rate)}, parameters: 3, likelihood: scale + l})
	}
	if wanted(BurstsMMPP, BurstsMAP) {
		b, l = fitMMPP(ctx, unit)
		add(candidate{name: BurstsMMPP, process: b.process(rate), parameters: 4, likelihood: scale + l})
	}
	if wanted(BurstsMAP) {
		m, l := fitMAP(ctx, unit, b, h)
		add(candidate{name: BurstsMAP, process: m.process(rate), parameters: 6, likelihood: scale + l})
	}
	if q.Period > 0 {
		profile, bursts := q.hours(gaps)
		add(profile)
		if wanted(HoursOfBursts) {
			add(bursts(ctx))
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.bic, b.bic) })
	return all, nil
}

// hyper is the law of independent gaps.
func hyper(m twoPhases, rate float64) law.Law {
	p := m.d1[0][0] / -m.d0[0][0]
	l := law.HyperExpMeans(-1/m.d0[0][0], -1/m.d0[1][1], p)
	return l.Scaled(1 / rate / l.Mean())
}

// hours fits rates by the time of day, and bursts on top of them. On the clock on which
// the former are even, gaps have mean 1, and densities are times the rate.
func (q *fit) hours(gaps []float64) (profile candidate, bursts func(ctx context.Context) candidate) {
	first := q.t.Jobs[0].Arrival
	rates := q.rates()
	p := arrival.Profile{Period: q.Period, Rates: rates}
	even, at, density := make([]float64, len(gaps)), first, 0.0
	total := 0.0
	part := q.Period / float64(q.Parts)
	for i, x := range gaps {
		even[i] = p.Expected(at, at+x)
		at += x
		total += even[i]
		j := min(int((at-math.Floor(at/q.Period)*q.Period)/part), q.Parts-1)
		density += math.Log(max(rates[j], 1e-300))
	}
	n := float64(len(gaps))
	profile = candidate{name: Hours, process: p, parameters: q.Parts, likelihood: density - total}
	return profile, func(ctx context.Context) candidate {
		for i := range even {
			even[i] *= n / total
		}
		m, l := fitMMPP(ctx, even)
		return candidate{name: HoursOfBursts, process: arrival.Profile{Period: q.Period, Rates: rates, Of: m.process(1)},
			parameters: q.Parts + 3, likelihood: l + density + n*math.Log(n/total)}
	}
}

// rates are the arrivals by part of the period over the time that the trace has in it.
func (q *fit) rates() []float64 {
	part := q.Period / float64(q.Parts)
	counts, times := make([]float64, q.Parts), make([]float64, q.Parts)
	first, last := q.t.Jobs[0].Arrival, q.t.Jobs[len(q.t.Jobs)-1].Arrival
	for _, j := range q.t.Jobs[1:] {
		k := int((j.Arrival - math.Floor(j.Arrival/q.Period)*q.Period) / part)
		counts[min(k, q.Parts-1)]++
	}
	for k := math.Floor(first / part); k*part < last; k++ {
		in := int(math.Mod(math.Mod(k, float64(q.Parts))+float64(q.Parts), float64(q.Parts)))
		times[in] += min(last, (k+1)*part) - max(first, k*part)
	}
	for k := range counts {
		if times[k] > 0 {
			counts[k] /= times[k]
		}
	}
	return counts
}

// spread are the gaps, those of 0 made half the smallest other one.
func (q *fit) spread() []float64 {
	gaps, least := q.gaps(), math.Inf(1)
	for _, x := range gaps {
		if x > 0 {
			least = min(least, x)
		}
	}
	for i, x := range gaps {
		if x == 0 {
			gaps[i] = least / 2
		}
	}
	return gaps
}

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
