//go:build !unix

package methods

import "time"

// processorTime is the time that has passed, where that on processors is not to be had.
func processorTime() time.Duration { return time.Since(start) }

var start = time.Now()
