package mam

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Convolve is the law of the sum of two independent times.
func Convolve(x, y PH) (PH, error) {
	if err := errors.Join(x.Validate(), y.Validate()); err != nil {
		return PH{}, err
	}
	n, m := len(x.Alpha), len(y.Alpha)
	z := PH{make([]float64, n+m), mat.NewDense(n+m, n+m, nil)}
	copy(z.Alpha, x.Alpha)
	place(z.A, 0, 0, x.A)
	place(z.A, n, n, y.A)
	exits := x.exits()
	for j, b := range y.Alpha {
		z.Alpha[n+j] = x.atom() * b
		for i, e := range exits {
			z.A.Set(i, n+j, e*b)
		}
	}
	return z, nil
}

// place copies b into m with its corner at (i,j).
func place(m *mat.Dense, i, j int, b *mat.Dense) {
	r, c := b.Dims()
	m.Slice(i, i+r, j, j+c).(*mat.Dense).Copy(b)
}

// Mix is the law that is laws[i] with probability weights[i]; the weights sum to
// 1.
func Mix(weights []float64, laws ...PH) (PH, error) {
	if len(weights) != len(laws) || len(laws) == 0 {
		return PH{}, fmt.Errorf("mam: %d weights for %d laws; give one each", len(weights), len(laws))
	}
	if total := sum(weights); !(total >= 1-slack && total <= 1+slack) {
		return PH{}, fmt.Errorf("mam: the weights sum to %v; make it 1", total)
	}
	n := 0
	for i, l := range laws {
		if err := l.Validate(); err != nil {
			return PH{}, fmt.Errorf("mam: law %d: %w", i, err)
		}
		n += len(l.Alpha)
	}
	z := PH{make([]float64, n), mat.NewDense(n, n, nil)}
	start := 0
	for i, l := range laws {
		for j, a := range l.Alpha {
			z.Alpha[start+j] = weights[i] * a
		}
		place(z.A, start, start, l.A)
		start += len(l.Alpha)
	}
	return z, z.Validate()
}

// Min is the law of the smaller of two independent times; its phases are the
// pairs of theirs.
func Min(x, y PH) (PH, error) {
	if err := errors.Join(x.Validate(), y.Validate()); err != nil {
		return PH{}, err
	}
	return PH{pairs(x.Alpha, y.Alpha), both(x.A, y.A)}, nil
}

// Max is the law of the larger of two independent times: both run until one
// ends, then the other alone.
func Max(x, y PH) (PH, error) {
	if err := errors.Join(x.Validate(), y.Validate()); err != nil {
		return PH{}, err
	}
	n, m := len(x.Alpha), len(y.Alpha)
	z := PH{pairs(x.Alpha, y.Alpha), mat.NewDense(n*m+n+m, n*m+n+m, nil)}
	for _, a := range x.Alpha {
		z.Alpha = append(z.Alpha, a*y.atom())
	}
	for _, b := range y.Alpha {
		z.Alpha = append(z.Alpha, b*x.atom())
	}
	place(z.A, 0, 0, both(x.A, y.A))
	place(z.A, n*m, n*m, x.A)
	place(z.A, n*m+n, n*m+n, y.A)
	var left mat.Dense
	left.Kronecker(identity(n), column(y.exits()))
	place(z.A, 0, n*m, &left)
	left.Reset()
	left.Kronecker(column(x.exits()), identity(m))
	place(z.A, 0, n*m+n, &left)
	return z, nil
}

// pairs is the Kronecker product of two vectors.
func pairs(x, y []float64) []float64 {
	z := make([]float64, 0, len(x)*len(y))
	for _, a := range x {
		for _, b := range y {
			z = append(z, a*b)
		}
	}
	return z
}

// both is the generator of two chains that run side by side, the Kronecker sum.
func both(a, b *mat.Dense) *mat.Dense {
	n, _ := a.Dims()
	m, _ := b.Dims()
	var x, y mat.Dense
	x.Kronecker(a, identity(m))
	y.Kronecker(identity(n), b)
	x.Add(&x, &y)
	return &x
}

func identity(n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	return m
}

func column(x []float64) *mat.Dense { return mat.NewDense(len(x), 1, x) }
