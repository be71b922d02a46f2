package spellings

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/result"
)

// answers are numbers by name, which two spellings of one queue must share.
type answers map[string]float64

// estimate adds a value, if it is known.
func (a answers) estimate(name string, e result.Estimate) {
	if e.Known() {
		a[name] = e.Value
	}
}

// metric adds moments and the distribution of a time, in so many of the unit.
func (a answers) metric(name string, m *result.Metric, unit float64) {
	if m.Mean.Known() {
		a[name+" mean"] = m.Mean.Value / unit
	}
	if m.Variance.Known() {
		a[name+" variance"] = m.Variance.Value / unit / unit
	}
	for _, p := range []float64{0.5, 0.9, 0.99} {
		if q := m.Quantile(p); q.Known() {
			a[fmt.Sprintf("%s %v-quantile", name, p)] = q.Value / unit
		}
	}
	for _, x := range []float64{0.3, 1, 3} {
		a.estimate(fmt.Sprintf("%s within %v", name, x), m.CDF(x*unit))
	}
}

// class adds what is known of a class.
func (a answers) class(name string, c *result.ClassResult, unit float64) {
	a.metric(name+" wait", &c.Waiting, unit)
	a.metric(name+" response", &c.Response, unit)
	a.estimate(name+" no wait", c.Waiting.NoWait)
	a.estimate(name+" at once", c.AtOnce)
	a.estimate(name+" blocked", c.Blocked)
	a.estimate(name+" blocked time", c.BlockedTime)
	a.estimate(name+" left", c.Left)
}

// spelling is a queue, with the unit of its times and of its servers.
type spelling struct {
	name    string
	model   mjq.Model
	unit    float64 // 0: 1
	servers float64
	whole   bool // distributions, too
}

// solved are the answers of Solve.
func solved(ctx context.Context, s spelling) (answers, error) {
	r, err := s.model.Solve(ctx, mjq.Exact{MomentsOnly: !s.whole})
	if err != nil {
		return nil, err
	}
	a := answers{}
	a.class("all", &r.All, s.unit)
	for i := range r.Classes {
		a.class("class "+r.Classes[i].Name, &r.Classes[i], s.unit)
	}
	a.estimate("utilization", r.Utilization)
	a.estimate("jobs", r.MeanJobs)
	a.estimate("blocked work", r.BlockedWork)
	for name, e := range map[string]result.Estimate{"idle": r.Idle, "wasted": r.WastedHOL} {
		e.Value /= s.servers
		a.estimate(name, e)
	}
	for n := range 4 {
		if p := r.Jobs.Probability(n); !math.IsNaN(p) {
			a[fmt.Sprint(n, " jobs")] = p
		}
	}
	return a, nil
}

// questions are those that are answered exactly.
var questions = map[string]func(ctx context.Context, s spelling) (answers, error){
	"Solve": solved,
	"Stability": func(ctx context.Context, s spelling) (answers, error) {
		st, err := s.model.Stability(ctx, mjq.Exact{})
		if err != nil {
			return nil, err
		}
		return answers{"rate": st.Rate * s.unit}, nil
	},
	"Capacity": func(ctx context.Context, s spelling) (answers, error) {
		c, err := s.model.Capacity(ctx)
		if err != nil {
			return nil, err
		}
		return answers{"rate": c.Rate * s.unit}, nil
	},
	"Sensitivities": func(ctx context.Context, s spelling) (answers, error) {
		x, err := s.model.Sensitivities(ctx, mjq.Exact{MomentsOnly: true})
		if err != nil {
			return nil, err
		}
		return answers{"wait": x.Wait.Value / s.unit, "by rate": x.ByRate.Value / s.unit / s.unit}, nil
	},
	"FewestServers": func(ctx context.Context, s spelling) (answers, error) {
		n, err := s.model.FewestServers(ctx, mjq.MeanWait(0.2*s.unit), mjq.Exact{MomentsOnly: true})
		if err != nil {
			return nil, err
		}
		return answers{"servers": n.Best / s.servers}, nil
	},
	"LargestRate": func(ctx context.Context, s spelling) (answers, error) {
		n, err := s.model.LargestRate(ctx, mjq.MeanWait(0.2*s.unit), mjq.Exact{MomentsOnly: true})
		if err != nil {
			return nil, err
		}
		return answers{"rate": n.Best * s.unit}, nil
	},
	"CheapestMix": func(ctx context.Context, s spelling) (answers, error) {
		n, err := s.model.CheapestMix(ctx, map[string]float64{"cpu": 1, "gpu": 3}, mjq.Blocked(0.1), mjq.Exact{})
		if err != nil {
			return nil, err
		}
		return answers{"cost": n.Best, "cpu": float64(n.Mix[0].Units), "gpu": float64(n.Mix[1].Units)}, nil
	},
	"Optimum": func(ctx context.Context, s spelling) (answers, error) {
		o, err := s.model.Optimum(ctx, mjq.PolicyIteration{})
		if err != nil {
			return nil, err
		}
		return answers{"wait": o.Wait.Value / s.unit, "cost": o.Cost.Value}, nil
	},
	"Transient": func(ctx context.Context, s spelling) (answers, error) {
		x, err := s.model.Transient(ctx, mjq.State{Line: []string{"narrow"}}, mjq.Horizon{Until: 2 * s.unit, Parts: 2}, mjq.Exact{})
		if err != nil {
			return nil, err
		}
		return parts(x, s), nil
	},
	"ByTime": func(ctx context.Context, s spelling) (answers, error) {
		m := s.model
		if _, ok := m.Spec().Arrivals.(arrival.Profile); !ok {
			m = m.Profile(4*s.unit, 0.8*m.Rate(), 1.2*m.Rate())
		}
		x, err := m.ByTime(ctx, 2, mjq.Exact{})
		if err != nil {
			return nil, err
		}
		return parts(x, s), nil
	},
}

