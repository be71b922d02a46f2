package mjq

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/remember"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// remembering has the test remember in a folder of its own, however quickly the answers
// come.
func remembering(t *testing.T) {
	t.Helper()
	Remember(t.TempDir())
	remember.Here().Worthwhile = 0
	t.Cleanup(func() { Remember("") })
}

// TestEveryVerbRemembers asks each verb twice: the second answer is the first to the bit
// and says when it was computed, and Fresh computes it anew.
func TestEveryVerbRemembers(t *testing.T) {
	remembering(t)
	m := Must(FiveClassExponential().Poisson(1.4).Build())
	type asked struct {
		answer any
		at     time.Time
	}
	sampled := func(r *result.Result, err error) asked { return asked{Must(r, err), r.Run.Remembered} }
	small := Must(Servers(4).Poisson(1).Class("a", 1, 0.7, ExpMean(1)).Class("b", 3, 0.3, ExpMean(0.5)).Build())
	day := Must(Servers(4).Profile(24, 0, 1, 2).Class("a", 1, 0.7, ExpMean(1)).Class("b", 3, 0.3, ExpMean(0.5)).Build())
	various := Servers(5000).Poisson(1)
	for i := range 12 {
		various = various.Class(fmt.Sprint(i), 7+131*i, 1.0/12, ExpMean(1))
	}
	many := Must(various.Build())
	start := State{Running: []Running{{Class: "b"}}, Line: []string{"b", "a"}}
	course := func(q CourseQuery) asked { c := Must(q.Run(t.Context())); return asked{c, c.Run.Remembered} }
	sized := func(s *result.Sizing, err error) asked { return asked{Must(s, err), s.Remembered} }
	sample, simulate := m.Sample(), m.Simulate().Jobs(5000).Replications(10)
	compare := Compare(m, FCFS(), FirstFit()).Jobs(5000).Replications(10)
	limit, path := m.Stability().Pile().MaxJobs(2_000_000).RelErr(0.1), m.Path().Jobs(30_000)
	for name, ask := range map[string]func(fresh bool) asked{
		"exact": func(f bool) asked {
			return sampled(either(f, m.Exact().MomentsOnly(), ExactQuery.Fresh).Run(t.Context()))
		},
		"forward": func(f bool) asked { return sampled(either(f, sample.Jobs(5000), SampleQuery.Fresh).Run(t.Context())) },
		"backward": func(f bool) asked {
			return sampled(either(f, sample.Backward().N(512), SampleQuery.Fresh).Run(t.Context()))
		},
		"certified": func(f bool) asked {
			return sampled(either(f, sample.Certified(1e-3).N(64), SampleQuery.Fresh).Run(t.Context()))
		},
		"unbiased": func(f bool) asked {
			return sampled(either(f, sample.Unbiased().N(64), SampleQuery.Fresh).Run(t.Context()))
		},
		"simulate": func(f bool) asked { return sampled(either(f, simulate, SimulateQuery.Fresh).Run(t.Context())) },
		"stability": func(f bool) asked {
			st := Must(either(f, limit, StabilityQuery.Fresh).Run(t.Context()))
			return asked{st, st.Remembered}
		},
		"path": func(f bool) asked {
			p := Must(either(f, path, PathQuery.Fresh).Run(t.Context()))
			return asked{p, p.Remembered}
		},
		"compare": func(f bool) asked {
			c := Must(either(f, compare, CompareQuery.Fresh).Run(t.Context()))
			return asked{c, c.Remembered}
		},
		"capacity": func(f bool) asked {
			c := Must(either(f, many.Capacity(), CapacityQuery.Fresh).Run(t.Context()))
			return asked{c, c.Remembered}
		},
		"MSR": func(f bool) asked { return sampled(either(f, turning(small, 40), MSRQuery.Fresh).Run(t.Context())) },
		"optimum": func(f bool) asked {
			o := Must(either(f, small.Optimum(), OptimumQuery.Fresh).Run(t.Context()))
			return asked{o, o.Run.Remembered}
		},
		"sensitivities": func(f bool) asked {
			s := Must(either(f, m.Sensitivities().Jobs(500), SensitivitiesQuery.Fresh).Run(t.Context()))
			return asked{s, s.Remembered}
		},
		"by time, simulated": func(f bool) asked {
			return course(either(f, day.Simulate().Jobs(2000).Replications(8).ByTime(6), CourseQuery.Fresh))
		},
		"by time, sampled": func(f bool) asked {
			return course(either(f, day.Sample().N(64).ByTime(6), CourseQuery.Fresh))
		},
		"by time, exact": func(f bool) asked { return course(either(f, day.Exact().ByTime(6), CourseQuery.Fresh)) },
		"from a state": func(f bool) asked {
			return course(either(f, small.Simulate().Replications(256).From(start).Until(50), CourseQuery.Fresh))
		},
		"from a state, exactly": func(f bool) asked {
			return course(either(f, small.Exact().From(start).Until(5), CourseQuery.Fresh))
		},
		"fewest servers": func(f bool) asked {
			return sized(either(f, Fewest(small).Quantile(0.9, 2).Using(small.Exact()), FewestQuery.Fresh).Run(t.Context()))
		},
		"largest rate": func(f bool) asked {
			return sized(either(f, Fewest(small).LargestRate().MeanWait(1), FewestQuery.Fresh).Run(t.Context()))
		},
		"heavy traffic": func(f bool) asked {
			h := Must(m.HeavyTraffic(t.Context()))
			if f {
				h.Remembered = time.Time{} // there is no Fresh of a single call
			}
			return asked{h, h.Remembered}
		},
		"sweep": func(f bool) asked {
			sw := Must(either(f, Sweep(m).Rates(1, 1.2).Using(sample.Backward().N(512)), SweepQuery.Fresh).Run(t.Context()))
			return asked{sw, sw.Jobs[1].Result.Run.Remembered}
		},
	} {
		t.Run(name, func(t *testing.T) {
			first := ask(false)
			second := ask(false)
			anew := ask(true)
			if !first.at.IsZero() || time.Since(second.at).Abs() > time.Minute || !anew.at.IsZero() {
				t.Errorf("remembered at first %v, then %v, and fresh %v", first.at, second.at, anew.at)
			}
			if a, b := bits(t, first.answer), bits(t, second.answer); !bytes.Equal(a, b) {
				t.Errorf("the remembered answer differs:\n%v\n%v", second.answer, first.answer)
			}
		})
	}
}

