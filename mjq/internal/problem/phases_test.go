package problem

import (
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// TestFitIsNamed: the fault of a service without phases names a law that has some and the
// same two moments, and no such law where there is none.
func TestFitIsNamed(t *testing.T) {
	for _, c := range []struct {
		service law.Law
		fit     string
	}{
		{law.LogNormalMeanSCV(1, 4), "law.FitMeanSCV(1, 4)"},
		{law.Uniform{Lo: 0, Hi: 1}, "law.FitMeanSCV(0.5, 0.33333"},
		{law.Deterministic{X: 2}, "ErlangMeanPhases"},
		{law.Lomax{Shape: 1.5, Scale: 1}, "PhaseType"},
	} {
		s := &spec.Spec{Servers: 2, Classes: []spec.Class{{Name: "a", Need: 1, Prob: 1, Service: c.service}}}
		_, err := states.Of(Compile(s))
		if err == nil || !strings.Contains(err.Error(), c.fit) || !strings.Contains(err.Error(), `class "a"`) {
			t.Errorf("%v: error %v does not name %s", c.service, err, c.fit)
		}
		if fit := law.FitMeanSCV(c.service.Mean(), law.SCV(c.service)); strings.HasPrefix(c.fit, "law.") {
			s.Classes[0].Service = fit
			if _, err := states.Of(Compile(s)); err != nil || math.Abs(fit.Variance()-c.service.Variance()) > 1e-12*fit.Variance() {
				t.Errorf("%v stands for %v: variance %v, error %v", fit, c.service, fit.Variance(), err)
			}
		}
	}
}
