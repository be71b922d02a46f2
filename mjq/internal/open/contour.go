package open

import (
	"math"
	"math/cmplx"
)

// shape is the hyperbola μ (1 - sin(α + iu)) for arguments from 1 to spread, with points
// at u = (k + 1/2) h. The numbers were found by trying.
type shape struct {
	spread   float64
	points   int
	angle    float64 // α
	distance float64 // μ
	step     float64 // h
}

// By the first e^{-zx} comes out to 6·10^-12 for every z that is at most 0.4 off the
// positive half axis, as an angle, and by the second for 1.1.
var (
	wide    = shape{20, 34, 0.9070, 1.5457, 0.1075}
	upright = shape{4.4721, 52, 0.4303, 3.5033, 0.06886}
)

// nearest is where, in shortest services, a span begins.
const nearest = 0.002

// agreed is how far a span may differ from another, or from the Euler algorithm.
const agreed = 1e-9

// family is the spans of a shape, by number; nil where they are wrong.
type family struct {
	*shape
	spans map[int]*span
}

// families are those that are tried, in this order.
func families() []*family {
	return []*family{{&wide, map[int]*span{}}, {&upright, map[int]*span{}}}
}

// span is the arguments from start to spread times as much.
type span struct {
	start   float64
	points  []complex128
	weights []complex128   // of the trapezoidal rule
	values  [][]complex128 // of the transforms at the points, by law
}

// hyperbola is a span before it has values.
func (h *shape) hyperbola(start float64) *span {
	s := &span{start: start}
	size := complex(h.distance/start, 0)
	for k := range h.points {
		angle := complex(h.angle, (float64(k)+0.5)*h.step)
		s.points = append(s.points, size*(1-cmplx.Sin(angle)))
		s.weights = append(s.weights, size*complex(h.step/math.Pi, 0)*cmplx.Cos(angle))
	}
	return s
}

// at is the law at x.
func (s *span) at(law int, x float64) (sum float64) {
	for k, v := range s.values[law] {
		sum += real(s.weights[k] * cmplx.Exp(s.points[k]*complex(x, 0)) * v)
	}
	return sum
}

// fewWanted is up to how many arguments the Euler algorithm has fewer points.
const fewWanted = 2

// share fills in out, by law, at those of the arguments that a span of the family serves,
// and returns the rest.
func (v *inversion) share(f *family, x []float64, which []int, out [][]float64) (rest []int) {
	number := func(i int) int { return int(math.Floor(math.Log(x[i]/(nearest*v.shortest)) / math.Log(f.spread))) }
	wanted := map[int]int{}
	for _, i := range which {
		wanted[number(i)]++
	}
	for _, i := range which {
		s, ok := f.spans[number(i)]
		if !ok && wanted[number(i)] > fewWanted {
			s = v.span(f, number(i))
		}
		if s == nil {
			rest = append(rest, i)
			continue
		}
		for l := range out {
			out[l][i] = s.at(l, x[i])
		}
	}
	return rest
}

// span prepares the span of a number, and keeps it; nil if it is wrong.
func (v *inversion) span(f *family, number int) *span {
	s := v.evaluated(f.hyperbola(nearest * v.shortest * math.Pow(f.spread, float64(number))))
	if !v.holds(f, s, f.spans[number-1]) {
		s = nil
	}
	f.spans[number] = s
	return s
}

func (v *inversion) evaluated(s *span) *span {
	s.values = v.points(s.points)
	return s
}

// holds says whether a span is right where it begins, by the one before or else by the
// Euler algorithm, and in its middle, by that algorithm. It multiplies rounding by 10^5:
// where rates lie so far apart that this shows, a wider hyperbola has the last word.
func (v *inversion) holds(f *family, s, before *span) bool {
	half := math.Sqrt(f.spread)
	if before != nil && !s.joins(before, s.start) || before == nil && !v.agrees(s, s.start) {
		return false
	}
	return v.agrees(s, half*s.start) || s.joins(v.evaluated(f.hyperbola(s.start/half)), half*s.start)
}

// agrees says whether a span and the Euler algorithm have the same laws at x.
func (v *inversion) agrees(s *span, x float64) bool {
	for l, want := range v.euler([]float64{x}) {
		if !(math.Abs(s.at(l, x)-want[0]) <= agreed) {
			return false
		}
	}
	return true
}

// joins says whether two spans do.
func (s *span) joins(other *span, x float64) bool {
	for l := range s.values {
		if !(math.Abs(s.at(l, x)-other.at(l, x)) <= agreed) {
			return false
		}
	}
	return true
}
