package failing_test

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/failing"
	"github.com/mjqueue/mjq/mjq/law"
)

// Draws under a tilt, weighed back, have the mean, the tail and the total probability of the time, and the
// moment is that of the transform; of bounded work, which is rounded up, they are at most a hundredth more.
func TestTilt(t *testing.T) {
	const n = 8000
	for name, after := range ways {
		for _, work := range works {
			endless := math.IsInf(work.Quantile(1), 1)
			l, at := failing.Hold(work, 0.3, after), 1.3*work.Mean()
			above := sync.OnceValue(func() float64 { return l.Survival(at) })
			for _, theta := range []float64{0.03, 0.299, 0.4} {
				tilted, log, ok := l.Tilt(theta)
				moment := l.Laplace(-theta)
				_, _, can := law.Tilt(work, theta)
				tries := after.How == failing.Resampled || after.How == failing.Drop
				none := endless && after.How == failing.Restart || !can && !(tries && theta < 0.29)
				if ok == (none || math.IsInf(moment, 1)) {
					t.Errorf("%s of %v tilted by %v: %v, its moment is %v", name, work, theta, ok, moment)
				}
				if !ok {
					continue
				}
				if ratio := math.Exp(log) / moment; ratio < 1-1e-8 || ratio > 1.01 {
					t.Errorf("%s of %v tilted by %v: the moment is %.9g times that of the transform", name, work, theta, ratio)
				}
				var whole, mean, tail, over, squares, meanSquares float64
				draw, rng := law.Prepare(tilted), rand.NewPCG(3, uint64(len(name)))
				for range n {
					x := draw.Sample(rng)
					w := math.Exp(log-theta*x) / n
					whole, mean, squares, meanSquares = whole+w, mean+w*x, squares+w*w, meanSquares+w*w*x*x
					if x > at {
						tail, over = tail+w, over+1./n
					}
				}
				off := func(what string, got, want, sd, slack float64) {
					if z := (got - want) / sd; !(z > -4.5) || !(z < 4.5 || got < want*slack) {
						t.Errorf("%s of %v tilted by %v: %s %.6g, want %.6g (z %.1f)", name, work, theta, what, got, want, z)
					}
				}
				slack := 1.01
				if endless {
					slack = 1
				}
				sd := func(squares, mean float64) float64 { return math.Sqrt(max(1e-20, squares-mean*mean/n)) }
				off("probability", whole, 1, sd(squares, whole), slack)
				off("mean", mean, l.Mean(), sd(meanSquares, mean), slack)
				off("tail", tail, above(), math.Sqrt(squares), slack)
				if s := tilted.Survival(at); s > over+4.5*math.Sqrt(over*(1-over)/n)+1e-9 {
					t.Errorf("%s of %v tilted by %v: P(C > %.3g) is %.5g, drawn %.5g", name, work, theta, at, s, over)
				}
			}
		}
	}
}
