package ordinary_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/tests/ordinary"
	"github.com/mjqueue/mjq/mjq/result"
)

// BenchmarkSolve prints how Solve without options answers ordinary queues, with a deadline of a
// minute: the method, the seconds of a processor and those that passed, and the widest interval
// of a class over the default target. It reports the median, the 95th percentile and the longest
// time, by the processor: other programs then matter little. MJQ_ORDINARY is how many of the
// queues it asks about, 60 by default and 400 at most.
//
//	GOMAXPROCS=1 MJQ_ORDINARY=400 go test ./mjq/internal/tests/ordinary -run xx -bench Solve -benchtime 1x -timeout 1h
func BenchmarkSolve(b *testing.B) {
	n, err := strconv.Atoi(os.Getenv("MJQ_ORDINARY"))
	if err != nil {
		n = 60
	}
	for range b.N {
		var took []float64
		for _, q := range ordinary.Queues(ordinary.Seed, ordinary.Number)[:n] {
			ctx, end := context.WithTimeout(context.Background(), deadline)
			from, busy := time.Now(), processor()
			r, err := q.Model.Solve(ctx)
			seconds, passed := processor()-busy, time.Since(from)
			end()
			took = append(took, seconds)
			fmt.Printf("%7.3f s of a processor, %7.3f s  %s\n", seconds, passed.Seconds(), row(q, r, err))
			if late := passed - deadline; late > 100*time.Millisecond {
				fmt.Printf("           %v after its deadline\n", late)
			}
		}
		slices.Sort(took)
		b.ReportMetric(took[len(took)/2], "median-s")
		b.ReportMetric(took[len(took)*95/100], "p95-s")
		b.ReportMetric(took[len(took)-1], "longest-s")
	}
}

// processor is the seconds of processors that the program has had.
func processor() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// deadline is how long a queue has.
const deadline = time.Minute

// row is the answer in a line.
func row(q ordinary.Queue, r *result.Result, err error) string {
	if r == nil {
		return fmt.Sprintf("%-100s  %v", q.Name, err)
	}
	text := fmt.Sprintf("%-100s  %-60s  %8.3g of the target, %.3g jobs, wait %v", q.Name, r.Run.Method, ordinary.Wide(q, r), float64(r.Run.Steps), r.All.Waiting.Mean)
	if err != nil {
		text += "  " + err.Error()
	}
	return text
}
