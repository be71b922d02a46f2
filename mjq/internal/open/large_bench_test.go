package open

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkExactLarge prints what five classes near their limit cost on 20 and 40
// servers, and on those in MJQ_SERVERS besides (60,80): seconds, levels, megabytes taken
// from the system so far, the bound, and the mean number of jobs.
//
//	MJQ_SERVERS=60,80 go test ./mjq/internal/open -run xx -bench ExactLarge -benchtime 1x
func BenchmarkExactLarge(b *testing.B) {
	all := []int{20, 40}
	for _, s := range strings.Split(os.Getenv("MJQ_SERVERS"), ",") {
		if n, err := strconv.Atoi(s); err == nil {
			all = append(all, n)
		}
	}
	for _, servers := range all {
		b.Run(fmt.Sprint("servers=", servers), func(b *testing.B) {
			lambda := 0.0875 * float64(servers)
			if servers > 50 { // whose limit is higher for each server
				lambda = 0.09 * float64(servers)
			}
			x := index(b, fiveClasses(servers, 1))
			for range b.N {
				started := time.Now()
				s, err := SolveLarge(context.Background(), x, servers, lambda, 4e9, nil)
				if err != nil {
					b.Fatal(err)
				}
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				b.Logf("%d servers, λ = %v: %d phases, %.2f s, %d levels, %d sweeps, %.0f MB, %.13g jobs to within %.1g", servers, lambda, int(x.States()),
					time.Since(started).Seconds(), s.Levelled(), s.Steps, float64(m.Sys)/1e6, s.Moments().Jobs[0], s.Error)
			}
		})
	}
}
