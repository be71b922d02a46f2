package mam

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// QBD holds the generator blocks of the homogeneous levels of a
// quasi-birth-and-death process: the rates from the phases of a level to those
// of the next level, of the same level and of the level below. They are A_0,
// A_1 and A_2 of Latouche and Ramaswami ("Introduction to Matrix Analytic
// Methods in Stochastic Modeling", 1999). All are square of one size, rates are
// not negative, and the rows of the three together sum to 0. The diagonal of
// Local is checked but not read: it follows from the other rates, which keeps
// all digits when the load is close to 1.
type QBD struct{ Up, Local, Down *mat.Dense }

// QBDSolution holds the fundamental matrices of a positive recurrent QBD.
type QBDSolution struct {
	// G[i][j] is the probability that the first visit to the level below, from
	// phase i, is in phase j; the minimal solution of Down + Local G + Up G^2 = 0.
	G *mat.Dense
	// R[i][j] is the time spent in phase j of the next level before coming back,
	// per unit of time in phase i; level n+1 has the vector pi_n R.
	R *mat.Dense
	// U = Local + Up G is the generator of the level watched only while the
	// process is in it and before it goes below.
	U *mat.Dense
	// Residual is the largest row sum of |Down + Local G + Up G^2| over the
	// largest rate of leaving a phase.
	Residual float64
	// Iterations counts the reduction steps: their number grows as the logarithm
	// of 1/(1-load).
	Iterations int
	// Drift is the mean rate of going up less that of going down, per unit time,
	// with the level far from its boundary. It is negative here. Load is the
	// ratio of the two rates.
	Drift, Load float64
	// Caudal is the spectral radius of R, by which the levels decay in the end. It lies between
	// CaudalLow and Caudal, up to rounding.
	Caudal, CaudalLow float64
}

// Unstable is the error for a QBD that is not positive recurrent.
type Unstable struct {
	Drift float64 // mean rate up less mean rate down, not negative
	Load  float64 // mean rate up over mean rate down, at least 1
}

// Error says at which load.
func (u *Unstable) Error() string {
	return fmt.Sprintf("mam: the level does not come back in finite mean time: drift %.6g, load %.6g; lower the rates of going up until the load is below 1", u.Drift, u.Load)
}

// Option changes how Solve works.
type Option func(*options)

type options struct {
	logarithmic bool
	onStep      func(step int, left float64)
}

// LogarithmicReduction solves by the algorithm of Latouche and Ramaswami
// (Journal of Applied Probability 30, 1993). It takes a third more work than
// the default, the cyclic reduction of Bini and Meini (SIAM Journal on Matrix
// Analysis 17, 1996), and is a check of it.
func LogarithmicReduction() Option {
	return func(o *options) { o.logarithmic = true }
}

// OnStep calls f after every reduction step, with the largest probability that
// the step leaves to the levels it has not taken in; it goes to 0.
func OnStep(f func(step int, left float64)) Option {
	return func(o *options) { o.onStep = f }
}

const (
	// enough is the probability of high levels that may be left out of G.
	enough = 4e-16
	// maxSteps reduction steps take in 2^maxSteps levels.
	maxSteps = 60
	// critical is the distance of the load from 1 that rounding hides.
	critical = 1e-14
)

// Solve finds G, R and U. It fails with *Unstable if the load is 1 or more, with all faults of
// the blocks at once if they are no QBD, and with the cause of ctx's end. For n phases it takes
// about 13 n^3 operations a step (17 n^3 by logarithmic reduction) and 10 n^2 numbers. Every
// step adds and never subtracts (see triplet), after Ye (Stochastic Models 18, 2002) and Chen,
// Li and Ma (Linear Algebra and its Applications 583, 2019). So no shift is needed near
// saturation, and entries of G keep a small relative error. It looks at ctx between blocks of a
// product.
func (q QBD) Solve(ctx context.Context, opt ...Option) (*QBDSolution, error) {
	var o options
	for _, set := range opt {
		set(&o)
	}
	if err := q.Validate(); err != nil {
		return nil, err
	}
	s := &steps{ctx: ctx}
	up, down, err := q.drift(s)
	if err != nil {
		return nil, err
	}
	if !(up < down*(1-critical)) {
		return nil, &Unstable{Drift: up - down, Load: up / down}
	}
	r := newReduction(s, q)
	sol := &QBDSolution{Drift: up - down, Load: up / down}
	if o.logarithmic {
		sol.G, sol.Iterations = r.logarithmic(o.onStep)
	} else {
		sol.G, sol.Iterations = r.cyclic(o.onStep)
	}
	if s.err == nil {
		sol.finish(s, q, r)
	}
	if s.err != nil {
		return nil, fmt.Errorf("mam: QBD of %d phases: %w", r.n, s.err)
	}
	return sol, nil
}

