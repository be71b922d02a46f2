package special

import "sync"

// kept holds what was solved for the queues asked last, so that the points of a curve solve
// their queue once.
type kept[Q, S any] struct {
	solve func(q Q) S
	same  func(a, b Q) bool

	mu     sync.Mutex
	queues []Q // the latest last
	found  []S
}

// mostKept is how many queues there are at most; solved they take up to 100 kB.
const mostKept = 16

// of is the queue solved.
func (k *kept[Q, S]) of(q Q) S {
	if s, known := k.lookup(q); known {
		return s
	}
	s := k.solve(q)
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.queues) == mostKept {
		k.queues, k.found = k.queues[1:], k.found[1:]
	}
	k.queues, k.found = append(k.queues, q), append(k.found, s)
	return s
}

func (k *kept[Q, S]) lookup(q Q) (s S, known bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := len(k.queues) - 1; i >= 0; i-- {
		if k.same(k.queues[i], q) {
			return k.found[i], true
		}
	}
	return s, false
}

// equal tells queues that are plain numbers apart.
func equal[Q comparable](a, b Q) bool { return a == b }
