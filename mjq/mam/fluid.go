package mam

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Fluid is a fluid queue driven by a Markov chain: the level rises at rate 1 in
// the up phases and falls at rate 1 in the down phases. The blocks are those of
// the generator of the phases; its diagonal follows from the other rates and is
// not read. Processes with jumps are of this kind: a jump of phase type is a
// stretch in the other direction, whose time is left out (Asmussen, "Stationary
// distributions for fluid flow models with or without Brownian noise",
// Stochastic Models 11, 1995).
type Fluid struct{ UpUp, UpDown, DownUp, DownDown *mat.Dense }

// FluidSolution holds the fundamental matrices of a fluid queue whose level
// drifts down.
type FluidSolution struct {
	// Psi[i][j] is the probability that the level, rising from up phase i, is
	// back at where it was for the first time in down phase j; the minimal
	// solution of UpDown + UpUp Psi + Psi DownDown + Psi DownUp Psi = 0.
	Psi *mat.Dense
	// K = UpUp + Psi DownUp: if v is the rate at which up phases are entered at
	// level 0, the density of level x is v exp(Kx) in the up phases and
	// v exp(Kx) Psi in the down phases.
	K *mat.Dense
	// Residual is the largest row sum of the equation over the largest rate.
	Residual float64
	// Steps counts the doublings.
	Steps int
	// Drift is the mean rate of the level, which is negative, and Load the ratio
	// of the times up and down.
	Drift, Load float64
}

// Validate names every fault of the blocks: shapes, rates.
func (f Fluid) Validate() error {
	if f.UpUp == nil || f.UpDown == nil || f.DownUp == nil || f.DownDown == nil {
		return errors.New("mam: a fluid queue needs all of UpUp, UpDown, DownUp and DownDown; a block without rates is a matrix of zeros")
	}
	u, _ := f.UpUp.Dims()
	d, _ := f.DownDown.Dims()
	var faults []error
	for _, b := range []struct {
		name          string
		m             *mat.Dense
		rows, columns int
	}{{"UpUp", f.UpUp, u, u}, {"UpDown", f.UpDown, u, d}, {"DownUp", f.DownUp, d, u}, {"DownDown", f.DownDown, d, d}} {
		if r, c := b.m.Dims(); r != b.rows || c != b.columns || r == 0 || c == 0 {
			faults = append(faults, fmt.Errorf("mam: %s is %d by %d; give %d by %d", b.name, r, c, b.rows, b.columns))
			continue
		}
		for i := range b.rows {
			for j, x := range b.m.RawRowView(i) {
				if (!(x >= 0) || math.IsInf(x, 1)) && (i != j || b.rows != b.columns || b.m == f.UpDown || b.m == f.DownUp) {
					faults = append(faults, fmt.Errorf("mam: %s(%d,%d) is %v; rates must be finite and not negative", b.name, i, j, x))
				}
			}
		}
	}
	return errors.Join(faults...)
}

// Solve finds Psi and K. It fails with *Unstable unless the level drifts down,
// with all faults of the blocks at once, and with the cause of ctx's end.
//
// The rates are those of a chain that is looked at after times which double (the
// structure-preserving doubling algorithm: Guo, Lin and Xu, Numerische Mathematik 103, 2006).
// Every step adds and never subtracts, as in [QBD.Solve] (Xue, Xu and Li, Numerische Mathematik
// 120, 2012), so that entries of Psi keep a small relative error near saturation. For u up and
// d down phases it takes 8/3 (u+d)^3 operations once, and about 25 n^3 a step if u and d are n.
// The steps grow as the logarithm of 1/(1-load) and of the ratio of the rates. OnStep hears of
// every one, with the largest probability of not being back yet.
func (f Fluid) Solve(ctx context.Context, opt ...Option) (*FluidSolution, error) {
	var o options
	for _, set := range opt {
		set(&o)
	}
	if err := f.Validate(); err != nil {
		return nil, err
	}
	s := &steps{ctx: ctx}
	all := f.generator()
	sol, err := f.drift(s, all)
	if err != nil {
		return nil, err
	}
	u, _ := f.UpUp.Dims()
	w := newDoubling(s, all, u)
	for sol.Steps = 1; ; sol.Steps++ {
		left := w.double()
		if s.err == nil && sol.Steps > maxSteps {
			s.err = errSlow
		}
		if s.err != nil {
			return nil, fmt.Errorf("mam: fluid queue of %d phases: %w", w.d+u, s.err)
		}
		if left <= enough {
			break
		}
		if o.onStep != nil {
			o.onStep(sol.Steps, left)
		}
	}
	sol.Psi = w.h
	sol.K = mat.DenseCopyOf(slab(all, w.d, w.d+u, w.d, w.d+u))
	s.product(1, sol.Psi, f.DownUp, 1, sol.K)
	sol.Residual = f.residual(s, all, sol)
	return sol, s.err
}

