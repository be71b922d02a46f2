package divisible

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// reference is one value of testdata/reference_values.json, computed by a
// quasi-birth-death program that shares nothing with this package.
type reference struct {
	Group, Name string
	Parameters  struct{ Lam float64 }
	Value       any
}

func references(t *testing.T, group string) (found []reference) {
	t.Helper()
	data, err := os.ReadFile("../../testdata/reference_values.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Values []struct {
			Group, Name string
			Parameters  json.RawMessage
			Value       any
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for _, v := range file.Values {
		if v.Group != group {
			continue
		}
		r := reference{Group: v.Group, Name: v.Name, Value: v.Value}
		if err := json.Unmarshal(v.Parameters, &r.Parameters); err != nil {
			t.Fatal(err)
		}
		found = append(found, r)
	}
	return found
}

func solved(t testing.TB, r *Resource, arrivals float64) *Open {
	t.Helper()
	s := explored(t, r)
	limit, err := s.Limit(ctx, arrivals)
	if err != nil {
		t.Fatal(err)
	}
	o, err := s.NewOpen(ctx, limit, nil)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestTableOfTheNote compares E[W] and the second moment of the wait with the
// exact columns for the note's Table I.
func TestTableOfTheNote(t *testing.T) {
	seen := 0
	for _, v := range references(t, "B2") {
		lambda := v.Parameters.Lam
		m := solved(t, note(.5, 2.5, .625), lambda).Moments()
		switch v.Name {
		case "E[W]":
			relative(t, v.Name, m.Jobs/lambda, v.Value.(float64), 1e-11)
		case "E[Wq^2]":
			relative(t, v.Name, (m.LineSquare-m.Line)/(lambda*lambda), v.Value.(float64), 1e-11)
		default:
			continue
		}
		seen++
	}
	if seen != 10 {
		t.Errorf("%d values compared, want 10", seen)
	}
}

// TestSingleServer: one class that fills the resource is M/M/1.
func TestSingleServer(t *testing.T) {
	for _, rho := range []float64{0.01, 0.5, 0.99} {
		m := solved(t, &Resource{2.5, []Class{{2, 1, 3}}}, 3*rho).Moments()
		relative(t, "E[N]", m.Jobs, rho/(1-rho), 1e-11)
		relative(t, "E[Nq]", m.Line, rho*rho/(1-rho), 1e-11)
		relative(t, "E[Nq²]", m.LineSquare, rho*rho*(1+rho)/((1-rho)*(1-rho)), 1e-11)
		relative(t, "in use", m.Used, 2*rho, 1e-11)
	}
}

// TestErlangC: n equal needs of one nth are the queue M/M/n.
func TestErlangC(t *testing.T) {
	const n, a = 12, 10.5
	blocked, term := 0.0, 1.0 // Erlang B by its recursion
	for k := 1; k <= n; k++ {
		term = a * term / (float64(k) + a*term)
	}
	rho := a / n
	blocked = term / (1 - rho*(1-term))
	m := solved(t, &Resource{1, []Class{{1. / n, .4, 1}, {1. / n, .6, 1}}}, a).Moments()
	relative(t, "E[Nq]", m.Line, blocked*rho/(1-rho), 1e-11)
	relative(t, "E[N]", m.Jobs, a+blocked*rho/(1-rho), 1e-11)
}

// TestInUse: by Little's law the amount in use is λ Σ p b t, and each class
// waits at the head for its share of the time that the line moves.
func TestInUse(t *testing.T) {
	for _, r := range []*Resource{note(.3, 2.5, .625), thirds(), one(4)} {
		for _, load := range []float64{0.3, 0.9} {
			lambda := load * capacity(t, r)
			o := solved(t, r, lambda)
			m := o.Moments()
			work, jobs, heads := 0.0, m.Line, 0.0
			for l, c := range r.Classes {
				work += lambda * c.Prob * c.Need / c.Rate
				jobs += lambda * c.Prob / c.Rate
				heads += m.Waiting[l] + m.Behind[l]
			}
			relative(t, "amount in use", m.Used, work, 1e-10)
			relative(t, "E[N] = E[Nq] + in service", m.Jobs, jobs, 1e-10)
			relative(t, "heads and jobs behind are the line", heads, m.Line, 1e-10)
			// p(n) u(n) = λ p(n-1) is what (1) is; u(n) ≤ the fastest state.
			if far := o.distance(o.Levels()) * o.tailShare(); far > 1e-12 {
				t.Errorf("truncated at %d levels, %v from the limit", o.Levels(), far)
			}
		}
	}
}

// TestBalanceOfLevels puts p(n) p(s|n) into the balance equations of the queue
// itself, which the iteration uses in another form.
func TestBalanceOfLevels(t *testing.T) {
	for _, r := range []*Resource{thirds(), one(5)} {
		balance(t, r)
	}
}

func balance(t *testing.T, r *Resource) {
	lambda := 0.8 * capacity(t, r)
	o := solved(t, r, lambda)
	prob := o.levelProbs()
	for n := 1; n < o.Levels(); n++ {
		in := make([]float64, len(o.rate))
		for i, row := range o.levels[n+1].down {
			for _, e := range row {
				in[e.state] += prob[n+1] * o.levels[n+1].p[i] * e.rate
			}
		}
		o.arrive(n, lambda*prob[n-1], in)
		for i, x := range o.levels[n].p {
			out := prob[n] * x * (o.rate[i] + lambda)
			if math.Abs(in[i]-out) > 1e-13*prob[n]*(o.rate[i]+lambda) {
				t.Fatalf("phase %d with %d jobs: %v in, %v out", i, n, in[i], out)
			}
		}
	}
}