// finish finds U, R, the residual and the spectral radius from G.
func (sol *QBDSolution) finish(s *steps, q QBD, r *reduction) {
	sol.U = mat.DenseCopyOf(q.Local)
	s.product(1, q.Up, sol.G, 1, sol.U)
	r.t.rates(sol.U)
	addRowSums(r.t.sums, 1, q.Down)
	r.t.closeRows(sol.U)
	r.t.factor(s)
	sol.R = mat.DenseCopyOf(q.Up)
	r.t.solveLeft(s, sol.R)
	r.next.Copy(q.Down)
	s.product(1, sol.U, sol.G, 1, r.next)
	fastest := 0.0
	for _, x := range r.exit {
		fastest = max(fastest, x)
	}
	sol.Residual = mat.Norm(r.next, math.Inf(1)) / fastest
	if s.err == nil {
		sol.CaudalLow, sol.Caudal = spectralRadius(s, sol.R)
	}
}

// closeRows writes to the diagonal of m what makes its rows sum to minus the
// row sums of t.
func (t *triplet) closeRows(m *mat.Dense) {
	raw := m.RawMatrix()
	for i := range raw.Rows {
		row := raw.Data[i*raw.Stride : i*raw.Stride+raw.Cols]
		row[i] = 0
		sum := t.sums[i]
		for _, x := range row {
			sum += x
		}
		row[i] = -sum
	}
}

// Drift is the mean rate of going up and that of going down, per unit time, with
// the level far from its boundary. The QBD is positive recurrent if the first
// is smaller (Neuts, "Matrix-Geometric Solutions in Stochastic Models", 1981,
// theorem 3.1.1). It fails if the phases have several closed classes. It takes
// 2/3 n^3 operations.
func (q QBD) Drift() (up, down float64, err error) {
	if err := q.Validate(); err != nil {
		return 0, 0, err
	}
	return q.drift(&steps{ctx: context.Background()})
}

func (q QBD) drift(s *steps) (up, down float64, err error) {
	var phases mat.Dense
	phases.Add(q.Up, q.Local)
	phases.Add(&phases, q.Down)
	n, _ := phases.Dims()
	pi, err := stationary(s, &phases, n)
	if err != nil {
		return 0, 0, fmt.Errorf("mam: phases of the QBD: %w", err)
	}
	ups, downs := make([]float64, n), make([]float64, n)
	addRowSums(ups, 1, q.Up)
	addRowSums(downs, 1, q.Down)
	for i, p := range pi {
		up += p * ups[i]
		down += p * downs[i]
	}
	return up, down, nil
}

// Validate names every fault of the blocks: shape, rates, row sums.
func (q QBD) Validate() error {
	if q.Up == nil || q.Local == nil || q.Down == nil {
		return errors.New("mam: a QBD needs all of Up, Local and Down; a block without rates is a matrix of zeros")
	}
	n, _ := q.Local.Dims()
	var faults []error
	for _, b := range []struct {
		name string
		m    *mat.Dense
	}{{"Up", q.Up}, {"Local", q.Local}, {"Down", q.Down}} {
		if r, c := b.m.Dims(); r != n || c != n || n == 0 {
			faults = append(faults, fmt.Errorf("mam: %s is %d by %d and Local has %d rows; give square blocks of one size", b.name, r, c, n))
		}
	}
	if len(faults) == 0 {
		faults = levelFaults("", q.Up, q.Local, q.Down)
	}
	return errors.Join(faults...)
}

// levelFaults names the bad rates and row sums of the blocks of a level, of
// which up and down may be nil.
func levelFaults(level string, up, local, down *mat.Dense) (faults []error) {
	n, _ := local.Dims()
	for i := range n {
		sum, size := 0.0, 0.0
		for _, b := range []struct {
			name string
			m    *mat.Dense
		}{{"Up", up}, {"Local", local}, {"Down", down}} {
			if b.m == nil {
				continue
			}
			for j, x := range b.m.RawRowView(i) {
				if !(x >= 0) && (b.m != local || i != j) || math.IsNaN(x) || math.IsInf(x, 0) {
					faults = append(faults, fmt.Errorf("mam: %s%s(%d,%d) is %v; rates must be finite and not negative", level, b.name, i, j, x))
				}
				sum += x
				size = max(size, math.Abs(x))
			}
		}
		if !(math.Abs(sum) <= slack*size) {
			faults = append(faults, fmt.Errorf("mam: %srow %d of the blocks together sums to %v; take the excess from the diagonal of Local", level, i, sum))
		}
	}
	return faults
}
