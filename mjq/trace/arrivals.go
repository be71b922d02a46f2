package trace

import (
	"cmp"
	"fmt"
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

// Arrivals chooses the arrival process of the model. Those of two phases are fitted by
// maximum likelihood, with the rate of the trace: it takes some seconds for a million
// jobs. Gaps of 0, which come from times that were rounded, count as half the smallest
// other gap; else a process could explain them by a rate without bounds. Profiles take a
// period; see ByHour. Best is the process of the least BIC (Schwarz, The Annals of
// Statistics 6, 1978) among all that can be fitted; ArrivalFit shows how each does.
func (q ModelBuilder) Arrivals(a Arrivals) ModelBuilder {
	q.arrivals, q.poisson = a, a == PoissonOnly
	return q
}

// ByHour says that the rate may depend on the time within a period, a day most often, in
// equal parts: ByHour(86_400, 24) for a log in seconds. The period begins at time 0 of the
// trace, which must hold two of them.
func (q ModelBuilder) ByHour(period float64, parts int) ModelBuilder {
	q.period, q.slots = period, parts
	return q
}

// ArrivalFit fits all processes to the arrivals of the trace, and shows the one that the
// model takes, the best if none was chosen, beside the trace: rates by the time of day,
// index of dispersion, correlations of gaps.
func (q ModelBuilder) ArrivalFit() (*result.ArrivalFit, error) {
	if err := q.sound(); err != nil {
		return nil, err
	}
	all, err := q.candidates(Best)
	if err != nil {
		return nil, err
	}
	want := q.arrivals
	if want == OwnGaps {
		want = Best
	}
	c, err := chosen(all, want)
	if err != nil {
		return nil, err
	}
	f := &result.ArrivalFit{Log: q.t.Name, Jobs: len(q.t.Jobs), Chosen: string(c.name)}
	for _, k := range all {
		f.Candidates = append(f.Candidates, result.ArrivalCandidate{Name: string(k.name), Parameters: k.parameters, LogLikelihood: k.likelihood, BIC: k.bic, Process: k.process.String()})
	}
	q.show(f, c.process)
	return f, nil
}

// candidate is a process that was fitted.
type candidate struct {
	name            Arrivals
	process         arrival.Process
	parameters      int
	likelihood, bic float64
}

// chosen is the candidate of a name.
func chosen(all []candidate, want Arrivals) (candidate, error) {
	if want == Best {
		return all[0], nil
	}
	for _, c := range all {
		if c.name == want {
			return c, nil
		}
	}
	return candidate{}, fmt.Errorf("arrivals %q: no process of that name was fitted; choose one of %q, and ByHour for a profile", want, Known)
}

// candidates fits what is needed for the one that is wanted, the best first.
func (q ModelBuilder) candidates(want Arrivals) ([]candidate, error) {
	gaps, rate := q.spread(), q.t.Rate()
	n := float64(len(gaps))
	var all []candidate
	add := func(name Arrivals, p arrival.Process, parameters int, likelihood float64) {
		all = append(all, candidate{name, p, parameters, likelihood, float64(parameters)*math.Log(n) - 2*likelihood})
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
	add(PoissonOnly, arrival.Poisson(rate), 1, scale-total)
	any := want == Best
	var h, b twoPhases
	var l float64
	if any || want == TwoGaps || want == BurstsMAP {
		h, l = fitHyper(unit)
		add(TwoGaps, arrival.Renewal{Gap: hyper(h, rate)}, 3, scale+l)
	}
	if any || want == BurstsMMPP || want == BurstsMAP {
		b, l = fitMMPP(unit)
		add(BurstsMMPP, b.process(rate), 4, scale+l)
	}
	if any || want == BurstsMAP {
		m, l := fitMAP(unit, b, h)
		add(BurstsMAP, m.process(rate), 6, scale+l)
	}
	if q.period > 0 {
		profile, bursts, err := q.hours(gaps)
		if err != nil {
			return nil, err
		}
		all = append(all, profile)
		if any || want == HoursOfBursts {
			all = append(all, bursts())
		}
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
func (q ModelBuilder) hours(gaps []float64) (profile candidate, bursts func() candidate, err error) {
	first := q.t.Jobs[0].Arrival
	if q.slots < 1 || q.slots > len(gaps) || q.t.Span() < 2*q.period {
		return profile, nil, fmt.Errorf("ByHour(%v, %d): give a period that fits into the span %v of the trace twice, and at least one part, but no more than there are gaps", q.period, q.slots, q.t.Span())
	}
	rates := q.rates()
	p := arrival.Profile{Period: q.period, Rates: rates}
	even, at, density := make([]float64, len(gaps)), first, 0.0
	total := 0.0
	part := q.period / float64(q.slots)
	for i, x := range gaps {
		even[i] = p.Expected(at, at+x)
		at += x
		total += even[i]
		j := min(int((at-math.Floor(at/q.period)*q.period)/part), q.slots-1)
		density += math.Log(max(rates[j], 1e-300))
	}
	n := float64(len(gaps))
	profile = candidate{Hours, p, q.slots, density - total, 0}
	profile.bic = float64(profile.parameters)*math.Log(n) - 2*profile.likelihood
	return profile, func() candidate {
		for i := range even {
			even[i] *= n / total
		}
		m, l := fitMMPP(even)
		c := candidate{HoursOfBursts, arrival.Profile{Period: q.period, Rates: rates, Of: m.process(1)}, q.slots + 3, l + density + n*math.Log(n/total), 0}
		c.bic = float64(c.parameters)*math.Log(n) - 2*c.likelihood
		return c
	}, nil
}

// rates are the arrivals by part of the period over the time that the trace has in it.
func (q ModelBuilder) rates() []float64 {
	part := q.period / float64(q.slots)
	counts, times := make([]float64, q.slots), make([]float64, q.slots)
	first, last := q.t.Jobs[0].Arrival, q.t.Jobs[len(q.t.Jobs)-1].Arrival
	for _, j := range q.t.Jobs[1:] {
		k := int((j.Arrival - math.Floor(j.Arrival/q.period)*q.period) / part)
		counts[min(k, q.slots-1)]++
	}
	for k := math.Floor(first / part); k*part < last; k++ {
		in := int(math.Mod(math.Mod(k, float64(q.slots))+float64(q.slots), float64(q.slots)))
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
func (q ModelBuilder) spread() []float64 {
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
