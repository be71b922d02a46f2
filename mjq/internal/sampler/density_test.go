package sampler_test

import (
	"context"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

func TestPDFHasItsArea(t *testing.T) {
	m := workload.FiveClassExponential().Poisson(1.4)
	w := &mjq.Must(m.Solve(context.Background(), mjq.Backward{Samples: 2000})).Class("T15").Waiting
	edges, density := w.PDF(40)
	area := 0.0
	for i, d := range density {
		area += d * (edges[i+1] - edges[i])
	}
	if want := 0.999 - w.CDF(0).Value; area < want-1e-3 || area > want+1e-3 {
		t.Errorf("the density has area %v, want %v", area, want)
	}
	if e, d := (&result.Metric{}).PDF(10); e != nil || d != nil {
		t.Error("nothing observed, yet a density")
	}
}
