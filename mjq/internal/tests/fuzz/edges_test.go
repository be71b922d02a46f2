package fuzz

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

var background = context.Background()

// samplers are all ways to sample a model, at a small effort.
var samplers = []struct {
	name string
	run  func(ctx context.Context, m mjq.Model) (*result.Result, error)
}{
	{"backward", func(ctx context.Context, m mjq.Model) (*result.Result, error) {
		return m.Solve(ctx, mjq.Backward{Samples: 300, Window: 200})
	}},
	{"forward", func(ctx context.Context, m mjq.Model) (*result.Result, error) {
		return m.Solve(ctx, mjq.Forward{Jobs: 5000, Replications: 20})
	}},
	{"dominated", func(ctx context.Context, m mjq.Model) (*result.Result, error) {
		return m.Solve(ctx, mjq.Dominated{Samples: 300})
	}},
	{"certified", func(ctx context.Context, m mjq.Model) (*result.Result, error) {
		return m.Solve(ctx, mjq.Certified{Samples: 300})
	}},
	{"unbiased", func(ctx context.Context, m mjq.Model) (*result.Result, error) {
		return m.Solve(ctx, mjq.Unbiased{Samples: 300})
	}},
	{"events", func(ctx context.Context, m mjq.Model) (*result.Result, error) {
		return m.Solve(ctx, mjq.Simulation{Jobs: 5000, Replications: 20})
	}},
}

// TestEdgesAnswerOrRefuse gives every sampler the models at the edge: one
// class, a class of all servers, no variance, infinite variance. Each gives the
// mean wait of theory or an error that says what to do; none may be silent.
func TestEdgesAnswerOrRefuse(t *testing.T) {
	allOf := func(l mjq.Law) mjq.Model { return mjq.Servers(3).Class("all", 3, 1, l) }
	for _, c := range []struct {
		name string
		m    mjq.Model
		want float64 // mean wait

		unproven bool
	}{
		{"one class, all servers", allOf(mjq.ExpMean(1)).Poisson(0.5), 1, true},
		{"no variance of service", allOf(mjq.Deterministic(1)).Poisson(0.5), 0.5, false},
		{"no variance at all", allOf(mjq.Deterministic(1)).Arrivals(mjq.Deterministic(2)), 0, true},
		{"infinite variance", allOf(mjq.LomaxScaleShape(0.8, 1.8)).Poisson(0.3), math.Inf(1), false},
	} {
		for _, s := range samplers {
			if s.name == "certified" && c.unproven { // a proof takes a second or two
				continue
			}
			r, err := s.run(background, c.m)
			switch {
			case err != nil:
				if s.name != "dominated" && s.name != "certified" || !strings.Contains(err.Error(), "; use ") {
					t.Errorf("%s, %s: refused with %q", c.name, s.name, err)
				}
			case math.IsInf(c.want, 1):
				if !strings.Contains(strings.Join(r.Notes, " "), "infinite") && !math.IsInf(r.All.Waiting.Mean.Value, 1) {
					t.Errorf("%s, %s: no note of it in %q", c.name, s.name, r.Notes)
				}
			case c.want == 0:
				if r.All.Waiting.Mean.Value != 0 {
					t.Errorf("%s, %s: mean wait %v, want 0", c.name, s.name, r.All.Waiting.Mean)
				}
			default:
				oracle.Within(t, c.name+", "+s.name, r.All.Waiting.Mean, c.want, 5)
			}
		}
	}
}

// TestEdgeOfStability stops every sampler at 0.999 of the limit: what comes
// back is an error and no result, or one that says it is partial and prints.
// A mean takes two samples. Fixed numbers of jobs may be done in time.
func TestEdgeOfStability(t *testing.T) {
	m := mjq.Servers(2).Class("one", 1, 0.5, mjq.ExpMean(1)).Class("all", 2, 0.5, mjq.ExpMean(1))
	m = m.AtRate(0.999 * mjq.Must(m.Stability(background)).Rate)
	for _, s := range samplers {
		ctx, cancel := context.WithTimeout(background, 250*time.Millisecond)
		r, err := s.run(ctx, m)
		cancel()
		if err == nil {
			if !r.Run.Complete || math.IsNaN(r.All.Waiting.Mean.Value) {
				t.Errorf("%s: no error, complete %v, mean wait %v", s.name, r.Run.Complete, r.All.Waiting.Mean)
			}
			continue
		}
		if r != nil && (r.Run.Complete || r.Run.Samples < 0) {
			t.Errorf("%s: %v, but the result calls itself complete", s.name, err)
		}
		if r != nil && (r.String() == "" || r.Run.Samples > 1 && math.IsNaN(r.All.Waiting.Mean.Value)) {
			t.Errorf("%s: the partial result of %d samples has mean wait %v", s.name, r.Run.Samples, r.All.Waiting.Mean)
		}
	}
}
