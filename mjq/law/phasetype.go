package law

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// PH is a phase-type law: the time to absorption of a Markov chain that starts
// in phase i with probability Alpha[i] (at once absorbed with what they lack to
// 1) and has the transient generator A. The slices must not be changed.
type PH struct {
	Alpha []float64
	A     [][]float64
}

// PhaseType is the phase-type law (alpha, A), which are copied.
func PhaseType(alpha []float64, A [][]float64) PH {
	rows := make([][]float64, len(A))
	for i, row := range A {
		rows[i] = slices.Clone(row)
	}
	return PH{slices.Clone(alpha), rows}
}

// slack is the rounding allowed in probabilities and row sums.
const slack = 1e-9

// Validate wants a square generator of the length of alpha, a subprobability
// vector, non-negative rates between phases, row sums of at most 0, and a way
// out of every phase.
func (l PH) Validate() error {
	f := faults{law: l}
	n := len(l.Alpha)
	f.check(n > 0, "there is no phase; give at least one")
	f.check(len(l.A) == n, "alpha has %d phases and A has %d rows; make them equal", n, len(l.A))
	sum := 0.0
	for i, p := range l.Alpha {
		f.probability(fmt.Sprintf("initial probability of phase %d", i+1), p)
		sum += p
	}
	f.check(sum <= 1+slack, "alpha sums to %v; it must not exceed 1", sum)
	for i, row := range l.A {
		f.check(len(row) == n, "row %d of A has %d entries, not %d", i+1, len(row), n)
		exit := 0.0
		for j, rate := range row {
			exit -= rate
			if j == i {
				f.check(rate < 0 && !math.IsInf(rate, -1), "A[%d][%d] is %v; the diagonal must be negative and finite", i+1, j+1, rate)
			} else {
				f.check(rate >= 0 && !math.IsInf(rate, 1), "A[%d][%d] is %v; rates between phases must be finite, not negative", i+1, j+1, rate)
			}
		}
		if i < len(row) {
			f.check(exit >= -slack*math.Abs(row[i]), "row %d of A sums to %v; it must not be positive", i+1, -exit)
		}
	}
	if len(f.list) == 0 {
		f.check(l.absorbs(), "some phase has no way out; let every phase reach absorption")
	}
	return f.err()
}

// absorbs says whether absorption can be reached from every phase.
func (l PH) absorbs() bool {
	out := make([]bool, len(l.A))
	for range l.A {
		for i, row := range l.A {
			exit := 0.0
			for j, rate := range row {
				exit -= rate
				out[i] = out[i] || j != i && rate > 0 && out[j]
			}
			out[i] = out[i] || exit > slack*-row[i]
		}
	}
	for _, ok := range out {
		if !ok {
			return false
		}
	}
	return true
}

// solve is x with (sI - A) x = b; ok is false if the matrix is singular.
func (l PH) solve(s float64, b []float64) (x []float64, ok bool) {
	n := len(l.Alpha)
	m := mat.NewDense(n, n, nil)
	for i, row := range l.A {
		for j, rate := range row {
			m.Set(i, j, -rate)
		}
		m.Set(i, i, s-row[i])
	}
	var v mat.VecDense
	if err := v.SolveVec(m, mat.NewVecDense(n, append([]float64(nil), b...))); err != nil {
		if _, poor := err.(mat.Condition); !poor {
			return nil, false
		}
	}
	return v.RawVector().Data, true
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// Mean is α(-A)^-1 1.
func (l PH) Mean() float64 {
	x, _ := l.solve(0, ones(len(l.Alpha)))
	return dot(l.Alpha, x)
}

// Variance is 2α(-A)^-2 1 less the squared mean.
func (l PH) Variance() float64 {
	x, _ := l.solve(0, ones(len(l.Alpha)))
	y, _ := l.solve(0, x)
	m := dot(l.Alpha, x)
	return 2*dot(l.Alpha, y) - m*m
}

func ones(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

// Survival is α exp(Ax) 1.
func (l PH) Survival(x float64) float64 {
	if x < 0 {
		return 1
	}
	if math.IsInf(x, 1) {
		return 0
	}
	n := len(l.Alpha)
	m := mat.NewDense(n, n, nil)
	for i, row := range l.A {
		for j, rate := range row {
			m.Set(i, j, rate*x)
		}
	}
	var e mat.Dense
	e.Exp(m)
	sum := 0.0
	for i, p := range l.Alpha {
		for j := range n {
			sum += p * e.At(i, j)
		}
	}
	return min(1, max(0, sum))
}

// Quantile inverts Survival; 0 up to the atom at 0.
func (l PH) Quantile(p float64) float64 {
	if p >= 0 && p <= 1-l.Survival(0) {
		return 0
	}
	return invert(l, p, 0, l.Mean())
}

// Laplace is the atom at 0 plus α(sI-A)^-1(-A1); +Inf at and beyond the
// abscissa, where the solution stops being positive.
func (l PH) Laplace(s float64) float64 {
	exit := make([]float64, len(l.Alpha))
	atom := 1.0
	for i, row := range l.A {
		atom -= l.Alpha[i]
		for _, rate := range row {
			exit[i] -= rate
		}
		exit[i] = max(0, exit[i])
	}
	x, ok := l.solve(s, exit)
	if !ok {
		return math.Inf(1)
	}
	if s < 0 {
		// sI - A is an M-matrix exactly while it maps a positive vector to 1.
		y, ok := l.solve(s, ones(len(l.Alpha)))
		for _, v := range y {
			ok = ok && v > 0
		}
		if !ok {
			return math.Inf(1)
		}
	}
	return max(0, atom) + dot(l.Alpha, x)
}

// Sample walks the chain: a word for the first phase, then for every phase
// visited one for its time and one for what follows, absorption last.
func (l PH) Sample(rng rand.Source) float64 {
	u, phase := Unit(rng.Uint64()), len(l.Alpha)
	for i, p := range l.Alpha {
		if u -= p; u <= 0 {
			phase = i
			break
		}
	}
	sum := 0.0
	for phase < len(l.Alpha) {
		row := l.A[phase]
		sum += NegLog(Unit(rng.Uint64())) / -row[phase]
		u := Unit(rng.Uint64()) * -row[phase]
		next := len(l.Alpha)
		for j, rate := range row {
			if j == phase {
				continue
			}
			if u -= rate; u <= 0 {
				next = j
				break
			}
		}
		phase = next
	}
	return sum
}

// Scale divides the generator by c.
func (l PH) Scale(c float64) Law {
	a := make([][]float64, len(l.A))
	for i, row := range l.A {
		a[i] = make([]float64, len(row))
		for j, rate := range row {
			a[i][j] = rate / c
		}
	}
	return PH{l.Alpha, a}
}

// String is "PhaseType(alpha, A)", shortened beyond four phases.
func (l PH) String() string {
	if len(l.Alpha) > 4 {
		return fmt.Sprintf("PhaseType(%d phases)", len(l.Alpha))
	}
	return fmt.Sprintf("PhaseType(%v, %v)", l.Alpha, l.A)
}

func (l PH) phases() ([]float64, [][]float64) { return l.Alpha, l.A }

// Phases is the phase-type representation (alpha, A) of a law that has one by
// construction: exponential, Erlang, hyperexponential, Cox and phase-type. ok
// is false for the others.
func Phases(l Law) (alpha []float64, A [][]float64, ok bool) {
	if p, is := l.(interface {
		phases() ([]float64, [][]float64)
	}); is {
		alpha, A = p.phases()
		return alpha, A, true
	}
	return nil, nil, false
}
