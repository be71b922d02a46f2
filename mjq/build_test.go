package mjq

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

func TestBuildNamesAllFaultsAtOnce(t *testing.T) {
	err := Servers(4).Poisson(-2).
		Class("wide", 5, 0.5, ExpMean(1)).
		Class("none", 0, 0.3, ExpMean(-1)).
		Class("none", 1, 0.3, LomaxScaleShape(1, 0.9)).
		Class("", 1, math.NaN(), nil).Err()
	oracle.Mention(t, err, "wide", "need 5 exceeds the 4 servers", "need 0 is below 1", "taken by an earlier class",
		"no name", "NaN", "no law given", "infinite mean", "sum to", "Poisson(-2)")
	err = Servers(0).Err()
	oracle.Mention(t, err, "Servers(0)", "no class of jobs")
	err = Servers(2).Class("a", 1, 0.5, ExpMean(1)).Class("b", 1, 0.6, ExpMean(1)).Err()
	oracle.Mention(t, err, "1 fault", "1.1")
	if strings.Contains(err.Error(), "faults") {
		t.Errorf("one fault is not several: %v", err)
	}
}

func TestBuildNormalisesPrintedProbabilities(t *testing.T) {
	m := Servers(2).Class("a", 1, 0.3333333, ExpMean(1)).Class("b", 2, 0.6666667, ExpMean(1))
	err := m.Err()
	if err != nil {
		t.Fatal(err)
	}
	if sum := m.Spec().Classes[0].Prob + m.Spec().Classes[1].Prob; math.Abs(sum-1) > 1e-15 {
		t.Errorf("probabilities sum to %v", sum)
	}
}

func TestModelIsImmutable(t *testing.T) {
	m := FiveClassExponential().Poisson(1)
	m.Spec().Classes[0].Need = 20
	m.AtRate(1.5)
	if m.Spec().Classes[0].Need != 1 || m.Rate() != 1 {
		t.Error("a model changed behind its user's back")
	}
	if r := m.AtRate(1.5).Rate(); math.Abs(r-1.5) > 1e-15 {
		t.Errorf("AtRate(1.5) has rate %v", r)
	}
	l := Must(m.AtLoad(0.5).Resolve(background))
	if want := 0.5 * Must(m.Stability(background)).Rate; math.Abs(l.Rate()-want) > 1e-12 {
		t.Errorf("AtLoad(0.5) has rate %v, half the limit is %v", l.Rate(), want)
	}
}

func TestIdealRateOfTheFiveClasses(t *testing.T) {
	m := FiveClassExponential().Poisson(1.4)
	if got := m.IdealRate(); math.Abs(got-20/9.493) > 1e-12 { // E[α σ] = 9.493
		t.Errorf("ideal rate %v, want 20/9.493", got)
	}
	if got := m.OfferedLoad(); math.Abs(got-1.4*9.493/20) > 1e-12 {
		t.Errorf("offered load %v", got)
	}
}

func TestModelShowsItself(t *testing.T) {
	m := Servers(20).Poisson(1.4).Class("<T1>", 1, 1, ExpMean(0.5))
	if s := m.String(); !strings.Contains(s, "20 servers") || !strings.Contains(s, "<T1>") || !strings.Contains(s, "Poisson") || !strings.Contains(s, "1 job class,") {
		t.Errorf("text:\n%s", s)
	}
	if h := m.HTML(); !strings.Contains(h, "&lt;T1&gt;") || !strings.Contains(h, "<table") {
		t.Errorf("html:\n%s", h)
	}
}

// TestMustLetsWhatWasInterruptedThrough: what a query has when its context ends goes on
// to be shown, with its note; other errors and what holds nothing stop the cell.
func TestMustLetsWhatWasInterruptedThrough(t *testing.T) {
	m := FiveClassExponential().Poisson(1.4)
	ctx, cancel := context.WithCancel(t.Context())
	r := Must(m.Solve(ctx, Backward{Samples: 50_000_000}, Progress(func(s Step) {
		if s.Done > 0 {
			cancel()
		}
	})))
	if r.Run.Complete || r.Run.Samples == 0 || !strings.Contains(strings.Join(r.Notes, " "), "Interrupted") {
		t.Errorf("let through: %d samples, complete %v, notes %q", r.Run.Samples, r.Run.Complete, r.Notes)
	}
	for what, f := range map[string]func(){
		"nothing": func() { Must(m.Solve(ctx, Exact{})) },
		"a fault": func() { Must(r, errors.New("a fault")) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s went through", what)
				}
			}()
			f()
		}()
	}
}
