package saturated

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/states"
)

// system is a saturated system of exponential classes.
func system(servers int, needs []int, probs, means []float64) states.System {
	s := states.System{Servers: servers}
	for i := range needs {
		s.Classes = append(s.Classes, states.Class{Need: needs[i], Prob: probs[i], Alpha: []float64{1}, A: [][]float64{{-1 / means[i]}}})
	}
	return s
}

func fiveClasses() states.System {
	return system(20, []int{1, 2, 5, 10, 15}, []float64{.5, .1, .2, .19, .01}, []float64{.5, .83, 1.25, 3.33, 10})
}

// erlang makes every exponential class Erlang of k phases with the same mean.
func erlang(s states.System, k int) states.System {
	for i := range s.Classes {
		c := &s.Classes[i]
		mu := float64(k) * -c.A[0][0]
		c.Alpha, c.A = make([]float64, k), make([][]float64, k)
		c.Alpha[0] = 1
		for j := range c.A {
			c.A[j] = make([]float64, k)
			c.A[j][j] = -mu
			if j+1 < k {
				c.A[j][j+1] = mu
			}
		}
	}
	return s
}

func solved(t testing.TB, s states.System) (*Chain, *Solution) {
	t.Helper()
	c, err := NewChain(context.Background(), s.Compile(), states.MaxStates)
	if err != nil {
		t.Fatal(err)
	}
	sol, err := c.Solve(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c, sol
}

func near(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Abs(want)) {
		t.Errorf("%s: %.15g, want %.15g within %.1g", what, got, want, tol)
	}
}

// TestNamedHead compares random systems with the chain that names the class at
// the head, which knows nothing of the lumping.
func TestNamedHead(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 60 {
		s := randomSystem(rng, trial%2 == 0)
		rate, relative := newNamed(s).solve(t)
		c, sol := solved(t, s)
		near(t, "throughput", sol.Throughput, rate, 1e-12)
		e, err := c.RelativeCompletions(context.Background(), sol)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(e-relative) > 1e-11*(1+math.Abs(relative)) {
			t.Errorf("%+v: E[Δ] = %.15g, want %.15g", s, e, relative)
		}
	}
}

// TestInstantServices: some services take no time at all, of one class or of all.
func TestInstantServices(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 30 {
		s := randomSystem(rng, false)
		for i := range s.Classes {
			for j := range s.Classes[i].Alpha {
				s.Classes[i].Alpha[j] *= []float64{0.6, 1}[rng.IntN(2)]
			}
		}
		rate, _ := newNamed(s).solve(t)
		_, sol := solved(t, s)
		near(t, "throughput", sol.Throughput, rate, 1e-12)
	}
}

// TestRelativeByIteration compares the iteration with elimination.
func TestRelativeByIteration(t *testing.T) {
	c, sol := solved(t, erlang(system(11, []int{1, 2, 4}, []float64{.5, .3, .2}, []float64{1, 2, 3}), 2))
	if c.States() <= denseStates || c.States() > 700 {
		t.Fatalf("%d states", c.States())
	}
	e, err := c.RelativeCompletions(context.Background(), sol)
	if err != nil {
		t.Fatal(err)
	}
	deltas, err := c.Deltas(context.Background(), sol)
	if err != nil {
		t.Fatal(err)
	}
	after := make([]float64, c.States())
	c.flow(context.Background(), sol.Flow, after)
	near(t, "E[Δ]", e, floats.Dot(after, deltas)/floats.Sum(after), 1e-11)
}

// bySums is the throughput X̄ and E[Δ(Y_d)] of n servers for jobs of one, served at rate
// mu1, and with probability p of all, at rate mun (Grosof and Ayhan, Multiserver-job Response
// Time under Multilevel Scaling, Lemmas 5.2 to 5.5): plain sums over the drains.
func bySums(n int, p, mu1, mun float64) (throughput, completions float64) {
	cycle, share := mu1/mun, 1.0 // share is q^i
	for i := 1; i < n; i++ {
		share *= 1 - p
		cycle += share / float64(i)
	}
	share *= 1 - p
	x := 1 / (p * (cycle + share/(p*float64(n)))) // X̄/mu1
	ahead, drain := 0.0, 1.0                      // Δ(i) - Δ(0) and q^i
	for i := 1; i < n; i++ {
		step := 1 - x/float64(i)
		ahead += step
		drain *= 1 - p
		completions += drain * p * (step*step + p*ahead*ahead) / 2
	}
	last := 1 - x/float64(n)
	ahead += last / p
	return mu1 * x, completions + share*(last*last/p+p*ahead*ahead)/2
}

// TestLongDrains: an iteration that only looks 40 jumps ahead does not see the end
// of drains of 300 jobs; the closed form does.
func TestLongDrains(t *testing.T) {
	c, y, residual := iterated(t, system(300, []int{1, 300}, []float64{0.99, 0.01}, []float64{1, 2}))
	want, _ := bySums(300, 0.01, 1, 0.5)
	near(t, "throughput", c.throughput(y), want, 1e-11)
	if residual > Tolerance {
		t.Errorf("residual %.2g", residual)
	}
}

// TestRelativeOfLongDrains is a chain of 500 drains, on which the iteration
// for the relative completions stalls, against a closed form.
func TestRelativeOfLongDrains(t *testing.T) {
	throughput, completions := bySums(500, 0.01, 1, 0.5)
	c, sol := solved(t, system(500, []int{1, 500}, []float64{0.99, 0.01}, []float64{1, 2}))
	near(t, "throughput", sol.Throughput, throughput, 1e-12)
	e, err := c.RelativeCompletions(context.Background(), sol)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "E[Δ]", e, completions, 1e-10)
	if _, err := c.Deltas(context.Background(), sol); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.RelativeCompletions(ctx, sol); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := c.Deltas(ctx, sol); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := NewChain(ctx, fiveClasses().Compile(), states.MaxStates); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestProgress: the digits reached and wanted go up to 1, and a solution counts
