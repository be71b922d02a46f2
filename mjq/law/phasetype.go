package law

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/internal/fastmath"
	"github.com/mjqueue/mjq/mjq/mam"
)

// PH is a phase-type law: the time to absorption of a Markov chain. A is the generator of its
// transient phases. The chain starts in phase i with probability Alpha[i], and is absorbed at
// once with the rest to 1. Build it with PhaseType, and do not change the slices.
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

// at is the probability of being in each phase at time x, and of absorption by then, each with a
// small relative error.
func (l PH) at(x float64) (phases []float64, absorbed float64) {
	phases, absorbed = mam.Transient(l.Alpha, l.A, l.exits(), x)
	return phases, l.atom() + absorbed
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
	if err := v.SolveVec(m, mat.NewVecDense(n, slices.Clone(b))); err != nil {
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

// zeros is an empty phase-type representation of n phases.
func zeros(n int) ([]float64, [][]float64) {
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n)
	}
	return make([]float64, n), a
}

func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }

// Survival is α exp(Ax) 1, with a small relative error far into the tail.
func (l PH) Survival(x float64) float64 {
	if x < 0 {
		return 1
	}
	phases, _ := l.at(x)
	return min(1, dot(phases, ones(len(phases))))
}

// Quantile inverts the distribution function to about 1e-14, less if the rates
// differ by many orders of magnitude; 0 up to the atom at 0.
func (l PH) Quantile(p float64) float64 {
	cdf := func(x float64) float64 {
		_, absorbed := l.at(x)
		return min(1, absorbed)
	}
	return phaseQuantile(p, l.atom(), l.Mean(), cdf, l.Survival)
}

// Laplace is the atom at 0 plus α(sI-A)^-1(-A1); +Inf at and beyond the
// abscissa, where the solution stops being positive.
func (l PH) Laplace(s float64) float64 {
	x, ok := l.solve(s, l.exits())
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
	return l.atom() + dot(l.Alpha, x)
}

// Sample walks the chain: a word for the first phase, then for every phase
// visited one for its time and one for what follows, absorption last.
func (l PH) Sample(rng rand.Source) float64 {
	n := len(l.Alpha)
	phase := pick(unit(rng), l.Alpha, n, l.atom() > 0)
	sum := 0.0
	for phase < n {
		rate := -l.A[phase][phase]
		sum += fastmath.NegLog(unit(rng)) / rate
		phase = pick(unit(rng)*rate, l.A[phase], phase, l.exit(phase) > 0)
	}
	return sum
}

// pick is the first index whose cumulated weight reaches u, leaving out index
// skip. Past the last it is len(weights) if there is something beyond; if not,
// rounding is to blame, and it is the last index of positive weight.
func pick(u float64, weights []float64, skip int, beyond bool) int {
	last := len(weights)
	for i, w := range weights {
		if i == skip || w == 0 {
			continue
		}
		if u -= w; u <= 0 {
			return i
		}
		last = i
	}
	if beyond {
		return len(weights)
	}
	return last
}

// Scaled divides the generator by c.
func (l PH) Scaled(c float64) Law {
	scaled := PhaseType(l.Alpha, l.A)
	for _, row := range scaled.A {
		for j := range row {
			row[j] /= c
		}
	}
	return scaled
}

// String is "PhaseType([]float64{…}, [][]float64{{…}, …})".
func (l PH) String() string {
	rows := make([]string, len(l.A))
	for i, row := range l.A {
		rows[i] = braces(row)
	}
	return "PhaseType(" + vector(l.Alpha) + ", [][]float64{" + strings.Join(rows, ", ") + "})"
}

// PhaseCount is the order of A.
func (l PH) PhaseCount() int { return len(l.Alpha) }

// Phases is a copy of (Alpha, A).
func (l PH) Phases() ([]float64, [][]float64) {
	own := PhaseType(l.Alpha, l.A)
	return own.Alpha, own.A
}

// Excess is α exp(Ax) (-A)^-1 1.
func (l PH) Excess(x float64) float64 {
	left, _ := l.solve(0, ones(len(l.Alpha)))
	now, _ := l.at(x)
	return dot(now, left)
}

// Form is "PhaseType" of alpha and A.
func (l PH) Form() Form {
	return Form{"PhaseType", []Parameter{{"alpha", l.Alpha}, {"A", l.A}}}
}

func init() {
	register(PhaseType([]float64{1}, [][]float64{{-1}}).Form(), func(f Form) Law { return PH{f.Floats("alpha"), f.Matrix("A")} })
}

// Walk returns what [PH.Sample] needs apart from the numbers of the law: whether the time 0 has
// positive probability, and from which phases the chain can end.
func (l PH) Walk() (atom bool, ends []bool) {
	for i := range l.A {
		ends = append(ends, l.exit(i) > 0)
	}
	return l.atom() > 0, ends
}
