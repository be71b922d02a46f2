package mjq

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/internal/fastmath"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// mishap is a user's law, exponential but for what Sample does now and then.
type mishap struct {
	law.Exponential
	name   string
	sample func() float64
}

func (m mishap) String() string { return "Mishap(" + m.name + ")" }

func (m mishap) Scaled(float64) Law { return m }

func (m mishap) Sample(rng rand.Source) float64 {
	word := rng.Uint64()
	if word%8192 == 0 {
		return m.sample()
	}
	return fastmath.NegLog(fastmath.Unit(word))
}

// mishaps are laws that fail, and what the error must say.
func mishaps() map[string]mishap {
	give := func(name string, x float64) mishap {
		return mishap{law.ExpMean(1), name, func() float64 { return x }}
	}
	return map[string]mishap{
		"the Sample of the law Mishap(boom) panicked: boom": {law.ExpMean(1), "boom", func() float64 { panic("boom") }},
		"the law Mishap(NaN): Sample gave NaN":              give("NaN", math.NaN()),
		"the law Mishap(Inf): Sample gave +Inf":             give("Inf", math.Inf(1)),
		"the law Mishap(minus): Sample gave -1":             give("minus", -1),
		"the law Mishap(huge): Sample gave 1e+300":          give("huge", 1e300),
	}
}

// drawing are the verbs that draw samples, by their own settings.
func drawing(m Model) map[string]func(ctx context.Context) error {
	errOf := func(_ *result.Result, err error) error { return err }
	return map[string]func(ctx context.Context) error{
		"forward":   func(ctx context.Context) error { return errOf(m.Solve(ctx, Forward{})) },
		"controls":  func(ctx context.Context) error { return errOf(m.Solve(ctx, Forward{Controls: PlainControls})) },
		"backward":  func(ctx context.Context) error { return errOf(m.Solve(ctx, Backward{})) },
		"unbiased":  func(ctx context.Context) error { return errOf(m.Solve(ctx, Unbiased{})) },
		"follow":    func(ctx context.Context) error { return errOf(m.Solve(ctx, Unbiased{PathLength: 4096})) },
		"dominated": func(ctx context.Context) error { return errOf(m.Solve(ctx, Dominated{})) },
		"simulate":  func(ctx context.Context) error { return errOf(m.Solve(ctx, Simulation{})) },
		"batches":   func(ctx context.Context) error { return errOf(m.Solve(ctx, Simulation{BatchMeans: 20})) },
		"pile":      func(ctx context.Context) error { _, err := m.Stability(ctx, Pile{}); return err },
		"path":      func(ctx context.Context) error { _, err := m.Path(ctx, 0, 100_000); return err },
		"sweep": func(ctx context.Context) error {
			_, err := Sweep(ctx, m, Grid{Rates: []float64{0.1, 0.2}}, Backward{Samples: 10_000})
			return err
		},
	}
}

// TestLawsThatFailAreNamedOnAllGoroutines has every verb that draws samples meet
// a law that panics or gives what is no time, as service and as gap.
func TestLawsThatFailAreNamedOnAllGoroutines(t *testing.T) {
	for want, l := range mishaps() {
		plain := Servers(2).Class("a", 1, 1, ExpMean(1))
		for what, m := range map[string]Model{
			"service": Servers(2).Poisson(0.5).Class("a", 1, 0.5, l).Class("b", 1, 0.5, ExpMean(1)),
			"gap":     plain.Arrivals(l),
		} {
			for verb, run := range drawing(m) {
				if what == "gap" && (verb == "pile" || verb == "dominated" || verb == "sweep") {
					continue // which do not draw it, or ask for others
				}
				ctx, stop := context.WithTimeout(context.Background(), time.Minute)
				err := run(ctx)
				stop()
				if err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "\n") > 2 {
					t.Errorf("%s, %s: no word of %q in: %v", verb, what, want, err)
				}
				var p *Panic
				if errors.As(err, &p) != strings.Contains(want, "panicked") || p != nil && !bytes.Contains(p.Stack, []byte("mishap")) {
					t.Errorf("%s, %s: a panic with its stack is in the error: %v", verb, what, p)
				}
			}
		}
	}
}

// TestLawsThatPanicInBuild: a law may be nil in an interface that is not.
func TestLawsThatPanicInBuild(t *testing.T) {
	var missing *mishap
	for what, build := range map[string]func() error{
		"plain":    func() error { err := Servers(2).Class("a", 1, 1, missing).Err(); return err },
		"arrivals": func() error { err := Servers(2).Class("a", 1, 1, ExpMean(1)).Arrivals(missing).Err(); return err },
		"resources": func() error {
			err := Resources("cpu", 2).Needing("a", Needs{"cpu": 1}, 1, missing).Err()
			return err
		},
		"specific": func() error { err := Servers(2).Specific("a", Pick{Any: 1}, 1, missing).Err(); return err },
	} {
		err := build()
		var p *Panic
		if !errors.As(err, &p) || !strings.Contains(err.Error(), "the law *mjq.mishap: panic: ") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestCallbacksThatPanic: so may the functions that are given to a query.
func TestCallbacksThatPanicOnAllGoroutines(t *testing.T) {
	m := Servers(2).Poisson(0.5).Class("a", 1, 1, ExpMean(1))
	boom := func(float64, float64) { panic("boom") }
	ctx := context.Background()
	for verb, run := range map[string]func(context.Context) (*result.Result, error){
		"forward": func(ctx context.Context) (*result.Result, error) {
			return m.Solve(ctx, Forward{Jobs: 1000}, Progress(func(s Step) { boom(s.Done, s.Total) }))
		},
		"backward": func(ctx context.Context) (*result.Result, error) {
			return m.Solve(ctx, Backward{}, Progress(func(s Step) { boom(s.Done, s.Total) }))
		},
		"unbiased": func(ctx context.Context) (*result.Result, error) {
			return m.Solve(ctx, Unbiased{}, Progress(func(s Step) { boom(s.Done, s.Total) }))
		},
		"certified": func(ctx context.Context) (*result.Result, error) {
			return m.Solve(ctx, Certified{}, Progress(func(s Step) { boom(s.Done, s.Total) }))
		},
		"dominated": func(ctx context.Context) (*result.Result, error) {
			return m.Solve(ctx, Dominated{}, Progress(func(s Step) { boom(s.Done, s.Total) }))
		},
		"simulate": func(ctx context.Context) (*result.Result, error) {
			return m.Solve(ctx, Simulation{Jobs: 1000}, Progress(func(s Step) { boom(s.Done, s.Total) }))
		},
	} {
		_, err := run(ctx)
		var p *Panic
		if !errors.As(err, &p) || p.Value != "boom" {
			t.Errorf("%s: %v", verb, err)
		}
	}
	_, err := Sweep(ctx, m, Grid{Rates: []float64{0.1, 0.2}},
		MethodFunc("mine", func(_ context.Context, m Model, _ uint64) (*result.Result, error) {
			if m.Rate() > 0.15 {
				panic("boom")
			}
			return m.Solve(ctx, Exact{})
		}))
	if err == nil || !strings.Contains(err.Error(), "0.2") || !strings.Contains(err.Error(), "boom") {
		t.Errorf("sweep: %v", err)
	}
}
