package mjq

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/replicate"
)

// Target is how narrow an interval a sampler is asked for. It is embedded in
// every sampler's query.
type Target[Q any] struct {
	self              *Q
	relErr, halfWidth float64
	asked             bool
}

func newTarget[Q any](self *Q) Target[Q] { return Target[Q]{self: self} }

// RelErr has the sampler go on until the half-width of the interval of the mean
// waiting time of all jobs is at most r times the mean. It then ignores its
// default number of samples; one given by N or Replications stays as an upper
// bound, and the result notes it if the bound came first; otherwise Run.Met is
// true.
//
// Services of heavy tails may leave the mean without an interval; that is an error
// then, which names the class and the moment that is missing.
//
// The interval is looked at only now and then, each time after a third more
// samples, so that the choice of the moment hardly favours narrow ones.
func (t *Target[Q]) RelErr(r float64) *Q {
	t.relErr, t.asked = r, true
	return t.self
}

// HalfWidth is RelErr with an absolute bound h, in units of time.
func (t *Target[Q]) HalfWidth(h float64) *Q {
	t.halfWidth, t.asked = h, true
	return t.self
}

func (t *Target[Q]) faults(f *faults) {
	f.check(t.relErr >= 0 && !math.IsNaN(t.relErr), "RelErr(%v): must be positive", t.relErr)
	f.check(t.halfWidth >= 0 && !math.IsNaN(t.halfWidth), "HalfWidth(%v): must be positive", t.halfWidth)
	f.check(!t.asked || t.relErr > 0 || t.halfWidth > 0, "RelErr(%v), HalfWidth(%v): one of them must be positive", t.relErr, t.halfWidth)
}

// target is the target as plain data.
func (t *Target[Q]) target() replicate.Target {
	return replicate.Target{RelErr: t.relErr, HalfWidth: t.halfWidth}
}

// met says whether an interval is as narrow as asked.
func (t *Target[Q]) met(e Estimate) bool { return t.target().Met(e) }

// enough is the check that a sampler makes after every part: nil when no target
// was asked for. At least first observations are made before the first look.
func (t *Target[Q]) enough(first int) func(done int, mean func() Estimate) bool {
	if !t.asked {
		return nil
	}
	return t.target().Rule(first)
}

// note says in the result whether the target was reached.
func (t *Target[Q]) note(r *Result) {
	r.Run.Met = t.asked && t.met(r.All.Waiting.Mean)
	if t.asked && !r.Run.Met {
		r.Notes = append(r.Notes, fmt.Sprintf("The interval asked for was not reached: the mean wait is %v after %d samples; allow more.",
			r.All.Waiting.Mean, r.Run.Samples))
	}
}

// byDefault stands for a number of samples that the user did not give.
const byDefault = math.MinInt

// number is how many samples to draw at most: those given, else the default,
// which a target lifts.
func (t *Target[Q]) number(given, standard int) int {
	switch {
	case given != byDefault:
		return given
	case t.asked:
		return 1 << 40
	}
	return standard
}
