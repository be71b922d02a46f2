package soak

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// in is the model with every time multiplied by u, built anew.
func in(t *testing.T, m mjq.Model, u float64) mjq.Model {
	t.Helper()
	s := *problem.New(m.Spec()).WithLaws(func(_ int, l mjq.Law) mjq.Law { return l.Scaled(u) })
	s.Load = nil
	if gap, ok := s.Gap(); ok {
		s.Arrivals = arrival.Renewal{Gap: gap.Scaled(u)}
	}
	st := *mjq.Must(m.Stability(background)) // asking anew is left to the verbs "limit" and "pile"
	st.Rate, st.HalfWidth, st.IdealRate, st.Work = st.Rate/u, st.HalfWidth/u, st.IdealRate/u, st.Work*u
	st.Resources = slices.Clone(st.Resources)
	for i := range st.Resources {
		st.Resources[i].IdealRate /= u
	}
	return mjq.FromSpec(&s).WithLimit(&st)
}

// quantity is a number of a result and the power of the unit that it has, and how
// far off it may be besides rounding, where it comes from cells of a histogram.
type quantity struct {
	name  string
	value float64
	power int
	cell  float64
}

type quantities []quantity

func (q *quantities) add(name string, value float64, power int) {
	*q = append(*q, quantity{name, value, power, 0})
}

func (q *quantities) estimate(name string, e result.Estimate, power int) {
	q.add(name, e.Value, power)
	q.add(name+", half-width", e.HalfWidth, power)
}

func (q *quantities) flag(name string, yes bool) {
	value := 0.0
	if yes {
		value = 1
	}
	q.add(name, value, 0)
}

func (q *quantities) metric(name string, m *result.Metric) {
	q.estimate(name+", mean", m.Mean, 1)
	q.estimate(name+", variance", m.Variance, 2)
	for _, p := range []float64{0.1, 0.5, 0.9, 0.99} {
		e := m.Quantile(p)
		cells := 0.008 * e.Value // two cells
		if e.HalfWidth > 0 {
			cells += 0.008 * e.HalfWidth
		}
		*q = append(*q, quantity{fmt.Sprintf("%s, %v-quantile", name, p), e.Value, 1, cells},
			quantity{fmt.Sprintf("%s, half-width of the %v-quantile", name, p), e.HalfWidth, 1, 2 * cells})
	}
	e := m.CDF(m.Mean.Value)
	*q = append(*q, quantity{name + ", distribution at the mean", e.Value, 0, 0.06}) // one of twenty may change its cell
}

func (q *quantities) stability(st *result.Stability) {
	q.estimate("limit", st.Estimate(), -1)
	q.add("limit without blocking", st.IdealRate, -1)
	q.add("work", st.Work, 1)
	q.add("wasted in saturation", st.Wasted, 0)
	q.add("jobs of the pile", float64(st.Jobs), 0)
	q.flag("limit met", st.Met)
	for _, x := range st.Resources {
		q.add("limit of "+x.Name, x.IdealRate, -1)
		q.add("wasted of "+x.Name, x.Wasted, 0)
	}
}

func (q *quantities) result(r *result.Result) {
	q.add("rate", r.Rate, -1)
	q.stability(&r.Limit)
	q.flag("stable", r.Stable)
	for i := range r.Classes {
		q.metric("wait of "+r.Classes[i].Name, &r.Classes[i].Waiting)
		q.metric("response of "+r.Classes[i].Name, &r.Classes[i].Response)
	}
	q.metric("wait", &r.All.Waiting)
	q.metric("response", &r.All.Response)
	q.estimate("waste", r.WastedHOL, 0)
	q.estimate("idle", r.Idle, 0)
	q.estimate("utilisation", r.Utilization, 0)
	q.estimate("jobs", r.MeanJobs, 0)
	q.add("P(1 job)", r.Jobs.Probability(1), 0)
	q.add("second moment of the line", r.Queue.Moment(2), 0)
	for _, x := range r.Resources {
		q.estimate("waste of "+x.Name, x.WastedHOL, 0)
	}
	for i, n := range []int64{int64(r.Run.Samples), r.Run.Steps, r.Run.Window, r.Run.MinWindow, r.Run.MaxWindow,
		int64(r.Run.NotCoalesced), r.Run.Jobs, int64(r.Run.Block), int64(len(r.Notes))} {
		q.add([]string{"samples", "steps", "window", "narrow", "wide", "capped", "jobs of a run", "block", "notes"}[i], float64(n), 0)
	}
	q.add("θ", r.Run.Theta, -1)
	q.add("gain", r.Run.VarianceReduction, 0)
	q.flag("met", r.Run.Met)
}

