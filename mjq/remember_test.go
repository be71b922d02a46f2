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

	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// remembering has the test remember in a folder of its own, however quickly the answers
// come.
func remembering(t *testing.T) {
	t.Helper()
	Cache(t.TempDir())
	cache.Here().Worthwhile = 0
	t.Cleanup(func() { Cache("") })
}

// TestEveryVerbRemembers asks each verb twice: the second answer is the first to the bit
// and says when it was computed, and Fresh computes it anew.
func TestEveryVerbRemembers(t *testing.T) {
	remembering(t)
	m := FiveClassExponential().Poisson(1.4)
	type known struct {
		answer any
		at     time.Time
	}
	sampled := func(r *result.Result, err error) known { return known{Must(r, err), r.Run.Remembered} }
	small := Servers(4).Poisson(1).Class("a", 1, 0.7, ExpMean(1)).Class("b", 3, 0.3, ExpMean(0.5))
	day := Servers(4).Profile(24, 0, 1, 2).Class("a", 1, 0.7, ExpMean(1)).Class("b", 3, 0.3, ExpMean(0.5))
	various := Servers(5000).Poisson(1)
	for i := range 12 {
		various = various.Class(fmt.Sprint(i), 7+131*i, 1.0/12, ExpMean(1))
	}
	many := various
	start := State{Running: []Running{{Class: "b"}}, Line: []string{"b", "a"}}
	course := func(c *result.Transient, err error) known { return known{Must(c, err), c.Run.Remembered} }
	sized := func(s *result.Sizing, err error) known { return known{Must(s, err), s.Remembered} }
	simulate := Simulation{Jobs: 5000, Replications: 10}
	limit := Options(Pile{}, MaxJobs(2_000_000), RelErr(0.1))
	for name, ask := range map[string]func(fresh bool) known{
		"exact": func(f bool) known {
			return sampled(m.Solve(t.Context(), Exact{MomentsOnly: true}, anew(f)))
		},
		"forward": func(f bool) known {
			return sampled(m.Solve(t.Context(), Forward{Jobs: 5000}, anew(f)))
		},
		"backward": func(f bool) known {
			return sampled(m.Solve(t.Context(), Backward{Samples: 64}, anew(f)))
		},
		"certified": func(f bool) known {
			return sampled(m.Solve(t.Context(), Certified{Eps: 1e-3, Samples: 64}, anew(f)))
		},
		"unbiased": func(f bool) known {
			return sampled(m.Solve(t.Context(), Unbiased{Samples: 64}, anew(f)))
		},
		"simulate": func(f bool) known { return sampled(m.Solve(t.Context(), simulate, anew(f))) },
		"stability": func(f bool) known {
			st := Must(m.Stability(t.Context(), limit, anew(f)))
			return known{st, st.Remembered}
		},
		"path": func(f bool) known {
			p := Must(m.Path(t.Context(), 0, 5000, anew(f)))
			return known{p, p.Remembered}
		},
		"compare": func(f bool) known {
			c := Must(Compare(t.Context(), m, []Policy{FCFS(), FirstFit()}, simulate, anew(f)))
			return known{c, c.Remembered}
		},
		"capacity": func(f bool) known {
			c := Must(many.Capacity(t.Context(), anew(f)))
			return known{c, c.Remembered}
		},
		"MSR": func(f bool) known { return sampled(small.Policy(turning(40)).Solve(t.Context(), Exact{}, anew(f))) },
		"optimum": func(f bool) known {
			o := Must(small.Optimum(t.Context(), anew(f)))
			return known{o, o.Run.Remembered}
		},
		"sensitivities": func(f bool) known {
			s := Must(m.Sensitivities(t.Context(), Simulation{Jobs: 500}, anew(f)))
			return known{s, s.Remembered}
		},
		"by time, simulated": func(f bool) known {
			return course(day.ByTime(t.Context(), 6, Simulation{Jobs: 2000, Replications: 8}, anew(f)))
		},
		"by time, sampled": func(f bool) known {
			return course(day.ByTime(t.Context(), 6, Backward{Samples: 64}, anew(f)))
		},
		"by time, exact": func(f bool) known { return course(day.ByTime(t.Context(), 6, Exact{}, anew(f))) },
		"from a state": func(f bool) known {
			return course(small.Transient(t.Context(), start, Horizon{Until: 50}, Simulation{Replications: 256}, anew(f)))
		},
		"from a state, exactly": func(f bool) known {
			return course(small.Transient(t.Context(), start, Horizon{Until: 5}, Exact{}, anew(f)))
		},
		"fewest servers": func(f bool) known {
			return sized(small.FewestServers(t.Context(), WaitQuantile(0.9, 2), Exact{}, anew(f)))
		},
		"largest rate": func(f bool) known {
			return sized(small.LargestRate(t.Context(), MeanWait(1), anew(f)))
		},
		"heavy traffic": func(f bool) known {
			h := Must(m.HeavyTraffic(t.Context(), anew(f)))
			return known{h, h.Remembered}
		},
		"sweep": func(f bool) known {
			sw := Must(Sweep(t.Context(), m, Grid{Rates: []float64{1, 1.2}}, Backward{Samples: 64}, anew(f)))
			return known{sw, sw.Jobs[1].Result.Run.Remembered}
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

// turning is a policy of many schedules for needs of 1 and 3, one after another.
func turning(schedules int) Policy {
	jobs, generator := make([][]int, schedules), make([][]float64, schedules)
	for i := range jobs {
		jobs[i] = [][]int{{4, 0}, {1, 1}}[i%2]
		generator[i] = make([]float64, schedules)
		generator[i][i], generator[i][(i+1)%schedules] = -1, 1
	}
	return MSR(jobs, generator)
}

// anew is the option to compute, or none.
func anew(fresh bool) Option {
	if fresh {
		return NoCache()
	}
	return nil
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

// TestAnEditedQuestionIsNew changes one thing after another in what is known: each is
// computed, and so is none of them when known again.
func TestAnEditedQuestionIsNew(t *testing.T) {
	remembering(t)
	cluster := func(servers int, mean float64) Model {
		return Servers(servers).Poisson(1.2).Class("small", 1, 0.7, ExpMean(mean)).Class("big", 8, 0.3, ExpMean(3))
	}
	m := cluster(20, 0.5)
	limit := Must(m.Stability(t.Context()))
	rough := *limit
	rough.Rate *= 1.01
	type question struct {
		m    Model
		opts []Option
	}
	ask := func(m Model, opts ...Option) question {
		return question{m, append([]Option{Backward{Samples: 64}, Seed(1)}, opts...)}
	}
	other := func(how Method) question { return question{m, []Option{how, Seed(1)}} }
	questions := map[string]question{
		"plain": ask(m), "servers": ask(cluster(24, 0.5)), "law": ask(cluster(20, 0.6)), "rate": ask(m.AtRate(1.3)),
		"load": ask(m.AtLoad(0.5)), "limit": ask(m.WithLimit(&rough)), "seed": ask(m, Seed(2)), "samples": other(Backward{Samples: 600}),
		"level": ask(m, Level(0.9)), "method": other(Unbiased{Samples: 512}), "window": other(Backward{Samples: 512, Window: 64}),
	}
	for round := range 2 {
		for name, q := range questions {
			r := Must(q.m.Solve(t.Context(), q.opts...))
			if known := !r.Run.Remembered.IsZero(); known != (round > 0) {
				t.Errorf("%s, round %d: remembered %v", name, round, r.Run.Remembered)
			}
		}
	}
	if r := Must(m.Solve(t.Context(), append(ask(m).opts, Workers(1))...)); r.Run.Remembered.IsZero() {
		t.Error("another number of goroutines is another question")
	}
}

// TestAnEditedPlanIsNew does so with what is known over time, of sizes, and of optimal
// policies.
func TestAnEditedPlanIsNew(t *testing.T) {
	remembering(t)
	m := Servers(4).Poisson(1).Class("a", 1, 0.7, ExpMean(1)).Class("b", 3, 0.3, ExpMean(0.5))
	from := func(now State, to Horizon, replications int) func() (*result.Transient, error) {
		return func() (*result.Transient, error) {
			return m.Transient(t.Context(), now, to, Simulation{Replications: replications})
		}
	}
	start, twenty := State{Running: []Running{{Class: "b"}}, Line: []string{"b"}}, Horizon{Until: 20}
	left := func(x float64) State {
		return State{Running: []Running{{Class: "b", Remaining: Deterministic(x)}}, Line: start.Line}
	}
	courses := map[string]func() (*result.Transient, error){
		"plain": from(start, twenty, 64), "line": from(State{Running: start.Running, Line: []string{"a"}}, twenty, 64),
		"age":       from(State{Running: []Running{{Class: "b", Age: 1}}, Line: start.Line}, twenty, 64),
		"remaining": from(left(2), twenty, 64), "longer": from(left(3), twenty, 64),
		"until": from(start, Horizon{Until: 21}, 64), "parts": from(start, Horizon{Until: 20, Parts: 5}, 64),
		"replications": from(start, twenty, 60),
	}
	by, goal := Forward{Jobs: 1_500}, MeanWait(0.1)
	fewest := map[string]func(o ...Option) (*result.Sizing, error){
		"plain": func(o ...Option) (*result.Sizing, error) { return m.FewestServers(t.Context(), goal, append(o, by)...) },
		"target": func(o ...Option) (*result.Sizing, error) {
			return m.FewestServers(t.Context(), MeanWait(0.2), append(o, by)...)
		},
		"class": func(o ...Option) (*result.Sizing, error) {
			return m.FewestServers(t.Context(), MeanWait(0.1, "b"), append(o, by)...)
		},
		"rate": func(o ...Option) (*result.Sizing, error) { return m.LargestRate(t.Context(), goal, append(o, by)...) },
		"need": func(o ...Option) (*result.Sizing, error) {
			return m.LargestNeed(t.Context(), "b", goal, append(o, by)...)
		},
		"another need": func(o ...Option) (*result.Sizing, error) {
			return m.LargestNeed(t.Context(), "a", goal, append(o, by)...)
		},
		"costs": func(o ...Option) (*result.Sizing, error) {
			return m.CheapestServers(t.Context(), Costs{Server: 1, Wait: 2}, append(o, by, goal)...)
		},
		"method": func(o ...Option) (*result.Sizing, error) {
			return m.FewestServers(t.Context(), goal, append(o, Forward{Jobs: 1_600})...)
		},
		"level": func(o ...Option) (*result.Sizing, error) {
			return m.FewestServers(t.Context(), goal, append(o, by, Level(0.9))...)
		},
		"seed": func(o ...Option) (*result.Sizing, error) {
			return m.FewestServers(t.Context(), goal, append(o, by, Seed(3))...)
		},
	}
	optima := map[string][]Option{
		"plain": nil, "preemptive": {PolicyIteration{Preemptive: true}}, "weight": {PolicyIteration{Weights: map[string]float64{"a": 2}}}, "error": {RelErr(1e-3)},
	}
	first := map[string][]byte{}
	for round := range 2 {
		is := func(name string, at time.Time) {
			t.Helper()
			if at.IsZero() != (round == 0) {
				t.Errorf("%s, round %d: remembered %v", name, round, at)
			}
		}
		for name, ask := range courses {
			is("course, "+name, Must(ask()).Run.Remembered)
		}
		for name, ask := range fewest {
			s := Must(ask(anew(round == 0))) // looks that two of them share are not worth keeping twice
			is("fewest, "+name, s.Remembered)
			if found := bits(t, s); round == 0 {
				first[name] = found
			} else if !bytes.Equal(found, first[name]) {
				t.Errorf("fewest, %s: remembered is another answer, %v", name, s)
			}
		}
		for name, opts := range optima {
			is("optimum, "+name, Must(m.Optimum(t.Context(), opts...)).Run.Remembered)
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
		qModel := Servers(4).Poisson(1.5).Class("a", 1, 0.9, c.law).Class("b", 4, 0.1, ExpMean(1))
		q := Backward{Samples: 64}
		Must(qModel.Solve(t.Context(), q))
		if r := Must(qModel.Solve(t.Context(), q)); r.Run.Remembered.IsZero() == c.want {
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
	m := FiveClassExponential().Poisson(1.4)
	Must(m.Stability(t.Context()))
	ctx, cancel := context.WithCancel(t.Context())
	long := Backward{Samples: 2_000_000}
	r, err := m.Solve(ctx, long, Progress(func(Step) { cancel() }))
	if err == nil || r == nil || r.Run.Complete {
		t.Fatalf("not interrupted: %v", err)
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	if r, err := m.Solve(ended, long); err == nil || r != nil && !r.Run.Remembered.IsZero() {
		t.Errorf("an interrupted run is remembered: %v", err)
	}
	for range 2 {
		if r := Must(m.Solve(t.Context(), Forward{Jobs: 20_000, Replications: 64}, RelErr(1e-4))); r.Run.Met || !r.Run.Remembered.IsZero() {
			t.Errorf("met %v, remembered %v", r.Run.Met, r.Run.Remembered)
		}
	}
}

// TestRememberedLimit: the limit of a queue is found once for all loads.
func TestRememberedLimit(t *testing.T) {
	remembering(t)
	model := func() Model { return FiveClassBoundedPareto() }
	Must(model().AtLoad(0.3).Solve(t.Context(), Forward{Jobs: 1000, Replications: 8}))
	r := Must(model().AtLoad(0.4).Solve(t.Context(), Forward{Jobs: 1000, Replications: 8}))
	if r.Limit.Remembered.IsZero() || !r.Run.Remembered.IsZero() {
		t.Errorf("limit remembered %v, run remembered %v", r.Limit.Remembered, r.Run.Remembered)
	}
	if text := string(Must(r.MarshalJSON())); strings.Count(text, `"remembered":`) != 1 {
		t.Errorf("JSON has the time %d times, want only where there is one", strings.Count(text, `"remembered":`))
	}
}
