package mam

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Max(1e-300, math.Abs(want))) {
		t.Errorf("%s is %.16g, want %.16g: relative error %.2g", what, got, want, math.Abs(got/want-1))
	}
}

// randomRates is a QBD with about ten rates a row in every block.
func randomRates(n int, seed uint64) QBD {
	rng := rand.New(rand.NewPCG(seed, 1))
	fill := func() *mat.Dense {
		m := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				if rng.Float64() < 10/float64(n) {
					m.Set(i, j, rng.ExpFloat64())
				}
			}
		}
		return m
	}
	q := QBD{fill(), fill(), fill()}
	for i := range n {
		q.Local.Set(i, (i+1)%n, 1)
	}
	balance(q)
	return q
}

// randomQBD is randomRates with the given load.
func randomQBD(n int, load float64, seed uint64) QBD {
	q := randomRates(n, seed)
	for range 60 {
		up, down, err := q.Drift()
		if err != nil {
			panic(err)
		}
		if math.Abs(up/down-load) < 1e-15 {
			break
		}
		q.Up.Scale(load*down/up, q.Up)
		balance(q)
	}
	return q
}

// balance sets the diagonal of Local.
func balance(q QBD) {
	n, _ := q.Local.Dims()
	sums := make([]float64, n)
	for i := range n {
		q.Local.Set(i, i, 0)
	}
	addRowSums(sums, -1, q.Up)
	addRowSums(sums, -1, q.Down)
	addRowSums(sums, -1, q.Local)
	for i := range n {
		q.Local.Set(i, i, sums[i])
	}
}

func TestQBDOfOnePhaseIsMM1(t *testing.T) {
	for _, rho := range []float64{0.1, 0.5, 0.9, 0.999, 0.99999, 1 - 1e-9} {
		q := QBD{scalar(rho), scalar(-1 - rho), scalar(1)}
		for _, opt := range [][]Option{nil, {LogarithmicReduction()}} {
			s, err := q.Solve(context.Background(), opt...)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "R", s.R.At(0, 0), rho, 1e-15)
			near(t, "G", s.G.At(0, 0), 1, 1e-15)
			near(t, "caudal", s.Caudal, rho, 1e-15)
			near(t, "drift", s.Drift, rho-1, 1e-15)
		}
	}
}

func scalar(x float64) *mat.Dense { return mat.NewDense(1, 1, []float64{x}) }