// compareUnits holds what was found with times multiplied by u against what was
// found without; exact asks for the same bits but for the exponent.
func compareUnits(t *testing.T, what string, u float64, exact bool, one, other quantities) {
	t.Helper()
	if len(one) != len(other) {
		t.Errorf("%s at u = %g: %d quantities, %d without", what, u, len(other), len(one))
		return
	}
	_, e := math.Frexp(u)
	exact = exact && math.Ldexp(0.5, e) == u
	for i, q := range one {
		got, want := other[i].value, q.value*math.Pow(u, float64(q.power))
		if exact {
			want = math.Ldexp(q.value, (e-1)*q.power)
		}
		if got == want || math.IsNaN(got) && math.IsNaN(q.value) {
			continue
		}
		tolerance := 1e-9*math.Abs(want) + (q.cell+1e-14)*math.Pow(u, float64(q.power))
		if exact {
			tolerance = 0
		}
		if !(math.Abs(got-want) <= tolerance) {
			t.Errorf("%s at u = %g: %s is %v, should be %v", what, u, q.name, got, want)
		}
	}
}

// unitVerbs are all methods, with little effort.
var unitVerbs = map[string]func(m mjq.Model) (*result.Result, error){
	"backward": func(m mjq.Model) (*result.Result, error) {
		return m.Solve(background, mjq.Backward{Samples: 96, AgreeTogether: 32, Window: 200})
	},
	"forward": func(m mjq.Model) (*result.Result, error) { return m.Solve(background, mjq.Forward{Jobs: 200}) },
	"forward, by": func(m mjq.Model) (*result.Result, error) {
		return m.Solve(background, mjq.Forward{Controls: mjq.PlainControls, Jobs: 300, Replications: 32})
	},
	"certified": func(m mjq.Model) (*result.Result, error) { return m.Solve(background, mjq.Certified{Samples: 20}) },
	"certified, followed": func(m mjq.Model) (*result.Result, error) {
		return m.Solve(background, mjq.Certified{Samples: 20, PathLength: 200})
	},
	"unbiased": func(m mjq.Model) (*result.Result, error) {
		return m.Solve(background, mjq.Unbiased{Samples: 20, Window: 200})
	},
	"unbiased, followed": func(m mjq.Model) (*result.Result, error) {
		return m.Solve(background, mjq.Unbiased{Samples: 20, Window: 200, PathLength: 200})
	},
	"unbiased, coupled": func(m mjq.Model) (*result.Result, error) {
		return m.Policy(mjq.FirstFit()).Solve(background, mjq.Unbiased{Samples: 20})
	},
	"dominated": func(m mjq.Model) (*result.Result, error) { return m.Solve(background, mjq.Dominated{Samples: 100}) },
	"simulate":  func(m mjq.Model) (*result.Result, error) { return m.Solve(background, mjq.Simulation{Jobs: 200}) },
	"batches": func(m mjq.Model) (*result.Result, error) {
		return m.Solve(background, mjq.Simulation{Jobs: 2000, BatchMeans: 20})
	},
	"exact": func(m mjq.Model) (*result.Result, error) { return m.Solve(background, mjq.Exact{}) },
	"limit": func(m mjq.Model) (*result.Result, error) { return ofLimit(m, mjq.Exact{}) },
	"pile": func(m mjq.Model) (*result.Result, error) {
		return ofLimit(m, mjq.Options(mjq.Pile{Replications: 16}, mjq.MaxJobs(1)))
	},
}

// ofLimit is a result that holds nothing but the limit.
func ofLimit(m mjq.Model, q mjq.Option) (*result.Result, error) {
	st, err := m.Stability(background, q)
	if err != nil {
		return nil, err
	}
	return &result.Result{Limit: *st}, nil
}

// rounded is a model whose services take the logarithm of the mean.
const rounded = "lognormal"

// unitModels have every kind of law, needs of every kind, and gaps that are not
// exponential; their limit is not asked for again at every load.
func unitModels(t *testing.T) map[string]mjq.Model {
	t.Helper()
	all := map[string]mjq.Model{
		"tails": mjq.Servers(4).Class("a", 1, 0.6, mjq.LomaxScaleShape(1, 3.5)).Class("b", 3, 0.4, mjq.WeibullMeanShape(1, 0.7)).AtRate(0.6),
		"bounded": mjq.Servers(3).Class("b", 2, 0.8, mjq.BoundedPareto(0.1, 20, 1.3)).
			Class("c", 3, 0.2, mjq.Empirical([]float64{0.5, 1, 2})).AtRate(0.5),
		rounded: mjq.Servers(3).Class("a", 1, 1, mjq.LogNormalMeanSCV(1, 2)).AtRate(2),
		"phases": mjq.Servers(3).Class("a", 1, 0.6, mjq.PhaseType([]float64{0.3, 0.5}, [][]float64{{-2, 1}, {0, -1}})).
			Class("b", 2, 0.4, mjq.Cox2(1, 0.2, 0.3)).AtRate(0.6),
		"erlang":   mjq.Servers(5).Arrivals(mjq.ErlangMeanPhases(1, 2)).Class("a", 1, 0.7, mjq.ErlangMeanPhases(0.4, 3)).Class("b", 4, 0.3, mjq.HyperExpMeans(3, 0.3, 0.1)).AtRate(0.9),
		"unstable": mjq.Servers(2).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 2, 0.5, mjq.ExpMean(2)).AtRate(3),
		"1 and 3":  mjq.Servers(4).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 3, 0.5, mjq.ExpMean(2)).AtRate(0.45),
	}
	for _, name := range []string{"tails", "bounded"} {
		m := all[name]
		all[name] = m.WithLimit(mjq.Must(m.Stability(background, mjq.Pile{Replications: 16}, mjq.RelErr(0.05))))
	}
	rnd := rand.New(rand.NewPCG(11, 12))
	for i := range 1 {
		trial := randomTrial(rnd)
		for c := range trial.Classes {
			trial.Classes[c].Law %= phaseTypes // another test has bounds that must be proved by simulation
		}
		m, err := trial.model()
		if err != nil {
			t.Fatal(err)
		}
		all[fmt.Sprint("random ", i)] = m
	}
	return all
}

