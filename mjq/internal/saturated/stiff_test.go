package saturated

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// rarely is the hyperexponential law that is long with probability p, the long
// jobs bringing half of the mean.
func rarely(c *states.Class, p, mean float64) {
	c.Alpha, c.A = []float64{p, 1 - p}, [][]float64{{-2 * p / mean, 0}, {0, -2 * (1 - p) / mean}}
}

// iterated solves by iteration, however small the chain.
func iterated(t *testing.T, s states.System) (c *Chain, y []float64, residual float64) {
	t.Helper()
	c, err := NewChain(context.Background(), s.Compile(), states.MaxStates)
	if err != nil {
		t.Fatal(err)
	}
	y = make([]float64, c.States())
	for i := range y {
		y[i] = 1
	}
	residual, _, err = c.iterate(context.Background(), y, func(done, total float64) {})
	if err != nil {
		t.Errorf("%+v: %v", s, err)
	}
	return c, y, residual
}

// stiffSystem has up to four classes whose rates lie up to 10^14 apart and
// whose probabilities do up to 10^8.
func stiffSystem(rng *rand.Rand) states.System {
	s := randomSystem(rng, true)
	sum := 0.0
	for i := range s.Classes {
		s.Classes[i].Prob = math.Pow(10, -8*rng.Float64()*rng.Float64())
		sum += s.Classes[i].Prob
	}
	for i := range s.Classes {
		c := &s.Classes[i]
		c.Prob /= sum
		p, share, mean := math.Pow(10, -2-8*rng.Float64()), rng.Float64(), math.Pow(10, 4*rng.Float64()-2)
		mu, nu := (1-p)/(mean*(1-share)), p/(mean*share)
		switch rng.IntN(4) {
		case 0, 1:
			c.Alpha, c.A = []float64{p, 1 - p}, [][]float64{{-nu, 0}, {0, -mu}}
		case 2: // seldom into a slow second phase
			c.Alpha, c.A = []float64{1, 0}, [][]float64{{-mu, mu * p}, {0, -nu}}
		case 3: // three scales, and a move between slow phases
			c.Alpha = []float64{p * 1e-3, p, 1 - p - p*1e-3}
			c.A = [][]float64{{-nu * 1e-3, nu * 5e-4, 0}, {0, -nu, nu / 2}, {0, 0, -mu}}
		}
	}
	return s
}

// TestStiff compares the iteration with elimination, which keeps every digit of
// every state, on random chains whose time scales lie far apart.
func TestStiff(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for stiff := 0; stiff < 100; {
		s := stiffSystem(rng)
		c, err := NewChain(context.Background(), s.Compile(), 150)
		if err != nil || c.blocks == nil {
			continue
		}
		stiff++
		exact, err := c.gth(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		_, y, residual := iterated(t, s)
		near(t, "throughput", c.throughput(y), c.throughput(exact), 1e-12)
		if !(residual <= Tolerance) {
			t.Errorf("%+v: residual %.2g", s, residual)
		}
		for i, v := range exact {
			if v > 1e-200 && !(math.Abs(y[i]-v) <= 1e-9*v) {
				t.Fatalf("%+v: state %d has %.15g, want %.15g", s, i, y[i], v)
			}
		}
	}
}

// TestDecomposition: as long jobs become rare and long, the short ones see the
// servers that the long ones leave them, in equilibrium, and the number of long
// jobs is a birth and death process.
func TestDecomposition(t *testing.T) {
	const servers, p, mean = 7, 1e-10, 1.5
	s := system(servers, []int{1, 3}, []float64{0.7, 0.3}, []float64{mean, 2})
	rarely(&s.Classes[0], p, mean)
	weight, total, completions := 1.0, 0.0, 0.0
	for k := 0; k <= servers; k++ {
		rate := 0.0
		if servers-k >= 3 {
			f, _, _ := ProductForm(context.Background(), system(servers-k, []int{1, 3}, []float64{0.7, 0.3}, []float64{mean / 2, 2}).Compile())
			rate = f.Throughput
		}
		total += weight
		completions += weight * rate
		weight *= 0.7 * p * rate / (float64(k+1) * 2 * p / mean)
	}
	c, y, residual := iterated(t, s)
	near(t, "throughput", c.throughput(y), completions/total, 1e-8)
	if c.blocks == nil || c.blocks.n != servers+1 || residual > Tolerance {
		t.Errorf("residual %.2g, blocks %+v", residual, c.blocks)
	}
}

// TestResidualOfBlocks: weights of the blocks that are wrong hardly change the
// flow into any state, so that the plain residual does not see them; ours must.
func TestResidualOfBlocks(t *testing.T) {
	s := system(7, []int{1, 3}, []float64{0.7, 0.3}, []float64{1.5, 2})
	rarely(&s.Classes[0], 1e-9, 1.5)
	c, y, _ := iterated(t, s)
	for i, b := range c.blocks.of[c.first:] {
		if b == 0 {
			y[i] *= 2
		}
	}
	normalise(y)
	into := make([]float64, len(y))
	c.jump(context.Background(), y, into)
	if d := floats.Distance(y, into, 1); d > 1e-8 {
		t.Errorf("plain residual %.2g", d)
	}
	if v := c.blocks.imbalance(); math.Abs(v-1./3) > 1e-6 {
		t.Errorf("imbalance %.9g, want 1/3 where one of two flows is doubled", v)
	}
}

// TestManyServers: blocks as rare as 10^-400 are left out without harm, and the
// mean number of long jobs is what Little's law says; also where long jobs are
// so little longer that the plain iteration is tried first, and stalls.
func TestManyServers(t *testing.T) {
	for _, mean := range []float64{1e-6, 1e-7} {
		s := system(64, []int{1, 32}, []float64{0.9, 0.1}, []float64{1, 1})
		c := &s.Classes[0]
		c.Alpha, c.A = []float64{1e-9, 1 - 1e-9}, [][]float64{{-1e-9 / mean, 0}, {0, -1}}
		chain, sol := solved(t, s)
		if chain.blocks.n != 65 {
			t.Fatalf("%d blocks", chain.blocks.n)
		}
		long, prob := 0.0, chain.Probabilities(sol)
		chain.Describe(func(i int, counts []int32, _ int) { long += prob[i] * float64(counts[0]) })
		near(t, "long jobs", long, sol.Throughput*0.9*mean, 1e-12)
	}
}

// TestStiffCancelled: what a cancelled iteration leaves is a distribution.
func TestStiffCancelled(t *testing.T) {
	s := fiveClasses()
	s.Servers = 15
	s = erlang(s, 2)
	rarely(&s.Classes[0], 1e-6, 0.5)
	c, err := NewChain(context.Background(), s.Compile(), states.MaxStates)
	if err != nil {
		t.Fatal(err)
	}
	for after := range 3 {
		ctx, cancel := context.WithCancel(context.Background())
		y := make([]float64, c.States())
		calls := 0
		_, _, err = c.iterate(ctx, y, func(done, total float64) {
			if calls++; calls > after {
				cancel()
			}
		})
		sum := floats.Sum(y)
		if err != context.Canceled || !(math.Abs(sum-1) < 1e-9) {
			t.Errorf("after %d cycles: sum %v, error %v", after, sum, err)
		}
		cancel()
	}
}

// TestRelativeStiff is E[Δ] of one server, (E[σ²] - 2 E[σ]²) / (2 E[σ]²), by
// the iteration.
func TestRelativeStiff(t *testing.T) {
	for _, p := range []float64{1e-4, 1e-6, 1e-8} {
		s := system(1, []int{1}, []float64{1}, []float64{1})
		rarely(&s.Classes[0], p, 1)
		c, sol := solved(t, s)
		after := make([]float64, c.States())
		c.flow(context.Background(), sol.Flow, after)
		floats.Scale(1/floats.Sum(after), after)
		sum, err := c.relative(context.Background(), sol, after)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "E[Δ]", sum, 0.25/p+0.25/(1-p)-1, 1e-12)
	}
}

