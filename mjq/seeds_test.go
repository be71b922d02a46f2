package mjq

import "testing"

// seeded is the mean wait and the seed that a method reports.
type seeded func(m Model, opts ...Option) (mean float64, used uint64)

// seededMethods are all that draw random numbers.
func seededMethods() map[string]seeded {
	solved := func(how Method) seeded {
		return func(m Model, opts ...Option) (float64, uint64) {
			r := Must(m.Solve(background, append(opts, how)...))
			return r.All.Waiting.Mean.Value, r.Run.Seed
		}
	}
	return map[string]seeded{
		"backward":  solved(Backward{Samples: 256, Window: 4096}),
		"certified": solved(Certified{Eps: 1e-9, Samples: 256}),
		"forward":   solved(Forward{Jobs: 2000, WarmUp: 400}),
		"simulate":  solved(Simulation{Jobs: 2000, WarmUp: 400}),
		"unbiased":  solved(Unbiased{Samples: 64}),
		"dominated": solved(Dominated{Samples: 256}),
		"pile": func(m Model, opts ...Option) (float64, uint64) {
			st := Must(m.Stability(background, append(opts, Pile{}, MaxJobs(1))...))
			return st.Rate, st.Seed
		},
		"path": func(m Model, opts ...Option) (float64, uint64) {
			p := Must(m.Path(background, 0, 100, opts...))
			return p.Jobs[1].Arrival, p.Seed
		},
		"sweep": func(m Model, opts ...Option) (float64, uint64) {
			r := Must(Sweep(background, m, Grid{}, append(opts, Backward{Samples: 256})...)).At(0)
			return r.All.Waiting.Mean.Value, r.Run.Seed
		},
	}
}

// No two methods have the same default, the default is what the result reports,
// and asking for it by Seed gives the same digits.
func TestDefaultSeeds(t *testing.T) {
	m := Servers(2).Poisson(0.6).Class("one", 1, 0.7, ExpMean(1)).Class("two", 2, 0.3, ExpMean(1))
	by := map[uint64]string{}
	for name, ask := range seededMethods() {
		mean, seed := ask(m)
		if other, taken := by[seed]; taken {
			t.Errorf("%s and %s have the same default seed %d", name, other, seed)
		}
		by[seed] = name
		if again, used := ask(m, Seed(seed)); again != mean || used != seed {
			t.Errorf("%s gives %v without a seed and %v (seed %d) with the one that it reports, %d", name, mean, again, used, seed)
		}
		if other, used := ask(m, Seed(seed+100)); other == mean || used != seed+100 {
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
	all := seededMethods()
	for _, pair := range [][2]string{{"forward", "simulate"}, {"backward", "certified"}} {
		a, b := all[pair[0]], all[pair[1]]
		x, _ := a(m, Seed(5))
		y, _ := b(m, Seed(5))
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