// its passes.
func TestProgress(t *testing.T) {
	s := fiveClasses()
	s.Servers = 15
	c, err := NewChain(context.Background(), erlang(s, 2).Compile(), states.MaxStates)
	if err != nil {
		t.Fatal(err)
	}
	last := -1.0
	calls := 0
	sol, err := c.Solve(context.Background(), func(done, total float64) {
		if calls++; !(done >= last && done <= 1 && total == 1) || (calls == 1) != (done == 0) {
			t.Errorf("call %d: %v of %v after %v", calls, done, total, last)
		}
		last = done
	})
	if err != nil || last != 1 {
		t.Errorf("ended at %v: %v", last, err)
	}
	if cycles := calls - 1; sol.Passes != cycles*restart+calls {
		t.Errorf("%d passes in %d cycles", sol.Passes, cycles)
	}
}

// TestKnownLimits are reference/math A.1 and A.3.
func TestKnownLimits(t *testing.T) {
	_, five := solved(t, fiveClasses())
	near(t, "five classes", five.Throughput, 1.8008553591175, 1e-12)
	if five.Pairs != 842 {
		t.Errorf("five classes: %d states with the class at the head, want 842", five.Pairs)
	}
	_, big := solved(t, system(256, []int{1, 256}, []float64{.999, .001}, []float64{1, 40}))
	near(t, "1 and 256", big.Throughput, 20.448071665897075, 1e-12)
	fifteen := fiveClasses()
	fifteen.Servers = 15
	_, two := solved(t, erlang(fifteen, 2)) // beyond the elimination
	if two.States <= denseStates || two.Residual > Tolerance {
		t.Errorf("Erlang-2: %d states, residual %.2g", two.States, two.Residual)
	}
}

// TestEliminationAndIteration solves one chain both ways.
func TestEliminationAndIteration(t *testing.T) {
	c, err := NewChain(context.Background(), fiveClasses().Compile(), states.MaxStates)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := c.gth(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	y := make([]float64, c.States())
	for i := range y {
		y[i] = 1
	}
	if _, _, err := c.iterate(context.Background(), y, func(done, total float64) {}); err != nil {
		t.Fatal(err)
	}
	if d := floats.Distance(exact, y, 1); d > 1e-12 {
		t.Errorf("elimination and iteration differ by %.2g", d)
	}
}

// TestDeltas checks the Poisson equation state by state against the sum that
// avoids it, and that πΔ = 0.
func TestDeltas(t *testing.T) {
	for _, s := range []states.System{fiveClasses(), erlang(system(4, []int{1, 3}, []float64{.7, .3}, []float64{1, 2}), 2)} {
		c, sol := solved(t, s)
		deltas, err := c.Deltas(context.Background(), sol)
		if err != nil {
			t.Fatal(err)
		}
		after, sum, zero := make([]float64, c.States()), 0.0, 0.0
		c.flow(context.Background(), sol.Flow, after)
		for i, d := range deltas {
			sum += after[i] * d
			zero += sol.Flow[i] * c.hold[i] * d
		}
		e, err := c.RelativeCompletions(context.Background(), sol)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "E[Δ]", e, sum/floats.Sum(after), 1e-11)
		if math.Abs(zero) > 1e-12 {
			t.Errorf("πΔ = %.2g", zero)
		}
		described := 0
		c.Describe(func(state int, counts []int32, free int) {
			if state != described {
				t.Fatalf("state %d described as %d", described, state)
			}
			described++
		})
		if described != c.States() {
			t.Errorf("%d of %d states described", described, c.States())
		}
	}
}

// TestStops: a chain too large is refused before it is built, and a cancelled
// solve ends soon with the error of the context.
func TestStops(t *testing.T) {
	var large *chain.TooLarge
	if _, err := NewChain(context.Background(), erlang(fiveClasses(), 8).Compile(), states.MaxStates); !errors.As(err, &large) {
		t.Errorf("Erlang-8: %v", err)
	}
	c, err := NewChain(context.Background(), erlang(fiveClasses(), 3).Compile(), states.MaxStates)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Solve(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("cancelled: %v", err)
	}
}

// BenchmarkSolve solves the five classes with exponential and Erlang services,
// the last chain on 16 servers, and reports the states; B/op is about the memory.
func BenchmarkSolve(b *testing.B) {
	sixteen := fiveClasses()
	sixteen.Servers = 16
	for _, c := range []struct {
		name string
		s    states.System
	}{{"exponential", fiveClasses()}, {"erlang-2", erlang(fiveClasses(), 2)}, {"erlang-3", erlang(fiveClasses(), 3)},
		{"erlang-5-on-16", erlang(sixteen, 5)}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var sol *Solution
			for b.Loop() {
				_, sol = solved(b, c.s)
			}
			b.ReportMetric(float64(sol.States), "states")
			b.ReportMetric(float64(sol.Pairs), "named-states")
		})
	}
}

// TestInverse has the sum that avoids the Poisson equation agree with it.
func TestInverse(t *testing.T) {
	c, sol := solved(t, fiveClasses())
	deltas, err := c.Deltas(context.Background(), sol)
	if err != nil {
		t.Fatal(err)
	}
	rhs := make([]float64, c.States())
	rhs[3], rhs[200] = 1, -1
	z, err := c.inverse(context.Background(), sol.Flow, rhs)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i, completions := range c.completions() {
		sum += z[i] * (completions - sol.Throughput*c.hold[i])
	}
	near(t, "difference of two states", sum, deltas[3]-deltas[200], 1e-9)
}
