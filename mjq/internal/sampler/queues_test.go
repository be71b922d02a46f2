package sampler_test

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestDominatedCertified compares with certified samples where both apply.
func TestDominatedCertified(t *testing.T) {
	classes := []mjq.Class{{Name: "a", Need: 1, Prob: 0.6, Service: mjq.ExpMean(0.5)}, {Name: "b", Need: 3, Prob: 0.4, Service: mjq.ExpMean(0.4)}}
	m := mjq.Servers(4).Poisson(1.8).Classes(classes...)
	exact := mjq.Must(m.Solve(context.Background(), mjq.Dominated{Samples: 40_000}))
	other := mjq.Must(m.Solve(context.Background(), mjq.Certified{Samples: 10_000}, mjq.Seed(2)))
	for i := range classes {
		a, b := exact.Classes[i].Waiting, other.Classes[i].Waiting
		for what, e := range map[string][2]result.Estimate{"mean": {a.Mean, b.Mean}, "variance": {a.Variance, b.Variance}, "CDF": {a.CDF(1), b.CDF(1)}} {
			if se := math.Hypot(e[0].HalfWidth, e[1].HalfWidth) / 1.96; math.Abs(e[0].Value-e[1].Value) > 4.5*se || se > 0.1*e[0].Value {
				t.Errorf("%s of %s: %v exact, %v certified", what, classes[i].Name, e[0], e[1])
			}
		}
	}
}
