package product

import (
	"context"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// question asks one about a model; a search gets a goal.
type question func(ctx context.Context, m mjq.Model, goal mjq.Goal, opts ...mjq.Option) (any, error)

// asking is a question without arguments.
func asking[T any](ask func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (T, error)) question {
	return func(ctx context.Context, m mjq.Model, _ mjq.Goal, opts ...mjq.Option) (any, error) {
		return answer(ask(m, ctx, opts...))
	}
}

// searching is a search for a goal.
func searching[T any](ask func(m mjq.Model, ctx context.Context, goal mjq.Goal, opts ...mjq.Option) (T, error)) question {
	return func(ctx context.Context, m mjq.Model, goal mjq.Goal, opts ...mjq.Option) (any, error) {
		return answer(ask(m, ctx, goal, opts...))
	}
}

// answer is one without a type; a nil pointer is none.
func answer[T any](x T, err error) (any, error) {
	if v := reflect.ValueOf(x); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, err
	}
	return x, err
}

// started is a state in which a job is in service and one waits.
var started = mjq.State{Running: []mjq.Running{{Class: "one"}}, Line: []string{"one"}}

// questions are all that a model, or package mjq, can be asked.
var questions = map[string]question{
	"Solve": asking(mjq.Model.Solve), "Stability": asking(mjq.Model.Stability), "Capacity": asking(mjq.Model.Capacity), "Optimum": asking(mjq.Model.Optimum),
	"Sensitivities": asking(mjq.Model.Sensitivities), "HeavyTraffic": asking(mjq.Model.HeavyTraffic), "Methods": asking(mjq.Model.Methods),
	"FewestServers": searching(mjq.Model.FewestServers), "LargestRate": searching(mjq.Model.LargestRate),
	"LargestNeed": searching(func(m mjq.Model, ctx context.Context, goal mjq.Goal, opts ...mjq.Option) (*result.Sizing, error) {
		return m.LargestNeed(ctx, "one", goal, opts...)
	}),
	"CheapestMix": searching(func(m mjq.Model, ctx context.Context, goal mjq.Goal, opts ...mjq.Option) (*result.Sizing, error) {
		return m.CheapestMix(ctx, map[string]float64{"cpu": 1, "gpu": 5}, goal, opts...)
	}),
	"CheapestServers": searching(func(m mjq.Model, ctx context.Context, goal mjq.Goal, opts ...mjq.Option) (*result.Sizing, error) {
		return m.CheapestServers(ctx, mjq.Costs{Server: 1, Wait: 5}, append(opts, goal)...)
	}),
	"ByTime": asking(func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Transient, error) {
		return m.ByTime(ctx, 3, opts...)
	}),
	"Transient": asking(func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Transient, error) {
		return m.Transient(ctx, started, mjq.Horizon{Until: 2, Parts: 3}, opts...)
	}),
	"Path": asking(func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Path, error) {
		return m.Path(ctx, 3, 30, opts...)
	}),
	"Checkpoints": asking(func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Checkpoints, error) {
		return m.Checkpoints(ctx, opts...)
	}),
	"Prices": asking(func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Prices, error) {
		return m.Prices(ctx, nil, opts...)
	}),
	"BestKeep": asking(func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Reservation, error) {
		return m.BestKeep(ctx, nil, opts...)
	}),
	"Compare": asking(func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Comparison, error) {
		return mjq.Compare(ctx, m, []mjq.Policy{mjq.FCFS(), mjq.FirstFit()}, opts...)
	}),
	"ComparePlacements": asking(func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Comparison, error) {
		return mjq.ComparePlacements(ctx, m, []mjq.Placement{mjq.BestFit(), mjq.WorstFit()}, opts...)
	}),
	"Sweep": asking(func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (*result.Sweep, error) {
		return mjq.Sweep(ctx, m, mjq.Grid{Rates: []float64{0.3, 0.6}}, opts...)
	}),
	"Resolve": func(ctx context.Context, m mjq.Model, _ mjq.Goal, _ ...mjq.Option) (any, error) {
		return answer(m.Resolve(ctx))
	},
}

