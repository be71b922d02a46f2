package special

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// openMean is E[N] of the open queue with at most a given number of jobs in line behind
// the first, by the balance equations of its Markov chain. States: i small jobs
// in service, whether a big one is there too (blocked, or in service if i = 0),
// and w jobs behind, whose classes are drawn when they come to the head.
func openMean(t *testing.T, n int, p, mu1, mun, rate float64, line int) float64 {
	t.Helper()
	index := map[[3]int]int{}
	for i := range n {
		index[[3]int{i, 0, 0}] = len(index)
	}
	for w := range line + 1 {
		index[[3]int{n, 0, w}] = len(index)
		for i := range n {
			index[[3]int{i, 1, w}] = len(index)
		}
	}
	a := mat.NewDense(len(index), len(index), nil)
	move := func(from, to [3]int, r float64) {
		j, k := index[from], index[to]
		a.Set(k, j, a.At(k, j)+r)
		a.Set(j, j, a.At(j, j)-r)
	}
	// fill admits to i small jobs from w in line until one is blocked.
	var fill func(from [3]int, i, w int, r float64)
	fill = func(from [3]int, i, w int, r float64) {
		if i == n || w == 0 {
			move(from, [3]int{i, 0, w}, r)
			return
		}
		move(from, [3]int{i, 1, w - 1}, r*p)
		fill(from, i+1, w-1, r*(1-p))
	}
	for s := range index {
		i, big, w := s[0], s[1], s[2]
		switch {
		case big == 0 && i < n:
			fill(s, i, 1, rate)
		case w < line:
			move(s, [3]int{i, big, w + 1}, rate)
		}
		switch {
		case big == 1 && i == 0:
			fill(s, 0, w, mun)
		case big == 1:
			move(s, [3]int{i - 1, 1, w}, float64(i)*mu1)
		case i > 0:
			fill(s, i-1, w, float64(i)*mu1)
		}
	}
	b := mat.NewVecDense(len(index), nil)
	for j := range len(index) {
		a.Set(0, j, 1)
	}
	b.SetVec(0, 1)
	var pi mat.VecDense
	if err := pi.SolveVec(a, b); err != nil {
		t.Fatal(err)
	}
	mean := 0.0
	for s, j := range index {
		mean += pi.AtVec(j) * float64(s[0]+s[1]+s[2])
	}
	return mean
}

// TestMeanResponse compares with the open queue: exact in the limits of no and
// of full load, and at most 15 % too long between.
func TestMeanResponse(t *testing.T) {
	check := func(s OneAndN, rate, exact, tol float64) {
		t.Helper()
		off := s.MeanResponse(rate)/exact - 1
		t.Logf("%v at load %.2g: off by %.2g", s, rate/s.Throughput(), off)
		if !(off > 0 && off < tol) {
			t.Errorf("%v at rate %g: %g, exact %g", s, rate, s.MeanResponse(rate), exact)
		}
	}
	for _, c := range []struct {
		n           int
		p, mu1, mun float64
	}{{2, 0.5, 4, 4}, {3, 0.3, 1, 2}, {5, 0.2, 1, 0.5}, {4, 0.01, 1, 1}} {
		s := OneAndN{N: c.n, BigProb: c.p, SmallRate: c.mu1, BigRate: c.mun}
		for load, tol := range map[float64]float64{1e-6: 1e-6, 0.2: 0.15, 0.5: 0.15, 0.9: 0.08} {
			rate := load * s.Throughput()
			check(s, rate, openMean(t, c.n, c.p, c.mu1, c.mun, rate, 150)/rate, tol)
		}
	}
	big := OneAndN{N: 256, BigProb: 0.001, SmallRate: 1, BigRate: 0.025}
	for _, v := range oracle.Values(t, "B1", "mean_wait_table1") {
		check(big, v.Parameters["lam"].(float64), v.Value.(float64)+0.999+0.04, 0.1)
	}
}

// TestScaledQueueLength extrapolates (1-ρ) E[N] of the open queue to full load.
func TestScaledQueueLength(t *testing.T) {
	for _, c := range []struct {
		n           int
		p, mu1, mun float64
	}{{2, 0.5, 4, 4}, {3, 0.3, 1, 2}} {
		s := OneAndN{N: c.n, BigProb: c.p, SmallRate: c.mu1, BigRate: c.mun}
		at := func(load float64) float64 {
			return (1 - load) * openMean(t, c.n, c.p, c.mu1, c.mun, load*s.Throughput(), 400)
		}
		a, b, d := at(0.88), at(0.91), at(0.94)
		limit := a*3 - b*8 + d*6 // of the parabola through 12, 9 and 6 hundredths, at 0
		if math.Abs(limit-s.ScaledQueueLength()) > 3e-4 {
			t.Errorf("%+v: %g, extrapolated %g", c, s.ScaledQueueLength(), limit)
		}
	}
}

// TestRegimes places the paper's three families and checks which formula is
// used where.
func TestRegimes(t *testing.T) {
	const n = 1e6
	for a, want := range map[float64]Regime{0.5: BigDominated, 1: Balanced, 1.5: SmallDominated} {
		s := OneAndN{N: n, BigProb: math.Pow(n, -a), SmallRate: 2, BigRate: 2}
		if s.Regime() != want {
			t.Errorf("p = n^-%g is %v", a, s.Regime())
		}
	}
	if s := (OneAndN{N: 1e9, BigProb: 1e-300, SmallRate: 1e-300, BigRate: 1e300}); s.Regime() != SmallDominated || s.SmallShare() != 1 {
		t.Errorf("extreme rates: share %v", s.SmallShare())
	}
	s := OneAndN{N: 100, BigProb: 0.01, SmallRate: 3, BigRate: 1}
	l := math.Log(100)
	for r, want := range map[Regime][2]float64{BigDominated: {300 / l, 50}, Balanced: {300 / l, 50}, SmallDominated: {300, 50 * l * l}} {
		if x, d := s.AsymptoticThroughput(r), s.AsymptoticRelativeCompletions(r); math.Abs(x/want[0]-1) > 1e-14 || math.Abs(d/want[1]-1) > 1e-14 {
			t.Errorf("%v: %g and %g, want %v", r, x, d, want)
		}
	}
	if Regime(7).String() != "Regime(7)" || Balanced.String() != "balanced" {
		t.Error("names of the regimes")
	}
}
