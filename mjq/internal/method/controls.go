package method

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/result"
)

// controlled is added to the method of estimates that use control variates.
func controlled(fit *estimate.Crossfit) string {
	if fit.Controls() == 0 {
		return ""
	}
	return ", with control variates"
}

// useControls takes the moments of the waits from followed samples with their
// control variates instead, and returns the head-of-line waste a job.
func useControls(r *result.Result, fit *estimate.Crossfit, method string) (hol result.Estimate) {
	method += ", followed" + controlled(fit)
	for i := range r.Classes {
		w := &r.Classes[i].Waiting
		w.Mean, w.Variance = fit.Mean(2*i, r.Level, method), fit.Variance(2*i, r.Level, method)
	}
	return useControlsAll(r, fit, 2*len(r.Classes), method)
}

// useControlsAll is the same for all jobs together, whose wait, its square and the
// waste are the values of the fit from an index on.
func useControlsAll(r *result.Result, fit *estimate.Crossfit, at int, method string) (hol result.Estimate) {
	w := &r.All.Waiting
	if fit.Controls() > 0 {
		noteGain(&r.Run, w.Mean, fit.Mean(at, r.Level, method))
	}
	w.Mean, w.Variance = fit.Mean(at, r.Level, method), fit.Variance(at, r.Level, method)
	return fit.Mean(at+2, r.Level, method)
}

// noteGain notes what control variates are worth.
func noteGain(r *result.Run, without, with result.Estimate) {
	if ratio := without.HalfWidth / with.HalfWidth; ratio > 0 && !math.IsInf(ratio, 1) {
		r.Gain = ratio * ratio
	}
}
