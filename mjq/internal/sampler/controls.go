package sampler

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/result"
)

// controlled is added to the method of estimates that use control variates.
func controlled(fit *sampling.Fit) string {
	if fit.Controls() == 0 {
		return ""
	}
	return ", with control variates"
}

// useControls takes the moments of the waits from followed samples with their
// control variates instead, and returns the head-of-line waste a job.
func useControls(r *result.Result, fit *sampling.Fit, method string, workers int) (hol result.Estimate) {
	method += ", followed" + controlled(fit)
	replicate.Each(len(r.Classes), workers, func(i int) {
		w, at := &r.Classes[i].Waiting, fit.Row.Class(sampling.Waiting, i)
		w.Mean, w.Variance = fit.Mean(at, r.Level, method), fit.Variance(at, r.Level, method)
	})
	return useControlsAll(r, fit, method)
}

// useControlsAll is the same for all jobs together.
func useControlsAll(r *result.Result, fit *sampling.Fit, method string) (hol result.Estimate) {
	w, at := &r.All.Waiting, fit.Row.All(sampling.Waiting)
	if fit.Controls() > 0 {
		noteGain(&r.Run, w.Mean, fit.Mean(at, r.Level, method))
	}
	w.Mean, w.Variance = fit.Mean(at, r.Level, method), fit.Variance(at, r.Level, method)
	return fit.Mean(fit.Row.All(sampling.Waste), r.Level, method)
}

// useControlsByKind takes the waste a job by type of resource from the fit.
func useControlsByKind(kinds []result.Estimate, fit *sampling.Fit, level float64, method string) {
	for k := range kinds {
		kinds[k] = fit.Mean(fit.Row.Kind(sampling.Waste, k), level, method)
	}
}

// noteGain notes what control variates are worth.
func noteGain(r *result.Run, without, with result.Estimate) {
	if ratio := without.HalfWidth / with.HalfWidth; ratio > 0 && !math.IsInf(ratio, 1) {
		r.VarianceReduction = ratio * ratio
	}
}
