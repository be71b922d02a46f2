package sampling

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
)

// The θ of a bound that is searched for by simulation is in proportion to 1/u when
// all times are multiplied by u, however small or large.
func TestMajorantUnits(t *testing.T) {
	find := func(u float64) float64 {
		gap := law.Uniform{Lo: 0, Hi: 2 * u}
		services := []law.Law{law.Uniform{Lo: 0, Hi: 2 * u}, law.Deterministic{X: u}}
		classes := func(probs []float64, laws []law.Law) []stream.Class {
			return []stream.Class{{Need: 1, Prob: probs[0], Service: laws[0]}, {Need: 2, Prob: probs[1], Service: laws[1]}}
		}
		half := []float64{0.5, 0.5}
		sys := System{Servers: 3, Needs: []int32{1, 2}, Probs: half, Input: stream.New(1, gap, classes(half, services))}
		tilted := func(theta float64, seed uint64) (*stream.Source, float64, float64, bool) {
			a, x, ok := law.Tilt(services[0], theta)
			b, y, also := law.Tilt(services[1], theta)
			sum := (math.Exp(x) + math.Exp(y)) / 2
			if !ok || !also || math.IsInf(sum, 1) {
				return nil, 0, 0, false
			}
			probs := []float64{math.Exp(x) / 2 / sum, math.Exp(y) / 2 / sum}
			return stream.New(seed, gap, classes(probs, []law.Law{a, b})), math.Log(sum), math.Log(gap.Laplace(theta)), true
		}
		m := &majorantSearch{System: &sys, ctx: context.Background(), tilted: tilted, failure: 1e-6, mean: sys.meanService()}
		return m.largest(64)
	}
	one := find(1)
	if !(one > 0) {
		t.Fatal("no θ was found")
	}
	for _, u := range []float64{0x1p-40, 1e-12, 1e-3, 1e7} {
		if got := find(u) * u; math.Abs(got-one) > 1e-9*one {
			t.Errorf("at u = %g θ·u is %v, should be %v", u, got, one)
		}
	}
}
