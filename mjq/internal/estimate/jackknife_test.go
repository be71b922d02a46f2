package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

// paths observes n paths of several parts: three controls, the number N of jobs, N w and
// N w², where the controls explain most of w.
func paths(f *Jackknife, rng *rand.Rand, n, parts int) {
	for range n {
		for range parts {
			c := [3]float64{math.Sqrt(12) * (rng.Float64() - 0.5), rng.NormFloat64(), rng.Float64() - 0.5}
			w, jobs := 2+c[0]+0.5*c[1]+0.3*rng.NormFloat64(), 1+c[2]
			f.Part([]float64{c[0] / float64(parts), c[1] / float64(parts), c[2] / float64(parts), jobs, jobs * w, jobs * w * w})
		}
		f.Add(nil)
	}
}

// allOf is one group of the values of paths with all controls.
func allOf() []Group {
	return []Group{{First: 0, Controls: []int{0, 1, 2}, Own: [][]int{{2}, {0, 1, 2}, {0, 1, 2}}}}
}

// TestJackknifeCovers: intervals hold the truth as often as they say, and controls narrow
// them, for few paths and for more than there are sections.
func TestJackknifeCovers(t *testing.T) {
	const level = 0.9
	for _, x := range []struct{ n, parts, reps int }{{16, 32, 1500}, {700, 1, 300}} {
		rng := rand.New(rand.NewPCG(3, uint64(x.n)))
		var held [2]int
		var ratio Pair
		for range x.reps {
			f, plain := NewJackknife(3, allOf()), NewJackknife(3, []Group{{First: 0, Own: [][]int{nil, nil, nil}}})
			paths(f, rng, x.n, x.parts)
			paths(plain, rng, x.n, x.parts)
			mean, variance := f.Ratios(0, level, "")
			for i, e := range []result.Estimate{mean, variance} {
				if e.Covers([]float64{2, 1 + 0.25 + 0.09}[i]) {
					held[i]++
				}
			}
			without, _ := plain.Ratios(0, level, "")
			ratio.Add(without.HalfWidth/mean.HalfWidth, 0)
		}
		for i, k := range held {
			if got := float64(k) / float64(x.reps); got < level-0.03 || i == 0 && got > level+0.06 {
				t.Errorf("%d paths of %d parts: 90 %% intervals of %s hold the truth in %.1f %% of the cases", x.n, x.parts, []string{"mean", "variance"}[i], 100*got)
			}
		}
		if ratio.X < 2 {
			t.Errorf("%d paths of %d parts: controls narrow the interval by %v", x.n, x.parts, ratio.X)
		}
	}
}

// TestJackknifeSeesItsCoefficients: a control that is large in one path alone gets its
// coefficient from there. Its mean is off by what that path has too much, and the value with
// it: intervals of residuals miss that, and those of the jackknife do not.
func TestJackknifeSeesItsCoefficients(t *testing.T) {
	const level, reps = 0.95, 2000
	rng := rand.New(rand.NewPCG(4, 4))
	var held, folds int
	for range reps {
		f, cross := NewJackknife(1, []Group{{First: 0, Controls: []int{0}, Own: [][]int{{0}}}}), NewCrossfit(1, 1)
		for range 32 {
			c := -0.2
			if rng.Float64() < 0.2 {
				c += rng.ExpFloat64()
			}
			row := []float64{c, c*(1+0.5*rng.NormFloat64()) + 0.001*rng.NormFloat64()}
			f.Part(row)
			f.Add(row)
			cross.Add(row)
		}
		if e := f.Mean(0, level, ""); math.Abs(e.Value) <= e.HalfWidth {
			held++
		}
		if e := cross.Mean(0, level, ""); math.Abs(e.Value) <= e.HalfWidth {
			folds++
		}
	}
	t.Logf("jackknife %v, folds %v of %d", held, folds, reps)
	if float64(held)/reps < 0.9 {
		t.Errorf("%d of %d intervals of the jackknife hold the truth", held, reps)
	}
	if folds >= held {
		t.Errorf("folds hold the truth %d times, the jackknife %d times: the case shows no difference", folds, held)
	}
}

// TestJackknifeDeletes: the standard error without controls is that of the mean, and of
// sections that were joined.
func TestJackknifeDeletes(t *testing.T) {
	for _, n := range []int{40, 1024} {
		f := NewJackknife(0, []Group{{First: 0, Own: [][]int{nil, nil}}})
		rng := rand.New(rand.NewPCG(5, 5))
		var p Pair
		for range n {
			x := rng.ExpFloat64()
			f.Part([]float64{x, x * x})
			f.Add(nil)
			p.Add(x, x*x)
		}
		d, want := f.of(0, 1), math.Sqrt(p.XX/float64(n-1)/float64(n))
		if tolerance := 1e-9 + 0.08*float64(n/1024); math.Abs(d.se/want-1) > tolerance || math.Abs(d.value/p.X-1) > 1e-12 {
			t.Errorf("%d: %v ± %v, want %v ± %v", n, d.value, d.se, p.X, want)
		}
	}
}