// parts are the answers by time.
func parts(x *result.Transient, s spelling) answers {
	a := answers{}
	for i, p := range x.Parts {
		a.metric(fmt.Sprint("part ", i, " wait"), &p.All.Waiting, s.unit)
		a.estimate(fmt.Sprint("part ", i, " jobs"), p.MeanJobs)
		a.estimate(fmt.Sprint("part ", i, " utilization"), p.Utilization)
		a.estimate(fmt.Sprint("part ", i, " no wait"), p.All.Waiting.NoWait)
	}
	return a
}

// same compares two answers. Names that only one has do not count: what is known may differ.
func same(t *testing.T, what string, a, b answers) {
	t.Helper()
	common := 0
	for _, name := range slices.Sorted(maps.Keys(a)) {
		y, ok := b[name]
		if !ok {
			continue
		}
		common++
		if x := a[name]; !(math.Abs(x-y) <= tolerance(name)*max(math.Abs(x), math.Abs(y), scale(name))) && x != y {
			t.Errorf("%s: %s is %.12g and %.12g, off by %.2g", what, name, x, y, math.Abs(x/y-1))
		}
	}
	if common == 0 {
		t.Errorf("%s: no number in common of %d and %d", what, len(a), len(b))
	}
}

// tolerance is the relative error of moments, and that of distributions, which are
// interpolated, and derivatives, which are differences.
func tolerance(name string) float64 {
	switch {
	case strings.Contains(name, "by rate"):
		return 1e-7
	case strings.Contains(name, "quantile"), strings.Contains(name, "within"):
		return 1e-8
	}
	return 1e-9
}

// scale is what an error may be relative to where a number is nearly 0.
func scale(name string) float64 {
	if strings.Contains(name, "variance") {
		return 1e-3
	}
	return 1e-5
}

// long are the questions that solve many queues, or follow one for long.
var long = []string{"ByTime", "CheapestMix", "FewestServers", "LargestRate", "Optimum", "Sensitivities"}

// asked is how long a question may take before it counts as one that is not answered.
const asked = 30 * time.Second

// TestTwoSpellings asks every exact question of each queue in all its spellings. Solve answers
// all but those whose rate changes; another question that one spelling refuses is left out for it.
func TestTwoSpellings(t *testing.T) {
	compared, ran := map[string]int{}, 0
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ran++
			for _, q := range slices.Sorted(maps.Keys(questions)) {
				if !c.whole && slices.Contains(long, q) {
					continue
				}
				var first answers
				var refused []error
				for _, s := range c.spellings {
					s.whole = c.whole
					if s.unit == 0 {
						s.unit = 1
					}
					if s.servers == 0 {
						s.servers = 1
					}
					ctx, cancel := context.WithTimeout(context.Background(), asked)
					a, err := questions[q](ctx, s)
					late := ctx.Err()
					cancel()
					if late != nil {
						t.Errorf("%s of %q takes longer than %v: %v", q, s.name, asked, err)
					}
					if err != nil {
						refused = append(refused, err)
						continue
					}
					if first == nil {
						first = a
						continue
					}
					same(t, q+" of "+s.name, a, first)
					compared[q]++
				}
				if q == "Solve" && len(refused) > 0 && c.name != "profiles" {
					t.Errorf("%d of %d spellings are not solved: %v", len(refused), len(c.spellings), errors.Join(refused...))
				}
			}
		})
	}
	for q := range questions {
		if compared[q] == 0 && ran == len(cases) {
			t.Errorf("no two spellings have an answer of %s", q)
		}
	}
}
