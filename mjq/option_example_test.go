package mjq_test

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// A method is data: it is kept in a variable, changed, written and read.
func ExampleMarshalMethod() {
	how := mjq.Forward{Jobs: 20_000, WarmUp: mjq.None, Controls: mjq.CloseControls}
	text := mjq.Must(mjq.MarshalMethod(how))
	fmt.Println(string(text))
	again := mjq.Must(mjq.UnmarshalMethod(text))
	fmt.Println(again == mjq.Method(how))
	_, err := mjq.UnmarshalMethod([]byte(`{"method":"Dominated","window":1e6}`))
	fmt.Println(err)
	// Output:
	// {"method":"Forward","jobs":20000,"warmUp":-1,"controls":"close"}
	// true
	// mjq: reading a method: Dominated has no window; Backward, Unbiased do
}

// Settings that several questions share are one option.
func ExampleOptions() {
	m := mjq.Servers(4).Poisson(2).Class("small", 1, 0.9, mjq.Deterministic(1)).Class("big", 4, 0.1, mjq.Deterministic(1))
	usual := mjq.Options(mjq.Seed(7), mjq.Level(0.99), mjq.Workers(2))
	ctx := context.Background()
	r := mjq.Must(m.Solve(ctx, mjq.Forward{Jobs: 20_000}, mjq.HalfWidth(0.05), usual))
	fmt.Println(r.Run.Seed, r.Level, r.Run.Met)
	s := mjq.Must(m.Stability(ctx, usual, mjq.Pile{}, mjq.RelErr(0.01)))
	fmt.Printf("%.1f\n", s.Rate)
	// Output:
	// 7 0.99 true
	// 2.8
}

// Goals add up; each is of all jobs, or of the classes named.
func ExampleGoal() {
	m := mjq.Servers(20).Poisson(1.4).Class("small", 1, 0.8, mjq.ExpMean(0.5)).Class("big", 10, 0.2, mjq.ExpMean(3))
	goals := []mjq.Option{mjq.ServiceLevel(2, 0.9, "big"), mjq.MeanSlowdown(1, 4)}
	n := mjq.Must(m.FewestServers(context.Background(), mjq.MeanWait(0.25), append(goals, mjq.Seed(3))...))
	fmt.Println(n.Best, "servers for", n.Targets)
	// Output:
	// 30 servers for [mean wait ≤ 0.25 share of big within 2 ≥ 0.9 slowdown ≤ 4]
}

// A formula of one's own goes wherever a method goes.
func ExampleMethodFunc() {
	formula := mjq.MethodFunc("M/M/1", func(_ context.Context, m mjq.Model, _ uint64) (*result.Result, error) {
		s := m.Spec()
		rho := s.Rate() * s.MeanService()
		var w result.Metric
		w.Mean = result.Exact(rho*s.MeanService()/(1-rho), "formula")
		limit := result.Stability{Rate: 1 / s.MeanService()}
		return &result.Result{Stable: true, Rate: s.Rate(), Limit: limit, Classes: []result.ClassResult{{Name: "job", Waiting: w}},
			All: result.ClassResult{Name: "all", Waiting: w}}, nil
	})
	m := mjq.Servers(1).Class("job", 1, 1, mjq.ExpMean(1))
	g := mjq.Must(mjq.Sweep(context.Background(), m, mjq.Grid{Loads: []float64{0.5, 0.9}}, formula))
	for _, r := range g.Results() {
		fmt.Printf("%.1f: %.0f\n", r.Rate, r.All.Waiting.Mean.Value)
	}
	// Output:
	// 0.5: 1
	// 0.9: 9
}

// A program that offers methods reads their fields.
func ExampleMethods() {
	for _, m := range mjq.Methods()[:3] {
		fmt.Printf("%T\n", m)
	}
	// Output:
	// mjq.Exact
	// mjq.Dominated
	// mjq.Certified
}

// A description that another package gives is a model, too.
func ExampleFromSpec() {
	s := mjq.Servers(4).Poisson(1).Class("one", 1, 1, mjq.ExpMean(1)).Spec()
	s.Servers = 0
	fmt.Println(mjq.FromSpec(s).Err())
	// Output:
	// mjq: the model has 1 fault:
	// Servers(0): the number of servers must be at least 1
}
