package events

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/result"
)

// In a queue in equilibrium the servers are busy as much as the jobs bring work
// (utilisation = ρ), and the jobs of a class that are there on average are their rate
// times their mean response (Little). A run holds both sides, measured apart: the
// clock's integrals, and the sums over jobs. They differ by what a batch takes over
// from the one before and leaves to the next, which has mean zero unless the queue
// grows. A policy or an engine that loses jobs or time does not pass.
const (
	conservedLevel = 1 - 1e-6 // of the intervals in which the difference must hold 0
	conservedPart  = 0.02     // and a part of the whole that is let pass: a short run may end a little fuller than it began
)

// work is the servers' work that the jobs have brought.
func (b *batch) work() (work float64) {
	for c := range b.classes {
		work += b.classes[c].work
	}
	return work
}

// imbalance is what contradicts Little's law in a class; "" for nothing.
type imbalance struct {
	text  string
	grows bool // more jobs came than went, perhaps by chance
}

// conserve says where the batches contradict conservation, given the imbalances of the classes,
// and what grows.
func (p *Plan) conserve(res *Result, batches []batch, imbalances []imbalance) {
	s := float64(p.Servers)
	got, want, broken := compare(batches, func(b int) (over, jobs float64) {
		return s*batches[b].area.Time - batches[b].area.Idle, batches[b].work()
	})
	if broken {
		res.Overloaded = want > got
		res.Violations = append(res.Violations, fmt.Sprintf("the servers were busy for %.4g of the time and the jobs brought work for %.4g: the queue grows, or the run is too short, or jobs are lost", got/s, want/s))
	}
	for c, of := range imbalances {
		if of.text != "" {
			res.Violations = append(res.Violations, of.text)
		}
		if of.grows {
			res.Growing = append(res.Growing, c)
		}
	}
}

// imbalance says whether the jobs of a class, with their sums by batch, contradict Little's law.
func (p *Plan) imbalance(class int, batches []batch, of []sums) imbalance {
	got, want, broken := compare(batches, func(b int) (over, jobs float64) {
		return batches[b].presence[class], of[b].Of[estimate.Response].X + of[b].inVain
	})
	x := imbalance{grows: want > got*(1+conservedPart)}
	if broken {
		x.text = fmt.Sprintf("of class %d there were %.4g jobs on average, and by Little's law %.4g: their number grows, or the run is too short, or jobs are lost", class, got, want)
	}
	return x
}

// compare gives both sides per unit of time, and reports whether they differ by more than
// chance.
func compare(batches []batch, sides func(b int) (over, jobs float64)) (got, want float64, broken bool) {
	var room [64]float64 // a list of thousands of classes would be collected
	n, time, squares, differences := float64(len(batches)), 0.0, 0.0, room[:0]
	for b := range batches {
		x, y := sides(b)
		got += x
		want += y
		time += batches[b].area.Time
		differences = append(differences, x-y)
	}
	mean := (got - want) / n
	for _, d := range differences {
		squares += (d - mean) * (d - mean)
	}
	if n < 2 || !(time > 0) {
		return 0, 0, false
	}
	half := result.StudentT(conservedLevel, len(batches)-1) * math.Sqrt(squares/(n-1)/n)
	broken = math.Abs(mean) > half && math.Abs(mean) > conservedPart*max(got, want)/n
	return got / time, want / time, broken
}
