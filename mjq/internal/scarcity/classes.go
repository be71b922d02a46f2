package scarcity

import (
	"iter"
	"math"
	"runtime"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/law"
)

// class is what a class adds.
type class struct {
	need, together int    // of its jobs, and how many surely hold up the queue
	light          bool   // they have the moments that count
	alone          source // its jobs one by one
	counts         bool   // they do
	sizes          []sized
	tails          tails
}

// measure finds what a class adds, and uses the memory that it has.
func (h *holders) measure(to *class, index int, work float64, t times) {
	c := &h.Classes[index]
	to.need, to.together, to.light = c.Need, h.together(c), law.TailIndex(c.Service) > heavy
	to.alone = source{class: index, prob: c.Prob, holds: true, scale: math.Max(1, float64(c.Need)) / work, law: Rough(c.Service)}
	for i := to.together - 1; i < len(to.alone.weight); i++ {
		to.alone.weight[i] = 1
	}
	if to.counts = to.alone.counts(); to.counts {
		to.sizes = to.alone.sized(to.sizes[:0])
	}
	to.tails = t.tails(to.tails[:0], Rough(c.Service))
}

// atOnce is how many classes are measured before they are added up.
const atOnce = 512

// ahead is 0, 1, ..., n-1 with what f makes of each, in order. Goroutines share the work, some at a
// time, and memory is used again: there may be thousands of classes, and their laws take long.
func ahead[T any](n int, f func(i int, to *T)) iter.Seq2[int, *T] {
	return func(yield func(int, *T) bool) {
		room := make([]T, min(n, atOnce))
		for from := 0; from < n; from += len(room) {
			part := room[:min(len(room), n-from)]
			share(len(part), func(i int) { f(from+i, &part[i]) })
			for i := range part {
				if !yield(from+i, &part[i]) {
					return
				}
			}
		}
	}
}

// few is how many calls are not worth a goroutine.
const few = 16

// share calls do with 0, 1, ..., n-1, neighbours on one goroutine.
func share(n int, do func(i int)) {
	parts := max(1, min(runtime.GOMAXPROCS(0), n/few))
	run := func(k int) {
		for i := k * n / parts; i < (k+1)*n/parts; i++ {
			do(i)
		}
	}
	var group panics.Group
	for k := 1; k < parts; k++ {
		group.Go(func() { run(k) })
	}
	run(0)
	group.Wait()
}
