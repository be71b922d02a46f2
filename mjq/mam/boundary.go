package mam

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Level holds the generator blocks of one level below the homogeneous ones: the
// rates to the next level, inside the level and to the level below. Levels may
// differ in their numbers of phases. Down of level 0 is not read.
type Level struct{ Up, Local, Down *mat.Dense }

// Boundary describes the levels 0 to Levels-1 of a QBD that is homogeneous from
// level Levels on.
type Boundary struct {
	// Levels is the first homogeneous level, at least 1.
	Levels int
	// At gives the blocks of level n. At n = Levels only Down is read, the rates
	// to level Levels-1; it may be nil there if they are those of the QBD. At is
	// called once for each level, from the highest down, and must not change
	// what it gave.
	At func(n int) Level
}

// Solve finds the stationary law, given the homogeneous levels and their solution. From the
// highest level to level 0, level n is watched only while the process is in it or below. GTH
// solves the chain that remains at level 0; then pi_n follows from pi_(n-1) upwards (Gaver,
// Jacobs and Latouche, Advances in Applied Probability 16, 1984). Everything adds, so each pi_n
// has a small relative error up to one factor common to all levels, whose error is of the order
// of 1e-16/(1-load). It takes about 14/3 n^3 operations and n^2 numbers for a level of n
// phases. It fails if blocks do not fit together, if rows do not sum to 0, and when ctx ends.
// OnStep hears of every level on the way down.
func (b Boundary) Solve(ctx context.Context, q QBD, sol *QBDSolution, opt ...Option) (*Stationary, error) {
	var o options
	for _, set := range opt {
		set(&o)
	}
	if b.Levels < 1 || b.At == nil {
		return nil, fmt.Errorf("mam: a boundary needs a function At and at least one level; Levels is %d", b.Levels)
	}
	if err := q.Validate(); err != nil {
		return nil, err
	}
	w := &watch{s: &steps{ctx: ctx}, b: b, onStep: o.onStep}
	u0, err := w.descend(q, sol)
	if err != nil {
		return nil, err
	}
	pi, err := w.ascend(u0)
	if err != nil {
		return nil, err
	}
	return newStationary(w.s, pi, sol.R)
}

// watch goes through the levels of a boundary.
type watch struct {
	s      *steps
	b      Boundary
	onStep func(int, float64)
	stay   []*triplet   // minus the generator of level n watched with those below
	up     []*mat.Dense // rates from level n to n+1
}

// descend factors the levels from the first homogeneous one down to 1 and
// returns the generator of level 0 watched alone.
func (w *watch) descend(q QBD, sol *QBDSolution) (*mat.Dense, error) {
	top := w.b.Levels
	w.stay, w.up = make([]*triplet, top+1), make([]*mat.Dense, top)
	level := Level{q.Up, q.Local, w.b.At(top).Down}
	if level.Down == nil {
		level.Down = q.Down
	}
	g := sol.G
	for n := top; ; n-- {
		if n < top {
			level = w.b.At(n)
			w.up[n] = level.Up
		}
		if err := level.fits(n, g); err != nil {
			return nil, err
		}
		u := mat.DenseCopyOf(level.Local)
		w.s.product(1, level.Up, g, 1, u)
		if n == 0 {
			return u, w.fault(n)
		}
		m, _ := u.Dims()
		t := newTriplet(m)
		t.rates(u)
		addRowSums(t.sums, 1, level.Down)
		t.factor(w.s)
		g = mat.DenseCopyOf(level.Down)
		t.solve(w.s, g)
		if err := w.fault(n); err != nil {
			return nil, err
		}
		w.stay[n] = t
		if w.onStep != nil {
			w.onStep(top-n+1, float64(n)/float64(top+1))
		}
	}
}

func (w *watch) fault(n int) error {
	if w.s.err != nil {
		return fmt.Errorf("mam: level %d: %w", n, w.s.err)
	}
	return nil
}

// ascend returns pi_0 to pi_Levels up to one factor.
func (w *watch) ascend(u0 *mat.Dense) ([][]float64, error) {
	m, _ := u0.Dims()
	first, err := stationary(w.s, u0, m)
	if err != nil {
		return nil, fmt.Errorf("mam: level 0: %w", err)
	}
	pi := [][]float64{first}
	for n := 1; n <= w.b.Levels; n++ {
		_, m := w.up[n-1].Dims()
		x := mat.NewDense(1, m, nil)
		w.s.product(1, mat.NewDense(1, len(pi[n-1]), pi[n-1]), w.up[n-1], 0, x)
		w.stay[n].solveLeft(w.s, x)
		if err := w.fault(n); err != nil {
			return nil, err
		}
		pi = append(pi, x.RawRowView(0))
		if mat.Max(x) > 1e100 {
			scale(pi, 1e-100)
		}
	}
	return pi, nil
}

func scale(pi [][]float64, factor float64) {
	for _, x := range pi {
		for i := range x {
			x[i] *= factor
		}
	}
}

// fits names the faults of the blocks of level n, when the level above has a
// first passage g into this one.
func (l Level) fits(n int, g *mat.Dense) error {
	if l.Local == nil || l.Up == nil || n > 0 && l.Down == nil {
		return fmt.Errorf("mam: level %d lacks a block; give Up, Local and, above level 0, Down", n)
	}
	if n == 0 {
		l.Down = nil
	}
	above, into := g.Dims()
	m, columns := l.Local.Dims()
	var faults []error
	if m != columns || m == 0 {
		return fmt.Errorf("mam: Local of level %d is %d by %d; give a square one", n, m, columns)
	}
	if m != into {
		faults = append(faults, fmt.Errorf("mam: level %d has %d phases and Down of level %d leads to %d; make them equal", n, m, n+1, into))
	}
	if r, c := l.Up.Dims(); r != m || c != above {
		faults = append(faults, fmt.Errorf("mam: Up of level %d is %d by %d; give %d by %d", n, r, c, m, above))
	}
	if l.Down != nil {
		if r, _ := l.Down.Dims(); r != m {
			faults = append(faults, fmt.Errorf("mam: Down of level %d has %d rows; give %d", n, r, m))
		}
	}
	if len(faults) == 0 {
		faults = levelFaults(fmt.Sprintf("level %d: ", n), l.Up, l.Local, l.Down)
	}
	return errors.Join(faults...)
}
