package classic

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"
)

// Near its limit the sums of M/D/c reach far, but all that does so is geometric. Of
//
//	-ln(1 - E z^{A-c}) = Σ ℓ_j z^j, j of all signs,
//
// the zeros of 1 - E z^{A-c} at 1 and at τ are taken out, where ln(1 - 1/z) and ln(1 - z/τ) have
// theirs: the rest r_j of ℓ_j = τ^{-j}/j + r_j falls by the distance of the other zeros, some 1/√c,
// whatever the load. So the jobs that wait are those of a geometric law and, independently in
// terms of generating functions, of exp Σ r_j (z^j - 1).

// points is how many points the transform of the rest has.
func (s *steady) points() float64 {
	return math.Exp2(math.Ceil(math.Log2(256 + 120*math.Sqrt(float64(s.c)))))
}

// radius is the logarithm of that of the circle on which the rest is evaluated, between the other
// zeros inside of 1 and outside, and away from τ.
func (s *steady) radius() float64 {
	r := 1.2 / math.Sqrt(float64(s.c))
	if math.Abs(math.Log(s.tau)-r) < 0.2*r {
		return r / 2
	}
	return r
}

// apart finds the law of the jobs that wait, and returns its factorial cumulants.
func (s *steady) apart() (cumulants []float64) {
	rest := s.rest()
	cumulants = falling(rest)
	times := 1 / (s.tau - 1) // Σ j(j-1)...(j-k+1) τ^{-j}/j is (k-1)!/(τ-1)^k
	for k := range cumulants {
		cumulants[k] += times
		times *= float64(k+1) / (s.tau - 1)
	}
	beside := s.exponential(rest)
	some := (s.tau - 1) / s.tau
	s.waiting = make([]float64, max(listed, len(beside)))
	last := 0.0
	for n := range s.waiting {
		last /= s.tau
		if n < len(beside) {
			last += some * beside[n]
		}
		s.waiting[n] = max(0, last)
	}
	s.sum()
	return cumulants
}

// rest are r_j, from j = 0 on, of which r_0 is not used.
func (s *steady) rest() []float64 {
	n, log, c := int(s.points()), s.radius(), float64(s.c)
	values, turned := make([]complex128, n), 0.0
	for k := range values {
		phi := 2 * math.Pi * float64(k) / float64(n)
		if 2*k > n {
			phi -= 2 * math.Pi
		}
		less := less1(log, phi) // z - 1
		zeros := less1(log-math.Log(s.tau), phi) * less1(-log, -phi)
		v := -cmplx.Log(less1(s.load*real(less)-c*log, s.load*imag(less)-c*phi) / -zeros)
		// The logarithm goes on around the circle, where its principal value jumps.
		if k > 0 {
			turned += 2 * math.Pi * math.Round((imag(values[k-1])-imag(v)-turned)/(2*math.Pi))
		}
		values[k] = v + complex(0, turned)
	}
	found := fourier.NewCmplxFFT(n).Coefficients(nil, values)
	list := make([]float64, n/2)
	for j := range list {
		list[j] = real(found[j]) / float64(n) * math.Exp(-log*float64(j))
	}
	return list
}

// less1 is e^{re + i im} - 1.
func less1(re, im float64) complex128 {
	half := math.Sin(im / 2)
	return complex(math.Expm1(re)*math.Cos(im)-2*half*half, math.Exp(re)*math.Sin(im))
}

// exponential are the coefficients of exp Σ r_j (z^j - 1).
func (s *steady) exponential(rest []float64) []float64 {
	log, total := s.radius(), 0.0
	values := make([]complex128, 2*len(rest))
	for j := len(rest) - 1; j > 0; j-- {
		total += rest[j]
		values[j] = complex(rest[j]*math.Exp(log*float64(j)), 0)
	}
	fft := fourier.NewCmplxFFT(len(values))
	at := fft.Sequence(nil, values)
	for k := range at {
		at[k] = cmplx.Exp(at[k] - complex(total, 0))
	}
	found := fft.Coefficients(nil, at)
	list := make([]float64, len(rest))
	for j := range list {
		list[j] = real(found[j]) / float64(len(values)) * math.Exp(-log*float64(j))
	}
	return list
}
