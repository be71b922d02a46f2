package exact_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// ordinary is a value of a textbook queue, which another program found by its formula.
type ordinary struct {
	ID    string
	Model struct {
		Servers, Need         int
		Poisson               float64
		Interarrival, Service string
	}
	Quantity         string
	Value, Tolerance float64
}

// written is a law as the values name it.
func written(t *testing.T, text string) mjq.Law {
	t.Helper()
	var a, b float64
	var k int
	scan := func(format string, to ...any) bool {
		n, err := fmt.Sscanf(text, format, to...)
		return err == nil && n == len(to)
	}
	switch {
	case scan("ExpMean(%g)", &a):
		return mjq.ExpMean(a)
	case scan("LogNormalMeanSCV(%g, %g)", &a, &b):
		return mjq.LogNormalMeanSCV(a, b)
	case scan("Deterministic(%g)", &a):
		return mjq.Deterministic(a)
	case scan("WeibullMeanShape(%g, %g)", &a, &b):
		return mjq.WeibullMeanShape(a, b)
	case scan("Uniform(%g, %g)", &a, &b):
		return mjq.Uniform(a, b)
	case scan("ErlangMeanPhases(%g, %d)", &a, &k):
		return mjq.ErlangMeanPhases(a, k)
	}
	t.Fatalf("no law %q", text)
	return nil
}

// quantity is a number of a result as the values name it.
func quantity(t *testing.T, r *result.Result, name string) float64 {
	t.Helper()
	w, x := &r.All.Waiting, 0.0
	switch {
	case name == "mean wait":
		return w.Mean.Value
	case name == "variance of the wait":
		return w.Variance.Value
	case name == "P(W = 0)":
		return w.NoWait.Value
	case name == "0.99-quantile of the wait":
		return w.Quantile(0.99).Value
	}
	if n, err := fmt.Sscanf(name, "P(W <= %g)", &x); n != 1 || err != nil {
		t.Fatalf("no quantity %q", name)
	}
	return w.CDF(x).Value
}

// TestOrdinaryValues: every value is answered exactly, without options, by the formula.
func TestOrdinaryValues(t *testing.T) {
	data, err := os.ReadFile("../../testdata/ordinary_values.json")
	var list []ordinary
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range list {
		m := mjq.Servers(v.Model.Servers).Class("j", v.Model.Need, 1, written(t, v.Model.Service))
		if v.Model.Interarrival != "" {
			m = m.Arrivals(written(t, v.Model.Interarrival))
		} else {
			m = m.Poisson(v.Model.Poisson)
		}
		r, err := m.Solve(context.Background(), mjq.NoCache())
		if err != nil {
			t.Errorf("%s: %v", v.ID, err)
			continue
		}
		got := quantity(t, r, v.Quantity)
		if !(math.Abs(got-v.Value) <= v.Tolerance*math.Abs(v.Value)) {
			t.Errorf("%s: %s is %.12g by %s, not %.12g (%.1e)", v.ID, v.Quantity, got, r.Run.Method, v.Value, got/v.Value-1)
		}
	}
}
