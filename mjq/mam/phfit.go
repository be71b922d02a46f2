package mam

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// most is the largest number of phases of a fit to two moments.
const most = 2000

// FitTwoMoments returns a phase-type law with the given mean and squared coefficient of
// variation scv. It is exponential for 1, and below it a mixture of Erlang laws of k-1 and k
// phases of one rate, 1/k <= scv <= 1/(k-1). Above 1 it is a hyperexponential of two phases
// that contribute equally to the mean (Tijms, "A First Course in Stochastic Models", 2003,
// appendix B). It fails for a mean or scv that is not positive, and for an scv below 1/2000,
// which would take more than 2000 phases.
func FitTwoMoments(mean, scv float64) (PH, error) {
	switch {
	case !(mean > 0) || math.IsInf(mean, 1):
		return PH{}, fmt.Errorf("mam: the mean is %v; give a positive one", mean)
	case !(scv >= 1.0/most) || math.IsInf(scv, 1):
		return PH{}, fmt.Errorf("mam: the squared coefficient of variation is %v; a phase-type law needs about its inverse in phases: give at least 1/%d", scv, most)
	case scv == 1:
		return Exponential(mean), nil
	case scv > 1:
		p := (1 + math.Sqrt((scv-1)/(scv+1))) / 2
		q := 1 / ((scv + 1) * 2 * p) // 1-p without subtraction
		return PH{[]float64{p, q}, mat.NewDense(2, 2, []float64{-2 * p / mean, 0, 0, -2 * q / mean})}, nil
	}
	k := max(2, int(math.Ceil(1/scv-1e-12)))
	n := float64(k)
	p := (n*scv - math.Sqrt(max(0, n*(1+scv)-n*n*scv))) / (1 + scv)
	p = min(1, max(0, p))
	z := Erlang(k, n*mean/(n-p))
	z.Alpha[0] = 1 - p
	z.Alpha[1] = p
	return z, nil
}

// FitThreeMoments returns an acyclic phase-type law of fewest phases with the first three
// moments m1, m2, m3. It is a chain of n-1 equal phases and one other phase, before it or
// behind it, and one of the two parts is left out with some probability. Source: Bobbio,
// Horvath and Telek, "Matching three moments with minimal acyclic phase type distributions",
// Stochastic Models 21, 2005. It fails if the moments are those of no law, and if they need
// more than maxPhases phases; the error gives the bounds that they miss (see
// ThirdMomentBounds).
func FitThreeMoments(m1, m2, m3 float64, maxPhases int) (PH, error) {
	// Moments of X / m1.
	a, b := m2/m1/m1, m3/m1/m1/m1
	switch {
	case !(m1 > 0) || !(m2 > 0) || !(m3 > 0) || math.IsInf(m1+m2+m3, 1):
		return PH{}, fmt.Errorf("mam: moments %v, %v, %v; give positive ones", m1, m2, m3)
	case !(a > 1) || !(b > a*a):
		return PH{}, fmt.Errorf("mam: moments %v, %v, %v belong to no law of spread times: m2 must exceed m1^2 = %v and m3 must exceed m2^2/m1 = %v", m1, m2, m3, m1*m1, m2*m2/m1)
	}
	if close3(a, 2) && close3(b, 6) {
		return Exponential(m1), nil
	}
	for n := 2; n <= maxPhases; n++ {
		if erlang := float64(n+1) / float64(n); close3(a, erlang) && close3(b, erlang*float64(n+2)/float64(n)) {
			return Erlang(n, m1), nil
		}
		if p, ok := lastApart(n, a, b); ok {
			p.A.Scale(1/m1, p.A)
			return p, nil
		}
		if p, ok := firstApart(n, a, b); ok {
			p.A.Scale(1/m1, p.A)
			return p, nil
		}
	}
	low, high := ThirdMomentBounds(m1, m2, maxPhases)
	least := m1 * m1 * float64(maxPhases+1) / float64(maxPhases)
	return PH{}, fmt.Errorf("mam: no acyclic law of %d phases has moments %v, %v, %v: m2 must be at least %v and m3 between %v and %v; allow more phases or move them there", maxPhases, m1, m2, m3, least, low, high)
}

func close3(x, y float64) bool { return math.Abs(x-y) <= 1e-13*y }

