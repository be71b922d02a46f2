package replicate

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/mjqueue/mjq/mjq/result"
)

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

// Finish notes how long a run took and whether it is complete.
func Finish(r *result.Result, started time.Time, complete bool) {
	r.Run.Elapsed, r.Run.Complete = time.Since(started), complete
	r.Run.StepsPerSec = float64(r.Run.Steps) / r.Run.Elapsed.Seconds()
}

// Nothing reports whether a run that ctx ended has completed no sample and no replication.
func Nothing(ctx context.Context, r *result.Result) bool {
	return ctx.Err() != nil && !r.Run.Complete && r.Run.Samples == 0 && !r.All.Waiting.Mean.Known()
}

// Interrupted is the error of a run that ctx ended; the result says the same.
func Interrupted(ctx context.Context, r *result.Result) error {
	if r.Run.Complete {
		return nil
	}
	if Nothing(ctx, r) {
		r.Notes = append(r.Notes, "Interrupted before the first sample or replication was complete: nothing is known yet. Wait longer, or ask for fewer Jobs.")
		return errors.Join(errors.New("interrupted before anything was completed"), context.Cause(ctx))
	}
	r.Notes = append(r.Notes, "Interrupted: the results are of the jobs completed until then, and intervals are wider. Ask again for all.")
	return errors.Join(errors.New("interrupted; the result holds what was completed"), context.Cause(ctx))
}
