package failing_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/failing"
	"github.com/mjqueue/mjq/mjq/law"
)

// The distribution is that of times which are drawn, within 4.5 standard errors; a rough one within a
// tenth of what is exceeded. The time of no hit has kinks and jumps, which inversion alone would smooth.
func TestHoldingTails(t *testing.T) {
	for _, work := range []law.Law{law.ExpMean(1), law.ErlangMeanPhases(1, 3), law.Uniform{Lo: 0, Hi: 2}} {
		for _, after := range []failing.After{{How: failing.Restart}, {How: failing.Restart, Recovery: 0.3, Detection: 0.2},
			{How: failing.Resume, Recovery: 0.2, Detection: 0.1}, {How: failing.Drop}, {How: failing.Checkpoint, Every: 1, Cost: 0.02}} {
			l := failing.Hold(work, 0.3, after)
			tailsAgree(t, fmt.Sprintf("%v, %+v", work, after), l)
		}
	}
}

func tailsAgree(t *testing.T, name string, l failing.Holding) {
	const n = 200_000
	rng, drawn := rand.NewPCG(5, 2), make([]float64, n)
	for i := range drawn {
		drawn[i] = l.Sample(rng)
	}
	slices.Sort(drawn)
	for _, q := range []float64{0.5, 0.99} {
		x := 1.0001 * drawn[int(q*n)]
		above, over, square := 0.0, 0.0, 0.0
		for _, v := range drawn {
			if v > x {
				above, over, square = above+1./n, over+(v-x)/n, square+(v-x)*(v-x)/n
			}
		}
		if z := (l.Survival(x) - above) / math.Sqrt(above*(1-above)/n); math.Abs(z) > 4.5 {
			t.Errorf("%s: P(C > %.4g) is %.5g, drawn %.5g (z %.1f)", name, x, l.Survival(x), above, z)
		}
		if z := (l.Excess(x) - over) / math.Sqrt((square-over*over)/n); math.Abs(z) > 4.5 {
			t.Errorf("%s: E(C-%.4g)⁺ is %.5g, drawn %.5g (z %.1f)", name, x, l.Excess(x), over, z)
		}
		r := l.Rough()
		if s, e := r.Survival(x), law.Excess(r, x); math.Abs(s/above-1) > 0.1 || math.Abs(e/over-1) > 0.2 {
			t.Errorf("%s: roughly %.4g and %.4g at %.4g, drawn %.4g and %.4g", name, s, e, x, above, over)
		}
	}
	if l.After.How != failing.Restart { // some seconds
		return
	}
	if got := 1 - l.Survival(l.Quantile(0.999)); math.Abs(got-0.999) > 1e-7 {
		t.Errorf("%s: at the quantile of 0.999 the distribution is %.9g", name, got)
	}
	if a, b := l.Quantile(1-1e-5), l.Rough().Quantile(1-1e-5); a/b > 2 || b/a > 2 {
		t.Errorf("%s: one in 1e5 lasts longer than %g, roughly %g", name, a, b)
	}
}
