package mjq

import (
	"context"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

// seeded is the mean wait and the seed that a method reports.
type seeded func(m Model, seed ...uint64) (mean float64, used uint64)

// methods are all that draw random numbers, each asked with the given seed, if
// any.
func methods() map[string]seeded {
	ctx := context.Background()
	of := func(r *result.Result, err error) (float64, uint64) {
		Must(r, err)
		return r.All.Waiting.Mean.Value, r.Run.Seed
	}
	return map[string]seeded{
		"pile": func(m Model, seed ...uint64) (float64, uint64) {
			q := []Option{Pile{}, MaxJobs(1)}
			for _, s := range seed {
				q = append(q, Seed(s))
			}
			st := Must(m.Stability(ctx, q...))
			return st.Rate, st.Seed
		},
		"backward": func(m Model, seed ...uint64) (float64, uint64) {
			q := []Option{Backward{Samples: 256, Window: 4096}}
			for _, s := range seed {
				q = append(q, Seed(s))
			}
			return of(m.Solve(ctx, q...))
		},
		"certified": func(m Model, seed ...uint64) (float64, uint64) {
			q := []Option{Certified{Eps: 1e-9, Samples: 256}}
			for _, s := range seed {
				q = append(q, Seed(s))
			}
			return of(m.Solve(ctx, q...))
		},
		"forward": func(m Model, seed ...uint64) (float64, uint64) {
			q := []Option{Forward{Jobs: 2000, WarmUp: 400}}
			for _, s := range seed {
				q = append(q, Seed(s))
			}
			return of(m.Solve(ctx, q...))
		},
		"simulate": func(m Model, seed ...uint64) (float64, uint64) {
			q := []Option{Simulation{Jobs: 2000, WarmUp: 400}}
			for _, s := range seed {
				q = append(q, Seed(s))
			}
			return of(m.Solve(ctx, q...))
		},
		"unbiased": func(m Model, seed ...uint64) (float64, uint64) {
			q := []Option{Unbiased{Samples: 64}}
			for _, s := range seed {
				q = append(q, Seed(s))
			}
			return of(m.Solve(ctx, q...))
		},
		"dominated": func(m Model, seed ...uint64) (float64, uint64) {
			q := []Option{Dominated{Samples: 256}}
			for _, s := range seed {
				q = append(q, Seed(s))
			}
			return of(m.Solve(ctx, q...))
		},
		"path": func(m Model, seed ...uint64) (float64, uint64) {
			var q []Option
			for _, s := range seed {
				q = append(q, Seed(s))
			}
			p := Must(m.Path(ctx, 0, 100, q...))
			return p.Jobs[1].Arrival, p.Seed
		},
		"sweep": func(m Model, seed ...uint64) (float64, uint64) {
			q := []Option{Backward{Samples: 256}}
			for _, s := range seed {
				q = append(q, Seed(s))
			}
			sw := Must(Sweep(ctx, m, Grid{}, q...))
			return of(sw.At(0), nil)
		},
	}
}

// No two methods have the same default, the default is what the result reports,
// and asking for it by Seed gives the same digits.
func TestDefaultSeeds(t *testing.T) {
	m := Servers(2).Poisson(0.6).Class("one", 1, 0.7, ExpMean(1)).Class("two", 2, 0.3, ExpMean(1))
	by := map[uint64]string{}
	for name, ask := range methods() {
		mean, seed := ask(m)
		if other, taken := by[seed]; taken {
			t.Errorf("%s and %s have the same default seed %d", name, other, seed)
		}
		by[seed] = name
		if again, used := ask(m, seed); again != mean || used != seed {
			t.Errorf("%s gives %v without a seed and %v (seed %d) with the one that it reports, %d", name, mean, again, used, seed)
		}
		if other, used := ask(m, seed+100); other == mean || used != seed+100 {
			t.Errorf("%s: Seed changes nothing: %v, then %v (seed %d)", name, mean, other, used)
		}
	}
}

// With the same seed two methods that must agree job by job do so, and without
// one they are independent: the event list and the recurrence, and two ways of
// coupling from the past, of which neither can be told by its mean when both see
// the same jobs.
func TestSameSeedSameJobs(t *testing.T) {
	m := Servers(2).Poisson(0.6).Class("one", 1, 0.7, ExpMean(1)).Class("two", 2, 0.3, ExpMean(1))
	all := methods()
	for _, pair := range [][2]string{{"forward", "simulate"}, {"backward", "certified"}} {
		a, b := all[pair[0]], all[pair[1]]
		x, _ := a(m, 5)
		y, _ := b(m, 5)
		if diff := x - y; diff > 1e-9 || diff < -1e-9 {
			t.Errorf("%s and %s with the same seed: %v and %v", pair[0], pair[1], x, y)
		}
		x, _ = a(m)
		y, _ = b(m)
		if diff := x - y; diff < 1e-4 && diff > -1e-4 {
			t.Errorf("%s and %s without a seed agree, %v and %v: they share their jobs", pair[0], pair[1], x, y)
		}
	}
}