// turning is a policy of many schedules of the small model, one after another.
func turning(m *Model, schedules int) MSRQuery {
	jobs, generator := make([][]int, schedules), make([][]float64, schedules)
	for i := range jobs {
		jobs[i] = [][]int{{4, 0}, {1, 1}}[i%2]
		generator[i] = make([]float64, schedules)
		generator[i][i], generator[i][(i+1)%schedules] = -1, 1
	}
	return m.MSR().Schedules(jobs, generator)
}

func either[Q any](fresh bool, q Q, anew func(Q) Q) Q {
	if fresh {
		return anew(q)
	}
	return q
}

// bits are all digits of an answer, without the times of being remembered, of limits
// found on the way too.
func bits(t *testing.T, answer any) []byte {
	t.Helper()
	v := reflect.ValueOf(answer).Elem()
	forget(v)
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).EncodeValue(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func forget(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			forget(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			forget(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); v.Type().Field(i).Name == "Remembered" {
				f.SetZero()
			} else if f.CanSet() {
				forget(f)
			}
		}
	}
}

// TestAnEditedQuestionIsNew changes one thing after another in what is asked: each is
// computed, and so is none of them when asked again.
func TestAnEditedQuestionIsNew(t *testing.T) {
	remembering(t)
	cluster := func(servers int, mean float64) *Model {
		return Must(Servers(servers).Poisson(1.2).Class("small", 1, 0.7, ExpMean(mean)).Class("big", 8, 0.3, ExpMean(3)).Build())
	}
	m := cluster(20, 0.5)
	limit := Must(m.Limit(t.Context()))
	rough := *limit
	rough.Rate *= 1.01
	ask := func(m *Model) SampleQuery { return m.Sample().Backward().N(512).Seed(1) }
	questions := map[string]SampleQuery{
		"plain": ask(m), "servers": ask(cluster(24, 0.5)), "law": ask(cluster(20, 0.6)), "rate": ask(m.AtRate(1.3)),
		"load": ask(m.AtLoad(0.5)), "limit": ask(m.WithLimit(&rough)), "seed": ask(m).Seed(2), "samples": ask(m).N(600),
		"level": ask(m).Level(0.9), "method": m.Sample().Unbiased().N(512).Seed(1), "window": ask(m).Window(64),
	}
	for round := range 2 {
		for name, q := range questions {
			r := Must(q.Run(t.Context()))
			if known := !r.Run.Remembered.IsZero(); known != (round > 0) {
				t.Errorf("%s, round %d: remembered %v", name, round, r.Run.Remembered)
			}
		}
	}
	if r := Must(ask(m).Workers(1).Run(t.Context())); r.Run.Remembered.IsZero() {
		t.Error("another number of goroutines is another question")
	}
}

