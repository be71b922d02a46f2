package method

import "github.com/mjqueue/mjq/mjq/internal/replicate"

// throttled is the progress callback at no more than 20 calls a second, plus the last
// one; nil without a callback.
func (o *Options) throttled() func(done, total float64) { return replicate.Throttled(o.Progress) }