// goals are what searches are asked for.
var goals = map[string]mjq.Goal{
	"a mean wait": mjq.MeanWait(0.3), "a quantile": mjq.WaitQuantile(0.9, 1, "one"), "a service level": mjq.ServiceLevel(0.5, 0.8),
	"a slowdown": mjq.MeanSlowdown(1, 3), "a share turned away": mjq.Blocked(0.05), "a share that leaves": mjq.Left(0.1, "one"),
}

// searches are the questions for which goals matter.
var searches = []string{"CheapestMix", "CheapestServers", "FewestServers", "LargestNeed", "LargestRate"}

// methodsByName are all of package mjq with settings for short runs, one of one's own, and none.
var methodsByName = func() map[string]mjq.Method {
	all := map[string]mjq.Method{"": nil, "own method": mjq.MethodFunc("mine", func(ctx context.Context, m mjq.Model, seed uint64) (*result.Result, error) {
		return m.Solve(ctx, mjq.Exact{MomentsOnly: true})
	})}
	for _, m := range mjq.Methods() {
		v := reflect.New(reflect.TypeOf(m)).Elem()
		for name, n := range map[string]int{"Samples": 40, "Jobs": 400, "Replications": 16} {
			if f := v.FieldByName(name); f.IsValid() {
				f.SetInt(int64(n))
			}
		}
		for name, x := range map[string]float64{"Eps": 1e-2, "Wait": 2, "SlowdownThreshold": 0.1, "Within": 0.5} {
			if f := v.FieldByName(name); f.IsValid() {
				f.SetFloat(x)
			}
		}
		all[reflect.TypeOf(m).Name()] = v.Interface().(mjq.Method)
	}
	return all
}()

// options are what is asked beside a method.
var options = map[string]mjq.Option{
	"": nil, "RelErr": mjq.RelErr(0.2), "HalfWidth": mjq.HalfWidth(0.2), "MaxJobs": mjq.MaxJobs(20_000), "Level": mjq.Level(0.8), "too late": nil,
}

// TestEveryQuestionIsAsked: what takes a context first, of a model or of package mjq, is asked.
func TestEveryQuestionIsAsked(t *testing.T) {
	var all []string
	of := reflect.TypeFor[mjq.Model]()
	for i := range of.NumMethod() {
		if m := of.Method(i); m.Type.NumIn() > 1 && m.Type.In(1) == reflect.TypeFor[context.Context]() {
			all = append(all, m.Name)
		}
	}
	files, err := filepath.Glob("../../../*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			x, ok := d.(*ast.FuncDecl)
			if !ok || x.Recv != nil || !x.Name.IsExported() || strings.HasSuffix(f, "_test.go") || len(x.Type.Params.List) == 0 {
				continue
			}
			if first, ok := x.Type.Params.List[0].Type.(*ast.SelectorExpr); ok && first.Sel.Name == "Context" {
				all = append(all, x.Name.Name)
			}
		}
	}
	for _, name := range all {
		if questions[name] == nil {
			t.Errorf("%s is not asked; add it to questions", name)
		}
	}
	if len(all) != len(questions) {
		t.Errorf("%d questions of %d: %v", len(questions), len(all), all)
	}
}

// TestModelsDescribeThemselves: a description that has no fault is written as text, HTML and JSON,
// and is read as it was.
func TestModelsDescribeThemselves(t *testing.T) {
	for _, b := range named(bases) {
		for _, f := range named(features) {
			m := built(b, f)
			what := joined(b, f)
			if err := m.Err(); err != nil {
				refuses(t, what, err)
				continue
			}
			legible(t, what, m.String())
			wellFormed(t, what, m.HTML())
			text, err := json.Marshal(m)
			if err != nil {
				if !strings.HasPrefix(f, "own") {
					t.Errorf("%s: %v", what, err)
				}
				refuses(t, what, err)
				continue
			}
			var back mjq.Model
			if err := json.Unmarshal(text, &back); err != nil {
				t.Errorf("%s: %v", what, err)
			} else if again, err := json.Marshal(back); err != nil || string(again) != string(text) {
				t.Errorf("%s: %s is read as %s, %v", what, text, again, err)
			}
		}
	}
}
