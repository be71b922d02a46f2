package interval

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/scarcity"
)

// observations is what an average over a number of effective observations is made of; with
// plenty of them what is measured tells its own error.
type observations struct {
	effective, skewness2, kurtosis float64
	plenty                         bool
	together                       bool // several large jobs at once, which no control variate knows
}

// plentyOfSamples is fewer than of jobs along paths, since samples are independent and the
// wait of several servers varies less than that of one.
const plentyOfSamples = 20

// moment is what the run has for the k-th moment of the wait: what jobs tell along paths
// or what samples do, whichever is more.
func (e *Exposed) moment(k int) (o observations) {
	if e.Jobs > 0 {
		o = tellsOf(e.Exposure.Over(e.Jobs), k)
	}
	if e.Samples > 0 {
		if of := samplesOf(e.Exposure.Samples(e.Samples), k); of.effective > o.effective {
			return of
		}
	}
	return o
}

// tellsOf is what jobs along paths tell of the k-th moment.
func tellsOf(run teller, k int) (o observations) {
	o.effective, o.plenty = run.Effective(k+1), run.Plenty(k+1)
	o.skewness2, o.kurtosis = run.Shape(k + 1)
	o.together = run.Together(k + 1)
	return o
}

// samplesOf is what independent samples tell of the k-th moment.
func samplesOf(s *scarcity.Samples, k int) (o observations) {
	o.effective, o.together = s.Effective(k), s.Together(k)
	o.plenty = o.effective >= plentyOfSamples
	o.skewness2, o.kurtosis = s.Shape(k)
	return o
}

// scarcer is the worse of what all jobs tell and what the samples of a class do.
func (e *Exposed) scarcer(o observations, s *scarcity.Samples, k int) observations {
	of := samplesOf(s, k)
	if of.effective < o.effective && (of.together || !e.Controlled) {
		return of
	}
	return o
}

// SamplesOf is what so many samples can know. Numbers of about the same size share what is
// computed, for there may be thousands of classes.
func (e *Exposed) SamplesOf(samples float64) *scarcity.Samples {
	about := math.Exp2(math.Floor(math.Log2(samples)))
	if e.shared == nil {
		e.shared = make(map[float64]*scarcity.Samples)
	}
	if e.shared[about] == nil {
		e.shared[about] = e.Exposure.Samples(about)
	}
	return e.shared[about].Number(samples)
}

// teller is what a run, or the visits of a part of time, can know.
type teller interface {
	Effective(k int) float64
	Shape(k int) (skewness2, kurtosis float64)
	Plenty(k int) bool
	Together(k int) bool
	Fraction(q float64) float64
}