// TestBegun: phases begun for a job by the visits that a law makes to them, and
// the phases slower than the usual one.
func TestBegun(t *testing.T) {
	s := system(4, []int{1, 3}, []float64{0.8, 0.2}, []float64{1, 2})
	s.Classes[0].Alpha = []float64{0.5, 0.25, 0.25}
	s.Classes[0].A = [][]float64{{-4, 1, 2}, {0, -100, 50}, {0, 0, -0.125}}
	c, err := NewChain(context.Background(), s.Compile(), states.MaxStates)
	if err != nil {
		t.Fatal(err)
	}
	second := 0.25 + 0.5/4
	want := []float64{0.8 * 0.5, 0.8 * second, 0.8 * (0.25 + 0.5*2/4 + second/2), 0.2}
	if got := c.begun(); !floats.EqualApprox(got, want, 1e-15) {
		t.Errorf("begun %v, want %v", got, want)
	}
	// The median over 1.61 phases begun has rate 0.5.
	for slower, slow := range map[float64]int{2: 1, 3.999: 1, 4: 0, 5: 0} {
		if got := c.slowPhases(slower); len(got) != slow || slow > 0 && got[0] != 2 {
			t.Errorf("slower than %v times: phases %v", slower, got)
		}
	}
}

// TestExactly: a residual gets the sums that the flows between blocks have, its
// shares within them by the flow; and residuals are told block by block.
func TestExactly(t *testing.T) {
	s := system(7, []int{1, 3}, []float64{0.7, 0.3}, []float64{1.5, 2})
	rarely(&s.Classes[0], 1e-3, 1.5)
	c, y, _ := iterated(t, s)
	of, rng := c.blocks.of[c.first:], rand.New(rand.NewPCG(1, 9))
	for i := range y {
		y[i] *= 1 + rng.Float64()
	}
	g := newGMRES(c, len(y))
	c.jump(context.Background(), y, g.basis[0])
	g.stiff.set(context.Background(), y)
	source := make([]float64, len(y))
	source[3], source[30] = 1e-3, -1e-3
	for _, source := range [][]float64{nil, source} {
		r := make([]float64, len(y))
		for i := range r {
			r[i] = y[i] * rng.NormFloat64()
		}
		before := append([]float64(nil), r...)
		g.stiff.exactly(r, source)
		want, got := make([]float64, c.blocks.n), make([]float64, c.blocks.n)
		for i, v := range source {
			want[of[i]] += v
		}
		c.blocks.net(want)
		for i, v := range r {
			got[of[i]] += v
		}
		if !floats.EqualApprox(got, want, 1e-14) {
			t.Errorf("sums %v, want %v", got, want)
		}
		for i := 1; i < len(r); i++ {
			if of[i] == of[0] && math.Abs((r[i]-before[i])/y[i]-(r[0]-before[0])/y[0]) > 1e-12 {
				t.Errorf("state %d is not corrected in proportion to its flow", i)
			}
		}
	}
	for i := range of {
		if of[i] != 2 {
			continue
		}
		r := make([]float64, len(y))
		r[i] = -0.01 * y[i]
		flow, time := 0.0, 0.0
		for j := range of {
			if of[j] == 2 {
				flow += y[j]
				time += y[j] * c.hold[j]
			}
		}
		near(t, "residual of one state", g.stiff.within(c.hold, y, r), 0.01*y[i]*max(1/flow, c.hold[i]/time), 1e-12)
	}
}