// lastApart seeks X = E + B Y of mean 1, second moment a, third b: E
// exponential of mean e, Y Erlang of n-1 phases and mean y, B = 1 with
// probability p. With c = n/(n-1) and k = (n+1)/n the moments give
// a = 2e + c y (1-e) and (1-e)(b - 3 a e) = k (a - 2e)^2, a quadratic in e.
func lastApart(n int, a, b float64) (PH, bool) {
	N := float64(n)
	k := (N + 1) / N
	for _, e := range quadratic(3*a-4*k, 4*k*a-b-3*a, b-k*a*a) {
		y := (a - 2*e) * (N - 1) / N / (1 - e)
		p := (1 - e) / y
		if !(e > 0) || !(e < 1) || !(y > 0) || !(p <= 1) {
			continue
		}
		z := PH{make([]float64, n), mat.NewDense(n, n, nil)}
		z.chain(0, n-1, (N-1)/y)
		z.A.Set(n-2, n-1, (N-1)/y)
		z.A.Set(n-1, n-1, -1/e)
		z.Alpha[0], z.Alpha[n-1] = p, 1-p
		if z.fits(a, b) {
			return z, true
		}
	}
	return PH{}, false
}

// firstApart seeks X = B E + Y in the notation of lastApart. With r = 1-y, the
// share of E in the mean, w = 2 r e = a - c y^2 - 2 y r, and the third moment is
// c3 y^3 + 3 c y^2 r + 3 y w + 3/2 w^2/r, a quartic in r.
func firstApart(n int, a, b float64) (PH, bool) {
	N := float64(n)
	c, c3 := N/(N-1), N*(N+1)/(N-1)/(N-1)
	y, w := []float64{1, -1}, []float64{a - c, 2*c - 2, 2 - c}
	inner := plus(times([]float64{-c3, c3 - 3*c}, times(y, y)), times([]float64{-3, 3}, w))
	inner[0] += b
	for _, r := range roots(plus(times([]float64{0, 1}, inner), times([]float64{-1.5}, times(w, w)))) {
		y, e := 1-r, (a-c+(2*c-2)*r+(2-c)*r*r)/2/r
		p := r / e
		if !(r > 0) || !(r < 1) || !(e > 0) || !(p <= 1) {
			continue
		}
		z := PH{make([]float64, n), mat.NewDense(n, n, nil)}
		z.A.Set(0, 0, -1/e)
		z.A.Set(0, 1, 1/e)
		z.chain(1, n, (N-1)/y)
		z.Alpha[0], z.Alpha[1] = p, 1-p
		if z.fits(a, b) {
			return z, true
		}
	}
	return PH{}, false
}

// fits reports whether the law has mean 1 and the moments a and b, to ten digits.
func (p PH) fits(a, b float64) bool {
	for k, want := range []float64{1, a, b} {
		if !(math.Abs(p.Moment(k+1)-want) <= 1e-10*want) {
			return false
		}
	}
	return true
}

// ThirdMomentBounds returns the least and the largest third moment of an acyclic phase-type law
// of n >= 2 phases with first moment m1 and second m2 (Bobbio, Horvath and Telek, 2005). There
// is none, +Inf and -Inf, if m2 is less than (n+1)/n m1^2.
func ThirdMomentBounds(m1, m2 float64, n int) (low, high float64) {
	N, n2 := float64(n), m2/m1/m1
	if n < 2 || !(n2 >= (N+1)/N) {
		return math.Inf(1), math.Inf(-1)
	}
	low, high = (N+1)/N*n2, math.Inf(1)
	if n2 < (N+4)/(N+1) {
		p := (N + 1) * (n2 - 2) / (3 * n2 * (N - 1)) * (-2*math.Sqrt(N+1)/math.Sqrt(4*(N+1)-3*N*n2) - 1)
		a := (n2 - 2) / (p*(1-n2) + math.Sqrt(max(0, p*p+p*N*(n2-2)/(N-1))))
		low = ((3+a)*(N-1)+2*a)/((N-1)*(1+a*p)) - 2*a*(N+1)/(2*(N-1)+a*p*(N*a+2*N-2))
	}
	if n2 <= N/(N-1) {
		high = (2*(N-2)*(N*n2-N-1)*math.Sqrt(1+N*(n2-2)/(N-1)) + (N+2)*(3*N*n2-2*N-2)) / (N * N * n2)
	}
	return low * m1 * m2, high * m1 * m2
}
