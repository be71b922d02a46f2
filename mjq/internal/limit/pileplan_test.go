package limit

import (
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/law"
)

func TestMomentsBelow(t *testing.T) {
	for _, c := range []struct {
		l            law.Law
		x            float64
		square, cube float64
	}{
		{law.ExpMean(2), 100, 8, 48}, {law.Deterministic{X: 3}, 3, 9, 27}, {law.Uniform{Lo: 0, Hi: 2}, 2, 4.0 / 3, 2},
		{law.Lomax{Shape: 1.2, Scale: 1}, 1e4, 0, 0},
	} {
		square, cube := momentsBelow(c.l, c.x)
		if _, lomax := c.l.(law.Lomax); lomax { // 2∫u(1+u)^-1.2 and 3∫u²(1+u)^-1.2, (1+u)^1.8 and so on leading
			y := 1 + c.x
			c.square = 2 * ((math.Pow(y, 0.8)-1)/0.8 + (math.Pow(y, -0.2)-1)/0.2)
			c.cube = 3 * ((math.Pow(y, 1.8)-1)/1.8 - 2*(math.Pow(y, 0.8)-1)/0.8 - (math.Pow(y, -0.2)-1)/0.2)
		}
		if math.Abs(square-c.square) > 0.03*c.square || math.Abs(cube-c.cube) > 0.03*c.cube {
			t.Errorf("%v below %v: %v and %v, want %v and %v", c.l, c.x, square, cube, c.square, c.cube)
		}
	}
}
