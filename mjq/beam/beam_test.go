package beam

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestMain makes the test a worker when a runner starts it as one.
func TestMain(m *testing.M) {
	if err := Init(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// model has parameters and probabilities without a short form.
func model(t *testing.T) mjq.Model {
	t.Helper()
	m := mjq.Servers(4).Poisson(0.7).
		Class("one", 1, 0.7/1.1, mjq.HyperExpMeanSCV(1./3, 3)).
		Class("two", 2, 0.1/1.1, mjq.PhaseType([]float64{0.3, 0.7}, [][]float64{{-3, 1. / 7}, {0, -2}})).
		Class("three", 3, 0.3/1.1, mjq.BoundedPareto(0.1, 9, 1.1))
	err := m.Err()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// simple has a stability limit that is computed and not simulated.
func simple(t *testing.T) mjq.Model {
	t.Helper()
	m := mjq.Servers(3).Class("one", 1, 2./3, mjq.ExpMean(1./3)).Class("three", 3, 1./3, mjq.ExpMean(0.1))
	err := m.Err()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// bits are all that two equal results have in common: everything but the time
// they took.
func bits(t *testing.T, res *result.Sweep) string {
	t.Helper()
	timeless := *res
	timeless.Jobs = nil
	for _, j := range res.Jobs {
		r := *j.Result
		r.Run.Elapsed, r.Run.ElapsedLimit, r.Run.StepsPerSec = 0, 0, 0
		j.Result = &r
		timeless.Jobs = append(timeless.Jobs, j)
	}
	text, err := cache.Part{Result: timeless}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// locally is the result of the same sweep without Beam, on several goroutines.
func locally(t *testing.T, s *Sweep) *result.Sweep {
	t.Helper()
	res, err := s.Run(context.Background(), mjq.Workers(3))
	if err != nil || !res.Complete() {
		t.Fatalf("%v, error %v", res, err)
	}
	return res
}
