package panics

import (
	"sync/atomic"
	"testing"
)

// TestBlocks checks that each index is met once, and that few take no goroutine.
func TestBlocks(t *testing.T) {
	for _, n := range []int{0, 1, block, block + 1, 10*block - 1} {
		met, calls := make([]int32, n), atomic.Int64{}
		Blocks(n, func(from, to int) {
			calls.Add(1)
			for i := from; i < to; i++ {
				atomic.AddInt32(&met[i], 1)
			}
		})
		for i, m := range met {
			if m != 1 {
				t.Errorf("of %d, %d was met %d times", n, i, m)
			}
		}
		if n <= block && calls.Load() > 1 {
			t.Errorf("%d came in %d parts", n, calls.Load())
		}
	}
	err := Call(func() { Blocks(5*block, func(int, int) { panic("of a user") }) })
	if err == nil {
		t.Error("a panic is lost")
	}
}