// TestAnEditedPlanIsNew does so with what is asked over time, of sizes, and of optimal
// policies.
func TestAnEditedPlanIsNew(t *testing.T) {
	remembering(t)
	m := Must(Servers(4).Poisson(1).Class("a", 1, 0.7, ExpMean(1)).Class("b", 3, 0.3, ExpMean(0.5)).Build())
	from := func(s State) CourseQuery { return m.Simulate().Replications(512).From(s).Until(20) }
	start := State{Running: []Running{{Class: "b"}}, Line: []string{"b"}}
	courses := map[string]CourseQuery{
		"plain": from(start), "line": from(State{Running: start.Running, Line: []string{"a"}}),
		"age":       from(State{Running: []Running{{Class: "b", Age: 1}}, Line: start.Line}),
		"remaining": from(State{Running: []Running{{Class: "b", Remaining: Deterministic(2)}}, Line: start.Line}),
		"longer":    from(State{Running: []Running{{Class: "b", Remaining: Deterministic(3)}}, Line: start.Line}),
		"until":     from(start).Until(21), "parts": from(start).Parts(5),
		"replications": m.Simulate().Replications(500).From(start).Until(20),
	}
	by := m.Sample().Jobs(6_000)
	sizes := Fewest(m).MeanWait(0.1).Using(by)
	fewest := map[string]FewestQuery{
		"plain": sizes, "target": Fewest(m).MeanWait(0.2).Using(by), "class": Fewest(m).MeanWait(0.1, "b").Using(by),
		"rate": sizes.LargestRate(), "need": sizes.LargestNeed("b"), "another need": sizes.LargestNeed("a"), "costs": sizes.Costs(1, 2),
		"method": sizes.Using(m.Sample().Jobs(7_000)), "level": sizes.Level(0.9), "seed": sizes.Seed(3),
	}
	optima := map[string]OptimumQuery{
		"plain": m.Optimum(), "preemptive": m.Optimum().Preemptive(), "weight": m.Optimum().Weight("a", 2), "error": m.Optimum().RelErr(1e-3),
	}
	first := map[string][]byte{}
	for round := range 2 {
		is := func(name string, at time.Time) {
			t.Helper()
			if at.IsZero() != (round == 0) {
				t.Errorf("%s, round %d: remembered %v", name, round, at)
			}
		}
		for name, q := range courses {
			is("course, "+name, Must(q.Run(t.Context())).Run.Remembered)
		}
		for name, q := range fewest {
			if round == 0 {
				q = q.Fresh() // looks that two of them share are not worth keeping twice
			}
			s := Must(q.Run(t.Context()))
			is("fewest, "+name, s.Remembered)
			if found := bits(t, s); round == 0 {
				first[name] = found
			} else if !bytes.Equal(found, first[name]) {
				t.Errorf("fewest, %s: remembered is another answer, %v", name, s)
			}
		}
		for name, q := range optima {
			is("optimum, "+name, Must(q.Run(t.Context())).Run.Remembered)
		}
	}
}

