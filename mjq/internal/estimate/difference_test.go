package estimate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

// TestDifferenceCovers: pairs of batches that share most of their noise; the interval
// holds the true difference in at least 95 of 100 and is as narrow as what they do not
// share. It is somewhat wide for these normal ones, since it makes room for the skewness
// of waits.
func TestDifferenceCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const runs, batches, jobs = 2000, 30, 1000
	covered, width := 0, 0.0
	for range runs {
		var a, b []Batch
		for range batches {
			common, n := 5*rng.NormFloat64(), float64(jobs+rng.IntN(100))
			batch := func(mean float64) Batch {
				x := mean + common + 0.1*rng.NormFloat64()
				return Batch{N: n, X: n * x, X2: n * (x*x + mean*mean)}
			}
			a, b = append(a, batch(7)), append(b, batch(6.5))
		}
		d := Difference(a, b, 0.95, "")
		if d.Covers(0.5) {
			covered++
		}
		width += d.HalfWidth / runs
	}
	if covered < 0.94*runs || covered > 0.995*runs {
		t.Errorf("%d of %d intervals cover", covered, runs)
	}
	if want := 2.05 * 0.1 * math.Sqrt(2./batches); width < want || width > 1.5*want {
		t.Errorf("half-width %v, about %v expected", width, want)
	}
	if d := Difference(make([]Batch, 3), make([]Batch, 2), 0.95, ""); !math.IsNaN(d.Value) {
		t.Errorf("of nothing %v", d)
	}
	same := []Batch{{10, 20, 50}, {10, 22, 60}, {10, 30, 99}}
	if d := Difference(same, same[:2], 0.95, ""); d.Value != 0 || d.HalfWidth != 0 {
		t.Errorf("of a policy and itself %v", d)
	}
}

// TestCompare: every pair once, in order, each class and last all jobs; what one of the two
// lacks the difference lacks, and the widening is that of the one that knows less.
func TestCompare(t *testing.T) {
	metric := func(half float64) result.Metric {
		return result.Metric{Mean: result.Estimate{Value: 1, HalfWidth: half}}
	}
	of := func(half float64) *result.Result {
		c := result.ClassResult{Name: "a", Waiting: metric(half), Response: metric(0.1), Slowdown: metric(0.1)}
		all := c
		all.Name = "all"
		return &result.Result{Classes: []result.ClassResult{c}, All: all}
	}
	batches := func(x float64) []Batch { return []Batch{{1, x, x * x}, {1, x + 1, (x + 1) * (x + 1)}, {1, x, x * x}} }
	shown := func(x float64) []Observed {
		o := Observed{batches(x), batches(2 * x), batches(3 * x)}
		return []Observed{o, {batches(x + 10), batches(x), batches(x)}}
	}
	c := &result.Comparison{Level: 0.95, Policies: []string{"p", "q", "r"}, Results: []*result.Result{of(0.1), of(0.1), of(math.NaN())}}
	Compare(c, [][]Observed{shown(5), shown(3), nil}, "by hand")
	var pairs []string
	for _, d := range c.Differences {
		pairs = append(pairs, d.Policy+d.Other)
		if len(d.Classes) != 1 || d.Classes[0].Name != "a" || d.All.Name != "all" {
			t.Errorf("%s less %s: classes %v, all %v", d.Policy, d.Other, d.Classes, d.All)
		}
	}
	if got := fmt.Sprint(pairs); got != "[pq pr qr]" {
		t.Fatalf("pairs %s", got)
	}
	first := c.Differences[0]
	if e := first.Classes[0]; !near9(e.Waiting.Value, 2) || !near9(e.Response.Value, 4) || !near9(e.Slowdown.Value, 6) {
		t.Errorf("p less q: %v", e)
	}
	if e := c.Differences[1].All.Waiting; !math.IsNaN(e.Value) {
		t.Errorf("of nothing: %v", e)
	}
	c.Differences = nil
	Compare(c, [][]Observed{nil, shown(3), shown(5)}, "by hand")
	if e, f := c.Differences[0].Classes[0].Waiting, c.Differences[2].Classes[0].Waiting; !math.IsNaN(e.Value) || !near9(f.Value, -2) {
		t.Errorf("of nothing first: %v, and of the others %v", e, f)
	}
	c.Differences = nil
	Compare(c, [][]Observed{shown(5), shown(3), shown(2)}, "by hand")
	if e := c.Differences[1].All.Waiting; !near9(e.Value, 3) || !math.IsNaN(e.HalfWidth) {
		t.Errorf("with a mean that has no interval: %v", e)
	}
}

// TestDifferenceKnowsLess: the interval has the width of the side that knows less,
// whichever of the two it is.
func TestDifferenceKnowsLess(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var well, badly []Batch
	for range 12 {
		x, y := 1+0.01*rng.NormFloat64(), 1+0.5*rng.NormFloat64()
		well, badly = append(well, Batch{100, 100 * x, 200 * x * x}), append(badly, Batch{100, 100 * y, 200 * y * y})
	}
	one, other := Difference(well, badly, 0.95, ""), Difference(badly, well, 0.95, "")
	if one.HalfWidth != other.HalfWidth {
		t.Errorf("%v and %v", one, other)
	}
	_, _, worth := OfBatches(badly, 0.95, "")
	influence := make([]float64, len(badly))
	meanA, _, _ := OfBatches(well, 0.95, "")
	meanB, _, _ := OfBatches(badly, 0.95, "")
	for i := range influence {
		influence[i] = (well[i].X-100*meanA.Value)/1200 - (badly[i].X-100*meanB.Value)/1200
	}
	if want := Interval(0, influence, 1, 0.95, OfMean, worth, "").HalfWidth; !near9(one.HalfWidth, want) {
		t.Errorf("half-width %v, want %v", one.HalfWidth, want)
	}
}

// TestDifferenceAllocatesNothing: thousands of classes are compared after the end of a context.
func TestDifferenceAllocatesNothing(t *testing.T) {
	a, b := make([]Batch, usualBatches), make([]Batch, usualBatches)
	for i := range a {
		a[i], b[i] = Batch{10, float64(20 + i%7), float64(90 + i%5)}, Batch{11, float64(18 + i%3), float64(80 + i%4)}
	}
	if got := testing.AllocsPerRun(10, func() { Difference(a, b, 0.95, "") }); got > 0 {
		t.Errorf("%v allocations", got)
	}
}
