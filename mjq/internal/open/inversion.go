package open

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/internal/panics"
)

// inversion finds e^{θx} P(X > x) of the waiting and response times of all classes
// from their transforms.
//
// Arguments are taken in spans of some factor, and those of one span share the points
// at which the transforms are evaluated: they lie on a hyperbola around the negative
// half axis, on which the trapezoidal rule converges geometrically if all singularities
// are inside. In the middle of each span, and where it meets the one before, that is
// held against the Euler algorithm, which wants no more than that they are left of 0
// but has points of its own for every argument. Where the two differ a hyperbola closer
// to upright, of shorter spans, is tried, and then that algorithm takes over.
//
// Source: López-Fernández, Palencia and Schädle, A Spectral Order Method for Inverting
// Sectorial Laplace Transforms, SIAM Journal on Numerical Analysis 44 (2006); Abate and
// Whitt, A Unified Framework for Numerically Inverting Laplace Transforms, INFORMS
// Journal on Computing 18 (2006).
type inversion struct {
	ctx        context.Context
	services   []Service
	theta      float64
	shortest   float64     // mean service
	transforms []transform // one for each goroutine
	families   []*family
	spent      int // points at which they have been evaluated
}

// mostSpent is the most points that are evaluated, some ten times as many as curves usually
// take: where rounding hides the transforms no number of points is enough.
const mostSpent = 20_000

// tilted is e^{θx} P(X > x) at every x, by law: waiting times by class, then response
// times. It is not to be used once the context has ended.
func (v *inversion) tilted(x []float64) [][]float64 {
	out := make([][]float64, 2*len(v.services))
	for i := range out {
		out[i] = make([]float64, len(x))
	}
	rest := make([]int, len(x))
	for i := range rest {
		rest[i] = i
	}
	for _, f := range v.families {
		rest = v.share(f, x, rest, out)
	}
	alone := make([]float64, len(rest))
	for k, i := range rest {
		alone[k] = x[i]
	}
	for l, values := range v.euler(alone) {
		for k, i := range rest {
			out[l][i] = values[k]
		}
	}
	return out
}

// points evaluates the transforms of all laws, tilted, by law and point.
func (v *inversion) points(points []complex128) [][]complex128 {
	n := len(v.services)
	out := make([][]complex128, 2*n)
	for i := range out {
		out[i] = make([]complex128, len(points))
	}
	if v.spent += len(points); v.spent > mostSpent {
		return out
	}
	var wg panics.Group
	for worker, t := range v.transforms {
		wg.Go(func() {
			for i := worker; i < len(points) && v.ctx.Err() == nil; i += len(v.transforms) {
				s := points[i] - complex(v.theta, 0)
				waits, transforms := t.at(s)
				for c := range v.services {
					service := &v.services[c]
					wait := waits[service.Kind]
					out[c][i] = wait
					out[n+c][i] = wait + transforms[service.Kind]*service.survival(s)
				}
			}
		})
	}
	wg.Wait()
	return out
}

// terms is M of Abate and Whitt's Euler algorithm: errors of about 10^{-2M/3}
// by its series and 10^{M/3} times the rounding of the transform.
const terms = 15

// eulerWeights are its η_k.
func eulerWeights() []float64 {
	eta := make([]float64, 2*terms+1)
	for k := range eta {
		eta[k] = 1
	}
	eta[0], eta[2*terms] = 0.5, math.Pow(2, -terms)
	choose := 1.0
	for k := 1; k < terms; k++ {
		choose *= float64(terms-k+1) / float64(k)
		eta[2*terms-k] = eta[2*terms-k+1] + math.Pow(2, -terms)*choose
	}
	for k := range eta {
		eta[k] *= math.Pow(10, terms/3.0)
		if k%2 == 1 {
			eta[k] = -eta[k]
		}
	}
	return eta
}

// euler is the algorithm at every x, by law.
func (v *inversion) euler(x []float64) [][]float64 {
	eta := eulerWeights()
	var points []complex128
	for _, x := range x {
		for k := range eta {
			points = append(points, complex(terms*math.Ln10/3, math.Pi*float64(k))/complex(x, 0))
		}
	}
	out := make([][]float64, 2*len(v.services))
	for l, values := range v.points(points) {
		out[l] = make([]float64, len(x))
		for i := range x {
			for k, weight := range eta {
				out[l][i] += weight / x[i] * real(values[i*len(eta)+k])
			}
		}
	}
	return out
}
