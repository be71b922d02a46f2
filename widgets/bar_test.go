package widgets

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/internal/progress"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestABarShowsWhatTakesLong follows two questions by a clock of its own.
func TestABarShowsWhatTakesLong(t *testing.T) {
	now := time.Unix(100, 0)
	var written []string
	b := &bar{now: func() time.Time { return now }, write: func(text string) { written = append(written, text) }}
	known := &result.Result{}
	known.All.Waiting.Mean = result.Estimate{Value: 2, HalfWidth: 0.1, Level: 0.95}
	for _, c := range []struct {
		after time.Duration
		step  result.Step
		want  []string // in what is written; nil if nothing is
	}{
		{0, result.Step{What: "Solve", Total: 10}, nil},
		{900 * time.Millisecond, result.Step{What: "Solve", Done: 1, Total: 10}, nil},
		{200 * time.Millisecond, result.Step{What: "Solve", Total: 0, Done: 1}, []string{"Solve <progress></progress> 1 s; to stop"}},
		{400 * time.Millisecond, result.Step{What: "Solve", Done: 2, Total: 10}, nil},
		{500 * time.Millisecond, result.Step{What: "Solve", Done: 5, Total: 10, Result: known}, []string{`value="0.500"`, "2 s; about 2 s to go", "mean wait 2.00 ± 0.10 (5 %)"}},
		{time.Second, result.Step{What: "Solve", Done: 10, Total: 10}, []string{""}},
		{0, result.Step{What: "Compare", Done: 1, Total: 1000}, nil},
		{2 * time.Second, result.Step{What: "Compare", Done: 2, Total: 1000}, []string{"Compare", "about 17 min to go"}},
		{time.Second, result.Step{What: "Compare", Done: 1, Total: 1000}, nil}, // asked again
	} {
		now = now.Add(c.after)
		written = nil
		b.report(c.step)
		if len(written) != min(1, len(c.want)) {
			t.Errorf("%+v: writes %q, want %q", c.step, written, c.want)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(written[0], w) || w == "" && written[0] != "" {
				t.Errorf("%+v: writes %q, want %q", c.step, written[0], w)
			}
		}
	}
}

// TestTheContextCarriesTheBar: whoever it carries is told, with the interval so far, unless
// the question says otherwise.
func TestTheContextCarriesTheBar(t *testing.T) {
	m := mjq.Servers(3).Poisson(1).Class("a", 1, 0.5, mjq.LogNormalMeanSCV(1, 2)).Class("b", 2, 0.5, mjq.ExpMean(1))
	for _, c := range []struct {
		name string
		opts []mjq.Option
		want bool
	}{
		{"by itself", nil, true},
		{"turned off", []mjq.Option{mjq.Progress(nil)}, false},
		{"told another", []mjq.Option{mjq.Progress(func(mjq.Step) {})}, false},
	} {
		var steps int
		var mean result.Estimate
		ctx := progress.With(context.Background(), func(s result.Step) {
			steps++
			if s.Result != nil {
				mean = s.Result.All.Waiting.Mean
			}
		})
		if _, err := m.Solve(ctx, append(c.opts, mjq.Forward{Jobs: 2000}, mjq.RelErr(0.02), mjq.NoCache())...); err != nil {
			t.Fatal(err)
		}
		if (steps > 0) != c.want || mean.Known() != c.want {
			t.Errorf("%s: %d steps, mean %v", c.name, steps, mean)
		}
	}
}