// nameless is a law of a user's without a written form.
type nameless struct{ law.Law }

// TestLawsOfUsers: without a written form they cannot be told apart, and nothing is
// remembered; with one it is as long as the program is the same.
func TestLawsOfUsers(t *testing.T) {
	remembering(t)
	for name, c := range map[string]struct {
		law  Law
		want bool
	}{
		"of the package": {ErlangMeanPhases(1, 2), true},
		"nameless":       {nameless{ErlangMeanPhases(1, 2)}, false},
		"with a form":    {formed{ErlangMeanPhases(1, 2)}, true},
	} {
		q := Must(Servers(4).Poisson(1.5).Class("a", 1, 0.9, c.law).Class("b", 4, 0.1, ExpMean(1)).Build()).Sample().Backward().N(512)
		Must(q.Run(t.Context()))
		if r := Must(q.Run(t.Context())); r.Run.Remembered.IsZero() == c.want {
			t.Errorf("%s: remembered %v", name, r.Run.Remembered)
		}
	}
}

// formed is a law of a user's with a written form.
type formed struct{ law.Law }

func (l formed) Form() law.Form {
	return law.Form{Name: "Formed", Parameters: []law.Parameter{{Name: "mean", Value: l.Mean()}}}
}

// TestOnlyWholeAnswersAreKept: not what was interrupted, and not what has missed its
// target.
func TestOnlyWholeAnswersAreKept(t *testing.T) {
	remembering(t)
	m := Must(FiveClassExponential().Poisson(1.4).Build())
	Must(m.Limit(t.Context()))
	ctx, cancel := context.WithCancel(t.Context())
	long := m.Sample().Backward().N(2_000_000)
	r, err := long.Progress(func(done, total float64) { cancel() }).Run(ctx)
	if err == nil || r == nil || r.Run.Complete {
		t.Fatalf("not interrupted: %v", err)
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	if r, err := long.Run(ended); err == nil || r != nil && !r.Run.Remembered.IsZero() {
		t.Errorf("an interrupted run is remembered: %v", err)
	}
	missed := m.Sample().Forward().Jobs(20_000).Replications(64).RelErr(1e-4)
	for range 2 {
		if r := Must(missed.Run(t.Context())); r.Run.Met || !r.Run.Remembered.IsZero() {
			t.Errorf("met %v, remembered %v", r.Run.Met, r.Run.Remembered)
		}
	}
}

// TestRememberedLimit: the limit of a queue is found once for all loads.
func TestRememberedLimit(t *testing.T) {
	remembering(t)
	model := func() *Model { return Must(FiveClassBoundedPareto().Build()) }
	Must(model().AtLoad(0.3).Sample().Forward().Jobs(1000).Replications(8).Run(t.Context()))
	r := Must(model().AtLoad(0.4).Sample().Forward().Jobs(1000).Replications(8).Run(t.Context()))
	if r.Limit.Remembered.IsZero() || !r.Run.Remembered.IsZero() {
		t.Errorf("limit remembered %v, run remembered %v", r.Limit.Remembered, r.Run.Remembered)
	}
	if text := string(Must(r.MarshalJSON())); strings.Count(text, "Remembered") != 1 {
		t.Errorf("JSON has the time %d times, want only where there is one", strings.Count(text, "Remembered"))
	}
}
