package sampling

import (
	"context"
	"sync/atomic"
	"testing"
	"time"
)

// TestOrderedMergesInOrder gives the tasks different lengths, so that they
// finish out of order, and checks that they are merged in order.
func TestOrderedMergesInOrder(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		var got []int
		n := ordered(context.Background(), 200, workers, func() int { return 0 },
			func(_ *atomic.Bool, _ int, task int, part *int) bool {
				time.Sleep(time.Duration(task*37%11) * 20 * time.Microsecond)
				*part = task * task
				return true
			},
			func(task int, part *int) {
				if *part != task*task {
					t.Errorf("task %d brought the part of another", task)
				}
				got = append(got, task)
			})
		if n != 200 || len(got) != 200 {
			t.Errorf("%d workers: %d merged", workers, n)
		}
		for i, task := range got {
			if i != task {
				t.Fatalf("%d workers: task %d came in place %d", workers, task, i)
			}
		}
	}
}

// TestOrderedKeepsAPrefix stops in the middle: what is merged has no gaps.
func TestOrderedKeepsAPrefix(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var merged int
	n := ordered(ctx, 1_000_000, 4, func() int { return 0 },
		func(stop *atomic.Bool, _ int, task int, _ *int) bool {
			if task == 300 {
				cancel()
				for !stop.Load() {
					time.Sleep(time.Millisecond)
				}
				return false
			}
			return true
		},
		func(task int, _ *int) {
			if task != merged {
				t.Errorf("task %d after %d", task, merged-1)
			}
			merged++
		})
	if n != merged || n > 300 {
		t.Errorf("merged %d, reported %d, task 300 gave up", merged, n)
	}
	if got := ordered(ctx, 5, 2, func() int { return 0 }, func(*atomic.Bool, int, int, *int) bool { return true }, func(int, *int) {}); got != 0 {
		t.Errorf("%d tasks done after the end", got)
	}
}