// TestQBDReductionsAgree compares the entries of G by the two reductions: both
// add only, so they differ by rounding however small an entry is and however
// close the load is to 1. The spectral radius is that of gonum's eigenvalues.
func TestQBDReductionsAgree(t *testing.T) {
	for _, n := range []int{3, 63, 64, 65, 130} {
		for _, load := range []float64{0.3, 0.99, 0.99999} {
			if n > 65 && load > 0.3 {
				continue // several blocks of a product; the load is another matter
			}
			q := randomQBD(n, load, uint64(n))
			a, err := q.Solve(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			b, err := q.Solve(context.Background(), LogarithmicReduction())
			if err != nil {
				t.Fatal(err)
			}
			for i, g := range a.G.RawMatrix().Data {
				near(t, "G by two reductions", g, b.G.RawMatrix().Data[i], 5e-14)
			}
			for i := range n {
				near(t, "row of G", sum(a.G.RawRowView(i)), 1, 1e-14)
			}
			for _, s := range []*QBDSolution{a, b} {
				if s.Residual > 1e-14 {
					t.Errorf("n %d, load %g: residual %g", n, load, s.Residual)
				}
				near(t, "load", s.Load, load, 1e-14)
			}
			near(t, "spectral radius", a.Caudal, largestEigenvalue(t, a.R), 1e-12)
			near(t, "bracket", a.CaudalLow, a.Caudal, 3e-14)
		}
	}
}

func largestEigenvalue(t *testing.T, m *mat.Dense) (most float64) {
	var e mat.Eigen
	if !e.Factorize(m, mat.EigenNone) {
		t.Fatal("no eigenvalues")
	}
	for _, v := range e.Values(nil) {
		most = max(most, cmplx.Abs(v))
	}
	return most
}

// TestQBDEquations holds R, U and G to their definitions by plain products.
func TestQBDEquations(t *testing.T) {
	q := randomQBD(40, 0.9, 3)
	s, err := q.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var r2, left, u mat.Dense
	r2.Mul(s.R, s.R)
	r2.Mul(&r2, q.Down)
	left.Mul(s.R, q.Local)
	left.Add(&left, &r2)
	left.Add(&left, q.Up)
	if x := mat.Norm(&left, 1); x > 1e-13 {
		t.Errorf("Up + R Local + R^2 Down is %g", x)
	}
	u.Mul(s.R, q.Down)
	u.Add(&u, q.Local)
	u.Sub(&u, s.U)
	if x := mat.Norm(&u, 1); x > 1e-13 {
		t.Errorf("U - Local - R Down is %g", x)
	}
}

// TestQBDSameBits: the number of processors does not change a bit.
func TestQBDSameBits(t *testing.T) {
	q := randomQBD(150, 0.8, 9)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var g []float64
	for _, processors := range []int{1, 3, 8} {
		runtime.GOMAXPROCS(processors)
		s, err := q.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if g == nil {
			g = s.R.RawMatrix().Data
		} else if !slices.Equal(g, s.R.RawMatrix().Data) {
			t.Errorf("%d processors change R", processors)
		}
	}
}

// TestQBDSpecialBlocks: no way up; a phase that is left for ever; a Down with
// one column; a strided block.
func TestQBDSpecialBlocks(t *testing.T) {
	q := QBD{mat.NewDense(2, 2, nil), mat.NewDense(2, 2, []float64{-3, 1, 2, -3}), mat.NewDense(2, 2, []float64{2, 0, 0, 1})}
	s, err := q.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	near(t, "G without up", s.G.At(0, 0), 6./7, 1e-15)
	if s.Caudal != 0 || mat.Norm(s.R, 1) != 0 {
		t.Errorf("R without up is %v", s.R)
	}
	// Phase 0 is transient; phase 1 is M/M/1 with load 1/2.
	q = QBD{mat.NewDense(2, 2, []float64{1, 0, 0, 1}), mat.NewDense(2, 2, []float64{-4, 1, 0, -3}), mat.NewDense(2, 2, []float64{2, 0, 0, 2})}
	if s, err = q.Solve(context.Background()); err != nil {
		t.Fatal(err)
	}
	x := 2 - math.Sqrt2 // x = (2 + x^2)/4
	near(t, "G of a transient phase", s.G.At(0, 0), x, 1e-15)
	near(t, "load", s.Load, 0.5, 1e-15)
	near(t, "spectral radius", s.Caudal, 0.5, 1e-15)
	wide := mat.NewDense(2, 5, nil)
	strided := wide.Slice(0, 2, 2, 4).(*mat.Dense)
	strided.Copy(q.Up)
	q.Up = strided
	again, err := q.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	near(t, "G from a strided block", again.G.At(0, 1), s.G.At(0, 1), 0)
}

func TestQBDUnstable(t *testing.T) {
	for _, up := range []float64{1, 2} {
		_, err := QBD{scalar(up), scalar(-up - 1), scalar(1)}.Solve(context.Background())
		var u *Unstable
		if !errors.As(err, &u) || u.Drift != up-1 || u.Load != up {
			t.Errorf("got %v", err)
		}
	}
}

func TestQBDValidate(t *testing.T) {
	two := mat.NewDense(2, 2, nil)
	for _, c := range []struct {
		q    QBD
		want []string
	}{
		{QBD{}, []string{"needs all of Up, Local and Down"}},
		{QBD{two, scalar(1), mat.NewDense(1, 2, nil)}, []string{"Up is 2 by 2", "Down is 1 by 2"}},
		{QBD{scalar(-1), scalar(math.NaN()), scalar(math.Inf(1))}, []string{"Up(0,0) is -1", "Local(0,0) is NaN", "Down(0,0) is +Inf"}},
		{QBD{scalar(1), scalar(-1), scalar(1)}, []string{"row 0 of the blocks together sums to 1"}},
		{QBD{identity(2), mat.NewDense(2, 2, []float64{-3, 0, 0, -3}), mat.NewDense(2, 2, []float64{2, 0, 0, 2})}, []string{"never leads to state"}},
	} {
		_, err := c.q.Solve(context.Background())
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
		}
	}
}

// looks is a context that ends when it has been asked whether it has ended
// `last` times.
type looks struct {
	context.Context
	last, asked atomic.Int64
}

func (l *looks) Err() error {
	if l.asked.Add(1) > l.last.Load() {
		return context.Canceled
	}
	return nil
}

// TestQBDStopsWithContext counts how often a solution of 130 phases looks at its
// context: at least once in a million multiplications, and hardly any more
// after the end of it, in whatever part that comes. BenchmarkStops has the time.
func TestQBDStopsWithContext(t *testing.T) {
	const n = 130
	q := randomRates(n, 1)
	q.Up.Scale(0.5, q.Up)
	balance(q)
	all := &looks{Context: context.Background()}
	all.last.Store(math.MaxInt64)
	sol, err := q.Solve(all)
	if err != nil {
		t.Fatal(err)
	}
	total := all.asked.Load()
	if work := 13 * n * n * n * int64(sol.Iterations); total < work/1_000_000 {
		t.Errorf("%d looks in %d multiplications", total, work)
	}
	for i := range int64(8) {
		l := &looks{Context: context.Background()}
		l.last.Store(total * i / 8)
		if _, err := q.Solve(l); !errors.Is(err, context.Canceled) {
			t.Fatalf("ended at %d looks of %d: %v", l.last.Load(), total, err)
		}
		// A product that has been cut short looks once more in each of its strips.
		if more := l.asked.Load() - l.last.Load(); more > 60 {
			t.Errorf("ended at %d looks of %d: %d more", l.last.Load(), total, more)
		}
	}
}

func TestOnStep(t *testing.T) {
	for _, route := range [][]Option{nil, {LogarithmicReduction()}} {
		var lefts []float64
		opt := append(route, OnStep(func(step int, left float64) {
			if step != len(lefts)+1 {
				t.Errorf("step %d comes after %d others", step, len(lefts))
			}
			lefts = append(lefts, left)
		}))
		if _, err := randomQBD(5, 0.9, 1).Solve(context.Background(), opt...); err != nil {
			t.Fatal(err)
		}
		if len(lefts) < 4 || !slices.IsSortedFunc(lefts, func(a, b float64) int { return cmp.Compare(b, a) }) {
			t.Errorf("what is left does not fall: %v", lefts)
		}
	}
}
