package mjq_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/spec"
)

func trains() mjq.Model {
	return mjq.Servers(16).Poisson(2.2).Class("small", 4, .7, mjq.ExpMean(1)).Class("train", 8, .3, mjq.ExpMean(2))
}

// ExampleModel_Elastic is a cluster on which trainings shrink to two servers while others wait.
func ExampleModel_Elastic() {
	m := mjq.Servers(16).Poisson(1.6).
		Class("small", 4, .7, mjq.ExpMean(1)).
		Class("train", 8, .3, mjq.ExpMean(2))
	for _, m := range []mjq.Model{m, m.Elastic("train", 2, 16, mjq.Power(.8))} {
		r := mjq.Must(m.Solve(context.Background()))
		fmt.Printf("stable below %.4f; small jobs wait %.3f, trainings take %.2f\n", r.Limit.Rate,
			r.Class("small").Waiting.Mean.Value, r.Class("train").Response.Mean.Value)
	}
	// Output:
	// stable below 1.9716; small jobs wait 2.765, trainings take 5.10
	// stable below 2.4549; small jobs wait 0.192, trainings take 3.09
}

// ExampleModel_Partial is jobs of four servers that make do with two.
func ExampleModel_Partial() {
	m := mjq.Servers(8).Poisson(1.8).
		Class("one", 1, .6, mjq.ExpMean(1)).
		Class("four", 4, .4, mjq.ExpMean(5./3)).Partial("four", 2, mjq.Amdahl(.9))
	r := mjq.Must(m.Solve(context.Background()))
	fmt.Printf("they wait %.3f and run on %.2f servers\n", r.Class("four").Waiting.Mean.Value, r.Class("four").Size.Value)
	// Output:
	// they wait 1.155 and run on 2.99 servers
}

// ExampleModel_Shrink is trainings that survive failures of their servers, as long as two are left.
func ExampleModel_Shrink() {
	m := mjq.Servers(16).Poisson(1).
		Class("train", 8, 1, mjq.Deterministic(1)).Elastic("train", 2, 16, mjq.Power(.8)).
		Failures("hardware", mjq.ExpMean(50), mjq.ExpMean(2))
	for _, m := range []mjq.Model{m.After(mjq.Restart), m.After(mjq.Restart).Shrink()} {
		r := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 1_000}))
		fmt.Printf("%.2f failures hit a job, which loses %.3f\n", r.All.Interruptions.Value, r.All.Lost.Value)
	}
	// Output:
	// 0.18 failures hit a job, which loses 0.088
	// 0.17 failures hit a job, which loses 0.001
}

// TestElasticValues: reference values by the question.
func TestElasticValues(t *testing.T) {
	m := trains().Elastic("train", 2, 16, mjq.Power(.8))
	for name, m := range map[string]mjq.Model{"train": m, "train_oldest": m.Oldest(), "train_rigid": trains().AtRate(1.6)} {
		r, err := m.Solve(t.Context(), mjq.Exact{MomentsOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		oracle.Near(t, "elastic-"+name+"-Q0", r.Class("small").Waiting.Mean.Value)
		oracle.Near(t, "elastic-"+name+"-Q1", r.Class("train").Waiting.Mean.Value)
		oracle.Near(t, "elastic-"+name+"-T1", r.Class("train").Response.Mean.Value)
		oracle.Near(t, "elastic-"+name+"-busy", 16*r.Utilization.Value)
		oracle.Near(t, "elastic-"+name+"-limit", r.Limit.Rate)
		if got := r.MeanJobs.Value; math.Abs(got-r.Rate*r.All.Response.Mean.Value) > 1e-9 {
			t.Errorf("%s: %v jobs, not %v", name, got, r.Rate*r.All.Response.Mean.Value)
		}
	}
}

// TestElasticFaults: each fault names what is wrong and what to give.
func TestElasticFaults(t *testing.T) {
	m := trains()
	for _, c := range []struct {
		m    mjq.Model
		want string
	}{
		{m.Elastic("train", 0, 16, mjq.Linear()), "give at least 1"},
		{m.Elastic("train", 9, 16, mjq.Linear()), "least 9 exceeds the need of 8"},
		{m.Elastic("train", 2, 7, mjq.Linear()), "most 7 is less than the need of 8"},
		{m.Elastic("train", 2, 17, mjq.Linear()), "most 17 exceeds the 16 servers"},
		{m.Elastic("train", 2, 16, mjq.Power(0)), "give an exponent in (0, 1]"},
		{m.Elastic("train", 2, 16, mjq.Power(1.2)), "say that it is superlinear"},
		{m.Elastic("train", 2, 16, mjq.Amdahl(1.2)), "from 0 to 1"},
		{m.Elastic("train", 2, 16, mjq.Speeds(1, 2)), "no positive speed on 3 servers; list it for 1 to 16"},
		{m.Partial("train", 7, mjq.Speeds(1, 2, 3, 4, 5, 6, 7, 6.5)), "is slower on 8 servers than on 7"},
		{m.Partial("train", 7, mjq.Speeds(1, 2, 3, 4, 5, 6, 7, 9)), "gains more from server 8"},
		{m.Elastic("train", 2, 16, spec.Speed{Law: "square"}), "give linear, power, amdahl or table"},
		{m.Elastic("train", 2, 16, mjq.Linear().Sizes(2, 4, 16)), "least 2 and need 8 must be among them"},
		{m.Elastic("train", 2, 16, mjq.Linear().Sizes(8, 2)), "from the smallest to the largest"},
		{m.Elastic("train", 2, 16, mjq.Linear().Resize(-1)), "give a finite time"},
		{m.Partial("train", 2, mjq.Linear().Sizes(2, 8)), "a partial job keeps its size"},
		{m.Elastic("trian", 2, 16, mjq.Linear()), `there is no class "trian"`},
		{m.Oldest(), "add Elastic, or leave it out"},
		{m.Elastic("train", 2, 16, mjq.Linear()).Loss(), "leave out Room, Loss"},
		{m.Elastic("train", 2, 16, mjq.Linear()).Policy(mjq.PreemptiveFirstFit()), "a Priority that preempts nobody"},
		{m.Elastic("train", 2, 16, mjq.Linear()).Policy(mjq.Conservative()), "choose FCFS, FirstFit, EASY"},
		{m.Elastic("train", 2, 16, mjq.Linear()).Policy(policy.EASY().Kill()), "leave Kill out"},
		{m.Elastic("train", 2, 16, mjq.Linear()).Reserve(9, 1, 2), "along with Reserve"},
	} {
		if err := c.m.Err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; want %s", err, c.want)
		}
	}
	if err := m.Partial("train", 7, mjq.Speeds(1, 2, 3, 4, 5, 6, 7, 9).SuperLinear()).Err(); err != nil {
		t.Error(err)
	}
}

// TestElasticJSON: what is written is read back, and what is not said is not written.
func TestElasticJSON(t *testing.T) {
	for _, m := range []mjq.Model{trains().Elastic("train", 2, 16, mjq.Power(.8).Sizes(2, 4, 8, 16).Resize(.1)).Oldest(),
		trains().Partial("train", 7, mjq.Speeds(1, 2, 3, 4, 5, 6, 7, 9).SuperLinear())} {
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var back mjq.Model
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if again, err := json.Marshal(back); err != nil || string(again) != string(text) {
			t.Errorf("%s, then %s, %v", text, again, err)
		}
	}
	if text, err := json.Marshal(trains()); err != nil || strings.Contains(string(text), "elastic") || strings.Contains(string(text), "oldest") {
		t.Errorf("%s, %v", text, err)
	}
}