// Multiplying all times by u multiplies every result by its power of u: by a
// power of two to the last bit, by another number up to rounding. Methods and queues take turns.
func TestUnits(t *testing.T) {
	models := unitModels(t)
	for i, name := range slices.Sorted(maps.Keys(models)) {
		m := models[name]
		for k, verb := range slices.Sorted(maps.Keys(unitVerbs)) {
			ask := unitVerbs[verb]
			if name == "bounded" && strings.HasPrefix(verb, "certified") {
				continue // tens of seconds; package sampling looks at the search for its bound
			}
			u := []float64{0x1p-40, 1e12}[(i+k)%2]
			r, err := ask(in(t, m, 1))
			o, fault := ask(in(t, m, u))
			if (err == nil) != (fault == nil) {
				t.Errorf("%s, %s at u = %g: error %v, without %v", name, verb, u, fault, err)
			}
			if err == nil && fault == nil {
				var one, other quantities
				one.result(r)
				other.result(o)
				compareUnits(t, name+", "+verb, u, name != rounded, one, other)
			}
		}
	}
}

// The queues of papers, clusters, fits and traces, in any unit.
func TestUnitsElsewhere(t *testing.T) {
	cluster := func(q *quantities, c mjq.Model, u float64, backward bool) {
		m := in(t, c, u)
		q.result(mjq.Must(m.Solve(background, mjq.Forward{Jobs: 500})))
		if backward {
			q.result(mjq.Must(m.Solve(background, mjq.Backward{Samples: 300, Window: 300})))
			q.result(mjq.Must(m.Solve(background, mjq.Unbiased{Samples: 20, Window: 300})))
		}
		q.result(mjq.Must(ofLimit(m, mjq.Options(mjq.Pile{Replications: 16}, mjq.MaxJobs(1)))))
	}
	types := mjq.Resources("cpu", 6).Resources("gpu", 2).Poisson(0.5).Needing("a", mjq.Needs{"cpu": 2, "gpu": 1}, 0.6, mjq.ExpMean(1)).
		Needing("b", mjq.Needs{"cpu": 5}, 0.4, mjq.ErlangMeanPhases(1, 2))
	named := mjq.Servers(3).Poisson(0.6).Specific("a", mjq.Pick{Named: []int{1, 3}}, 0.5, mjq.ExpMean(1)).
		Specific("b", mjq.Pick{Named: []int{2}}, 0.5, mjq.ExpMean(1))
	random := mjq.Servers(3).Class("a", 1, 0.6, mjq.ExpMean(1)).Class("b", 2, 0.4, mjq.ExpMean(1)).AtRate(0.7).RandomAssignment()
	for name, ask := range map[string]func(u float64) quantities{
		"types of resources": func(u float64) (q quantities) { cluster(&q, types, u, true); return q },
		"as printed":         func(u float64) (q quantities) { cluster(&q, types.AsPrinted(), u, true); return q },
		"named servers":      func(u float64) (q quantities) { cluster(&q, named, u, true); return q },
		"random assignment":  func(u float64) (q quantities) { cluster(&q, random, u, true); return q },
		"heavy traffic": func(u float64) (q quantities) {
			h := mjq.Must(mjq.Servers(4).Class("a", 1, 0.5, mjq.ErlangMeanPhases(u, 2)).Class("b", 3, 0.5, mjq.Cox2(u, 2*u, 0.5)).HeavyTraffic(background))
			q.add("completions", h.RelativeCompletions, 0)
			q.add("jobs", h.MeanJobs(0.3/u), 0)
			return q
		},
		"fits": func(u float64) (q quantities) {
			for i, m := range [][3]float64{{1, 3, 18}, {1, 1.4, 2.5}} {
				l := mjq.Must(law.FitThreeMoments(m[0]*u, m[1]*u*u, m[2]*u*u*u))
				q.add(fmt.Sprint("mean of ", i), l.Mean(), 1)
				q.add(fmt.Sprint("variance of ", i), l.Variance(), 2)
				q.add(fmt.Sprint("median of ", i), l.Quantile(0.5), 1)
			}
			q.add("median", law.FitMeanSCV(u, 0.3).Quantile(0.5), 1)
			return q
		},
	} {
		one := ask(1)
		for _, u := range []float64{0x1p40, 1e-12} {
			compareUnits(t, name, u, false, one, ask(u))
		}
	}
}
