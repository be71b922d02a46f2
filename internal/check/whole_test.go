package check

import (
	"math"
	"testing"
)

// TestWhole: whatever the number is, the result lies within the bounds.
func TestWhole(t *testing.T) {
	for _, c := range []struct {
		x                 float64
		least, most, want int64
	}{{3.9, 1, 10, 3}, {-3.9, -10, 10, -3}, {0, 1, 10, 1}, {11, 1, 10, 10}, {math.NaN(), 1, 10, 1}, {math.Inf(1), 1, 10, 10}, {math.Inf(-1), 1, 10, 1},
		{1e300, 0, math.MaxInt64, math.MaxInt64}, {-1e300, math.MinInt64, 0, math.MinInt64}, {1 << 63, 0, math.MaxInt64, math.MaxInt64}} {
		if got := Whole(c.x, c.least, c.most); got != c.want {
			t.Errorf("Whole(%v, %d, %d) = %d, want %d", c.x, c.least, c.most, got, c.want)
		}
	}
}