// generator is that of all phases, the down phases first, with its diagonal.
func (f Fluid) generator() *mat.Dense {
	u, _ := f.UpUp.Dims()
	d, _ := f.DownDown.Dims()
	all := mat.NewDense(u+d, u+d, nil)
	slab(all, 0, d, 0, d).Copy(f.DownDown)
	slab(all, 0, d, d, d+u).Copy(f.DownUp)
	slab(all, d, d+u, 0, d).Copy(f.UpDown)
	slab(all, d, d+u, d, d+u).Copy(f.UpUp)
	for i := range u + d {
		row := all.RawRowView(i)
		row[i] = 0
		row[i] = -sum(row)
	}
	return all
}

func slab(m *mat.Dense, i, k, j, l int) *mat.Dense { return m.Slice(i, k, j, l).(*mat.Dense) }

// drift begins a solution with the drift.
func (f Fluid) drift(s *steps, all *mat.Dense) (*FluidSolution, error) {
	n, _ := all.Dims()
	d, _ := f.DownDown.Dims()
	pi, err := stationary(s, all, n)
	if err != nil {
		return nil, fmt.Errorf("mam: phases of the fluid queue: %w", err)
	}
	down, up := sum(pi[:d]), sum(pi[d:])
	if !(up < down*(1-critical)) {
		return nil, &Unstable{Drift: up - down, Load: up / down}
	}
	return &FluidSolution{Drift: up - down, Load: up / down}, nil
}

// residual is how far Psi is from solving its equation.
func (f Fluid) residual(s *steps, all *mat.Dense, sol *FluidSolution) float64 {
	d, _ := f.DownDown.Dims()
	rest := mat.DenseCopyOf(f.UpDown)
	s.product(1, sol.K, sol.Psi, 1, rest)
	s.product(1, sol.Psi, mat.DenseCopyOf(slab(all, 0, d, 0, d)), 1, rest)
	fastest := 0.0
	n, _ := all.Dims()
	for i := range n {
		fastest = max(fastest, -all.At(i, i))
	}
	return mat.Norm(rest, math.Inf(1)) / fastest
}

// doubling holds the probabilities of the level's passages within a time: e
// from down phase to down phase, g from down to up, h from up to down, f from
// up to up.
type doubling struct {
	s          *steps
	d, u       int
	e, g, h, f *mat.Dense
	downs, ups *triplet
}

// newDoubling begins with (c-T)^-1 (c+T) for the generator T, c its largest rate
// of leaving: a stochastic matrix.
func newDoubling(s *steps, all *mat.Dense, u int) *doubling {
	n, _ := all.Dims()
	d := n - u
	c := 0.0
	for i := range n {
		c = max(c, -all.At(i, i))
	}
	t := newTriplet(n)
	t.rates(all)
	for i := range t.sums {
		t.sums[i] = c
	}
	t.factor(s)
	b := mat.DenseCopyOf(all)
	for i := range n {
		b.Set(i, i, c+all.At(i, i))
	}
	t.solve(s, b)
	return &doubling{s: s, d: d, u: u,
		e: mat.DenseCopyOf(slab(b, 0, d, 0, d)), g: mat.DenseCopyOf(slab(b, 0, d, d, n)),
		h: mat.DenseCopyOf(slab(b, d, n, 0, d)), f: mat.DenseCopyOf(slab(b, d, n, d, n)),
		downs: newTriplet(d), ups: newTriplet(u)}
}

// double doubles the time and returns the largest probability of going from an
// up phase to an up phase within it.
func (w *doubling) double() (left float64) {
	e, g := w.between(w.downs, w.e, w.g, w.h, w.f)
	f, h := w.between(w.ups, w.f, w.h, w.g, w.e)
	w.s.product(1, w.e, g, 1, w.g)
	w.s.product(1, w.f, h, 1, w.h)
	w.e, w.f = w.times(w.e, e), w.times(w.f, f)
	rows := make([]float64, w.u)
	addRowSums(rows, 1, w.f)
	return slices.Max(rows)
}

// between is (1 - g h)^-1 e and (1 - g h)^-1 g f. The row sums of 1 - g h are
// those of e + g f, for those of e + g and of h + f are 1.
func (w *doubling) between(t *triplet, e, g, h, f *mat.Dense) (x, y *mat.Dense) {
	w.s.product(-1, g, h, 0, t.lu)
	x, y = mat.DenseCopyOf(e), w.times(g, f)
	clear(t.sums)
	addRowSums(t.sums, 1, x)
	addRowSums(t.sums, 1, y)
	t.factor(w.s)
	t.solve(w.s, x)
	t.solve(w.s, y)
	return x, y
}

func (w *doubling) times(a, b *mat.Dense) *mat.Dense {
	r, _ := a.Dims()
	_, c := b.Dims()
	m := mat.NewDense(r, c, nil)
	w.s.product(1, a, b, 0, m)
	return m
}
