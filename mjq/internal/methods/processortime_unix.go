//go:build unix

package methods

import (
	"syscall"
	"time"
)

// processorTime is the time that this program has had on processors so far, which goes on
// more slowly than clocks while others have them.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return time.Since(start)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

var start = time.Now()
