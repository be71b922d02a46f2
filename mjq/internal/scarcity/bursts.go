package scarcity

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/mam"
)

// phase is one of arrivals.
type phase struct {
	prob  float64 // of being in it
	rate  float64 // of arrivals then
	leave float64 // rate of its end
}

// phasesOf are those of a Markovian process, and its mean rate; none where it does not settle.
func phasesOf(m arrival.Markov) (list []phase, mean float64) {
	n := len(m.D0)
	generator := mat.NewDense(n, n, nil)
	list = make([]phase, n)
	for i := range list {
		p, row := &list[i], slices.Clone(m.D0[i])
		for _, v := range m.Events {
			for j, rate := range v.Rates[i] {
				row[j] += rate
				p.rate += rate * float64(v.Size)
			}
		}
		row[i] = 0
		for _, rate := range row {
			p.leave += rate
		}
		row[i] = -p.leave
		generator.SetRow(i, row)
	}
	pi, err := mam.GTH(generator)
	if err != nil {
		return nil, 0
	}
	for i := range list {
		list[i].prob = pi[i]
		mean += pi[i] * list[i].rate
	}
	return list, mean
}

// bursts adds the phases of arrivals that bring more than the mean rate: the work beyond
// it that comes before the phase is left.
func (e *Exposure) bursts(m arrival.Markov) {
	phases, mean := phasesOf(m)
	for _, p := range phases {
		if more := p.rate - mean; more > 1e-9*mean && p.leave > 0 && p.prob > 0 {
			e.add(source{class: -1, prob: p.prob * p.leave / mean, weight: surely, holds: true, scale: 1, law: law.ExpMean(more / p.leave)})
		}
	}
}

// clump is by how much larger than the mean the number of earlier jobs is that an arrival finds
// in service, if services last so long: phases that are shorter do not matter.
func clump(m arrival.Markov, service float64) float64 {
	phases, mean := phasesOf(m)
	more := 1.0
	for _, p := range phases {
		if x := p.rate/mean - 1; p.leave > 0 {
			more += p.prob * x * x / (1 + p.leave*service)
		}
	}
	return more
}
