package policychain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/policy"
)

// value is an entry of policy_values.json.
type value struct {
	ID, Model, Policy, Quantity, How string
	Servers, Window, Threshold       int
	Class                            int
	ArrivalRate, Value, Tolerance    float64
	Classes                          []struct {
		Need              int
		Rate, Probability float64
	}
}

func values(t *testing.T, model string) (list []value) {
	t.Helper()
	data, err := os.ReadFile("../../testdata/policy_values.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Values []json.RawMessage }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for _, raw := range file.Values {
		var head struct{ Model string }
		if err := json.Unmarshal(raw, &head); err != nil {
			t.Fatal(err)
		}
		if head.Model != model {
			continue
		}
		var v value
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

func (v value) system() System {
	s := System{Servers: v.Servers, Rate: v.ArrivalRate}
	for _, c := range v.Classes {
		s.Classes = append(s.Classes, exponential(c.Need, c.Probability, c.Rate))
	}
	return s
}

func exponential(need int, prob, rate float64) states.Class {
	return states.Class{Need: need, Prob: prob, Alpha: []float64{1}, A: [][]float64{{-rate}}}
}

// policyOf is the policy that a value is about; nil if it is none of ours.
func (v value) policy() policy.Policy {
	return map[string]policy.Policy{
		"fcfs": policy.FCFS{}, "smash": policy.Window{Jobs: v.Window}, "serverFilling": policy.ServerFilling{},
		"mostServersFirst": policy.MostServersFirst{}, "leastServersFirst": policy.LeastServersFirst{}, "firstFit": policy.FirstFit{},
		"preemptiveMostServersFirst": policy.PreemptiveMostServersFirst{}, "preemptiveLeastServersFirst": policy.PreemptiveLeastServersFirst{},
		"maxWeight": policy.MaxWeight{}, "adaptiveQuickswap": policy.AdaptiveQuickswap{},
		"quickswap": policy.Quickswap{Threshold: v.Threshold}, "quickswapArmed": policy.ArmedQuickswap{Threshold: v.Threshold},
	}[v.Policy]
}

// of is the measure that a value is about.
func (v value) of(m *Measures) float64 {
	switch v.Quantity {
	case "wait":
		return m.Wait
	case "response":
		return m.Response
	case "meanQueue":
		return m.Queue
	case "meanNumber":
		return m.Jobs
	case "meanSquareNumber":
		return m.JobsSquare
	case "utilisation":
		return m.Utilisation
	case "probEmpty":
		return m.Empty
	case "probAllBusy":
		return m.AllBusy
	case "waitByClass":
		return m.Classes[v.Class].Wait
	case "responseByClass":
		return m.Classes[v.Class].Response
	case "startAtOnceByClass":
		return m.Classes[v.Class].NoWait
	}
	return math.NaN()
}

// states is the size of the chain by which a value was found.
func (v value) states() (n int) {
	if _, after, ok := strings.Cut(v.How, "jobs, "); ok {
		fmt.Sscan(after, &n)
	}
	return n
}

// quick is the largest chain that every run of the tests solves.
func (v value) quick() int {
	if v.Policy == "quickswapArmed" {
		return 17_000
	}
	return 10_000
}

// strange says whether a value contradicts others of its system: that of the big jobs
// that start at once under an armed quickswap is less than the probability that the
// system is empty, in which a big job starts at once.
func (v value) strange() bool {
	return v.Policy == "quickswapArmed" && v.Quantity == "startAtOnceByClass" && v.Class == 1
}

// beyond says whether a value is one that this package refuses: the order of the jobs that
// were passed over would belong into the state.
func (v value) beyond() bool { return v.Policy == "firstFit" && len(v.Classes) > 2 }

// provable is the error that is proved at least: near the limit rounding takes a part, and the
// equations of one system can hardly be solved.
func (v value) provable() float64 {
	switch {
	case strings.HasPrefix(v.ID, "H-2.2-leastServersFirst/"):
		return 1e-3
	case v.states() > v.quick():
		return 1e-7
	}
	return 1e-8
}

// TestValues holds every mean with Poisson arrivals against the reference, to its
// tolerance and to the error that the solution claims: those of chains of up to 10000
// states, and with MJQ_VALUES=all those of all, which takes seven minutes.
func TestValues(t *testing.T) {
	all := os.Getenv("MJQ_VALUES") == "all"
	solved, refused := map[string]*Measures{}, map[string]bool{}
	for _, v := range values(t, "poisson") {
		p := v.policy()
		if p == nil || v.strange() || v.beyond() || !all && v.states() > v.quick() {
			continue
		}
		id := strings.Split(v.ID, "/")[0]
		if refused[id] {
			continue
		}
		if solved[id] == nil {
			q := prepare(t, v.system(), p)
			m, err := q.Solve(context.Background())
			if err != nil {
				refused[id] = true
				t.Errorf("%s, %s: %v", id, p, err)
				continue
			}
			solved[id] = m
			if !(m.Proved <= v.provable()) {
				t.Errorf("%s, %s: proved to %.2g only", id, p, m.Proved)
			}
			t.Logf("%s, %s of %d needs, load %.2f: %d states with at most %d jobs, proved to %.2g", id, p, len(q.kinds), q.load(), m.States, m.Cut, m.Proved)
		}
		if got := v.of(solved[id]); !(math.Abs(got-v.Value) <= v.Tolerance+solved[id].Error+1e-12) || solved[id].Error > v.provable() {
			t.Errorf("%s class %d: %.12g, want %.12g ± %.2g", v.ID, v.Class, got, v.Value, v.Tolerance)
		}
	}
	if len(solved) < 60 {
		t.Errorf("%d systems solved", len(solved))
	}
}

func solve(t *testing.T, s System, p policy.Policy) *Measures {
	t.Helper()
	m, err := prepare(t, s, p).Solve(context.Background())
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", p, err))
	}
	return m
}

func prepare(t *testing.T, s System, p policy.Policy) *Queue {
	t.Helper()
	q, err := New(s, p)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// TestLimits holds the limits of the policies with a finite saturated chain against
// the reference, to 1e-9.
func TestLimits(t *testing.T) {
	n := 0
	for _, v := range values(t, "stability") {
		p := v.policy()
		if p == nil {
			continue
		}
		v.ArrivalRate = 1
		got, err := prepare(t, v.system(), p).Limit(context.Background(), 1e9)
		if errors.Is(err, ErrUnbounded) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(got-v.Value) <= v.Tolerance+1e-12) {
			t.Errorf("%s: %.12g, want %.12g", v.ID, got, v.Value)
		}
		n++
	}
	if n < 25 {
		t.Errorf("%d limits", n)
	}
}
