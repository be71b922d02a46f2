package panics

import (
	"runtime"
	"sync/atomic"
)

// block is how many neighbours a goroutine of Blocks takes at a time: so many lie together in
// memory, and fewer are not worth a goroutine.
const block = 256

// Blocks calls f with neighbouring parts of 0, 1, ..., n-1, from is the first of a part and to the
// one after its last. Goroutines on all processors share them; there is none where they make one part.
func Blocks(n int, f func(from, to int)) {
	parts := (n + block - 1) / block
	workers := min(parts, runtime.GOMAXPROCS(0))
	if workers <= 1 {
		if n > 0 {
			f(0, n)
		}
		return
	}
	var next atomic.Int64
	var group Group
	for range workers {
		group.Go(func() {
			for k := int(next.Add(1)) - 1; k < parts; k = int(next.Add(1)) - 1 {
				f(k*block, min((k+1)*block, n))
			}
		})
	}
	group.Wait()
}
