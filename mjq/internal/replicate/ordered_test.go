package replicate

import (
	"context"
	"sync/atomic"
	"testing"
	"time"
)

// TestInOrderMergesInOrder gives the tasks different lengths, so that they
// finish out of order, and checks that they are merged in order.
func TestInOrderMergesInOrder(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		var got []int
		n := InOrder(context.Background(), 200, workers, func() int { return 0 },
			func(_ *atomic.Bool, _ int, task int, part *int) bool {
				time.Sleep(time.Duration(task*37%11) * 20 * time.Microsecond)
				*part = task * task
				return true
			},
			func(task int, part *int) bool {
				if *part != task*task {
					t.Errorf("task %d brought the part of another", task)
				}
				got = append(got, task)
				return false
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

// TestInOrderKeepsAPrefix stops in the middle: what is merged has no gaps.
func TestInOrderKeepsAPrefix(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var merged int
	n := InOrder(ctx, 1_000_000, 4, func() int { return 0 },
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
		func(task int, _ *int) bool {
			if task != merged {
				t.Errorf("task %d after %d", task, merged-1)
			}
			merged++
			return false
		})
	if n != merged || n > 300 {
		t.Errorf("merged %d, reported %d, task 300 gave up", merged, n)
	}
	if got := InOrder(ctx, 5, 2, func() int { return 0 }, func(*atomic.Bool, int, int, *int) bool { return true }, func(int, *int) bool { return false }); got != 0 {
		t.Errorf("%d tasks done after the end", got)
	}
}

// TestInOrderStopsWhenItHasEnough merges the same prefix on any number of
// goroutines.
func TestInOrderStopsWhenItHasEnough(t *testing.T) {
	for _, workers := range []int{1, 3, 8} {
		sum := 0
		n := InOrder(context.Background(), 1<<40, workers, func() int { return 0 },
			func(_ *atomic.Bool, _ int, task int, part *int) bool { *part = task; return true },
			func(_ int, part *int) bool { sum += *part; return sum >= 1000 })
		if n != 46 || sum != 1035 {
			t.Errorf("%d workers: %d tasks with sum %d, want 46 and 1035", workers, n, sum)
		}
	}
}

// TestInOrderDoesNotRunAhead holds the first task up: the others go eight tasks a
// goroutine ahead of it, and no further.
func TestInOrderDoesNotRunAhead(t *testing.T) {
	const workers = 3
	var started atomic.Int64
	n := InOrder(context.Background(), 100, workers, func() int { return 0 },
		func(_ *atomic.Bool, _ int, task int, _ *int) bool {
			started.Add(1)
			if task > 0 {
				return true
			}
			for wait := time.Now().Add(10 * time.Second); started.Load() < 8*workers && time.Now().Before(wait); {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(20 * time.Millisecond)
			if got := started.Load(); got != 8*workers {
				t.Errorf("%d tasks began while the first went on, want %d", got, 8*workers)
			}
			return true
		},
		func(int, *int) bool { return false })
	if n != 100 {
		t.Errorf("%d tasks merged", n)
	}
}

// TestInOrderEndsWithItsContext ends the context in the merge of task 0, while task 3 goes on
// and others wait for their turn: task 3 is told before that merge ends, and no other is merged.
func TestInOrderEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var began, told atomic.Int64
	wait := func(n *atomic.Int64, least int64) bool {
		for end := time.Now().Add(3 * time.Second); n.Load() < least && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		return n.Load() >= least
	}
	n := InOrder(ctx, 100, 4, func() int { return 0 },
		func(stop *atomic.Bool, _ int, task int, _ *int) bool {
			began.Add(1)
			switch task {
			case 0:
				return wait(&began, 4)
			case 3:
				for !stop.Load() {
					time.Sleep(time.Millisecond)
				}
				told.Add(1)
			}
			return true
		},
		func(task int, _ *int) bool {
			cancel()
			if !wait(&told, 1) {
				t.Errorf("task 3 was not told in the merge of task %d", task)
			}
			return false
		})
	if n != 1 {
		t.Errorf("%d parts were merged, want 1", n)
	}
}

// TestEach: every number comes once.
func TestEach(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 50} {
		var times [20]atomic.Int64
		Each(len(times), workers, func(i int) { times[i].Add(1) })
		for i := range times {
			if times[i].Load() != 1 {
				t.Errorf("%d goroutines: %d came %d times", workers, i, times[i].Load())
			}
		}
	}
}
