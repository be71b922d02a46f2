package special

import (
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// oneAndN is the queue of a reference value.
func oneAndN(t *testing.T, v oracle.Value) OneAndN {
	t.Helper()
	get := func(name string) float64 {
		x, ok := v.Parameters[name].(float64)
		if !ok {
			t.Fatalf("%s %s: no parameter %s", v.Group, v.Name, name)
		}
		return x
	}
	p := get("p_n")
	if a, ok := v.Parameters["alpha"].(float64); ok {
		p = math.Pow(get("n"), -a) // p_n is rounded in some of them
	}
	s := OneAndN{N: int(get("n")), BigProb: p, SmallRate: get("mu_1"), BigRate: get("mu_n")}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestOneAndNReference holds every reference value, which came from long sums
// and from linear systems in other programs, at its own tolerance.
func TestOneAndNReference(t *testing.T) {
	for _, c := range []struct {
		group, name string
		tol         float64
		of          func(OneAndN) float64
	}{
		{"A1", "Xbar_1_and_n", 1e-12, OneAndN.Throughput},
		{"C", "Xbar", 1e-12, OneAndN.Throughput},
		{"C", "E_Delta", 1e-10, OneAndN.RelativeCompletions},
		{"C", "E_Delta_Yd_1_and_n", 1e-10, OneAndN.RelativeCompletions},
		{"C", "lim_(1-rho)E[N]", 1e-10, OneAndN.ScaledQueueLength},
	} {
		worst := 0.0
		values := oracle.Values(t, c.group, c.name)
		for _, v := range values {
			want := v.Value.(float64)
			got := c.of(oneAndN(t, v))
			off := math.Abs(got/want - 1)
			worst = max(worst, off)
			if !(off <= c.tol) {
				t.Errorf("%s %s %v: %.15g, want %.15g", c.group, c.name, v.Parameters, got, want)
			}
		}
		t.Logf("%s %s: %d values, worst %.1e", c.group, c.name, len(values), worst)
	}
}

// TestOneAndNTable: the laws in a table sum to 1 when all states are there, and
// a large system gets a selection that ends with n-1 and n.
func TestOneAndNTable(t *testing.T) {
	sums := map[string]float64{}
	for _, c := range (OneAndN{N: 7, BigProb: 0.2, SmallRate: 1, BigRate: 3}).Table().Columns {
		for _, e := range c.Values {
			sums[c.Name] += e.Value
		}
	}
	for _, c := range []struct {
		name string
		sum  float64
	}{{"steps that admit", 0.5}, {"steps that complete", 0.5}, {"completion average", 1}, {"time average", 1}} {
		if math.Abs(sums[c.name]-c.sum) > 1e-14 {
			t.Errorf("%s sums to %v, want %v", c.name, sums[c.name], c.sum)
		}
	}
	for _, n := range []int{33, 100, 1e9, math.MaxInt} {
		states := OneAndN{N: n, BigProb: 1e-3, SmallRate: 1, BigRate: 1}.solved().someStates()
		for i := 1; i < len(states); i++ {
			if states[i] <= states[i-1] {
				t.Errorf("n=%d: states %v", n, states)
			}
		}
		if last := states[len(states)-1]; last != n || len(states) > 62 {
			t.Errorf("n=%d: %d states up to %d", n, len(states), last)
		}
	}
	if rows := (OneAndN{N: 100, BigProb: 0.1, SmallRate: 1, BigRate: 1}).Table(0, 50, 100).Rows(); rows != 3 {
		t.Errorf("%d rows for three states", rows)
	}
}

// TestOneAndNFaults: everything wrong is said at once, and no number comes out.
func TestOneAndNFaults(t *testing.T) {
	s := OneAndN{N: 1, BigProb: 0, SmallRate: -2, BigRate: math.NaN()}
	if err := s.Err(); err == nil {
		t.Fatal("no error")
	} else {
		for _, part := range []string{"N = 1", "at least 2", "BigProb = 0", "SmallRate = -2", "BigRate = NaN", "positive and finite"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("the error lacks %q: %v", part, err)
			}
		}
		if s.String() != err.Error() {
			t.Errorf("String: %s", s)
		}
	}
	for i, v := range []float64{s.Throughput(), s.RelativeCompletions(), s.ScaledQueueLength(), s.Delta(0), s.TimeAverage(0),
		s.CompletionAverage(0), s.TransitionAverage(0, true), s.SmallShare(), s.MeanResponse(0.1),
		s.AsymptoticThroughput(Balanced), s.AsymptoticRelativeCompletions(Balanced),
		s.RefinedThroughput(Balanced), s.RefinedRelativeCompletions(Balanced)} {
		if !math.IsNaN(v) {
			t.Errorf("number %d is %v", i, v)
		}
	}
	if s.Model().Err() == nil || s.Regime() >= 0 {
		t.Error("a model or a regime without parameters")
	}
	if table := s.Table(); table.Rows() != 0 || table.Title != s.Err().Error() {
		t.Errorf("a table without parameters: %v", table)
	}
	good := OneAndN{N: 4, BigProb: 0.5, SmallRate: 1, BigRate: 1}
	if !math.IsNaN(good.AsymptoticThroughput(3)) || !math.IsNaN(good.RefinedThroughput(-1)) || !math.IsNaN(good.MeanResponse(-1)) {
		t.Error("numbers without a meaning")
	}
	if !math.IsInf(good.MeanResponse(good.Throughput()), 1) {
		t.Error("a finite response at the limit")
	}
}
