package method

import (
	"sync"
	"time"
)

// throttled is the progress callback at no more than 20 calls a second, plus the last
// one; nil without a callback.
func (o *Options) throttled() func(done, total float64) { return Throttled(o.Progress) }

// Throttled is a progress callback at no more than 20 calls a second, plus the last
// one. Calls come one at a time. nil stays nil.
func Throttled(progress func(done, total float64)) func(done, total float64) {
	if progress == nil {
		return nil
	}
	var mu sync.Mutex
	var last time.Time
	return func(done, total float64) {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); done >= total || now.Sub(last) > 50*time.Millisecond {
			last = now
			progress(done, total)
		}
	}
}
