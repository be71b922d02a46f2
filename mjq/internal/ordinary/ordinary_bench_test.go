package ordinary_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/ordinary"
	"github.com/mjqueue/mjq/mjq/result"
)

// BenchmarkSolve prints how Solve without options answers ordinary queues, with a deadline of
// 20 seconds: the method, the seconds, and the widest interval of a class over the default
// target. It reports the median, the 95th percentile and the longest time. MJQ_ORDINARY is how
// many of the queues it asks about, 60 by default and 400 at most.
//
//	GOMAXPROCS=1 MJQ_ORDINARY=400 go test ./mjq/internal/ordinary -run xx -bench Solve -benchtime 1x -timeout 1h
func BenchmarkSolve(b *testing.B) {
	n, err := strconv.Atoi(os.Getenv("MJQ_ORDINARY"))
	if err != nil {
		n = 60
	}
	for range b.N {
		var took []float64
		for _, q := range ordinary.Queues(ordinary.Seed, ordinary.Number)[:n] {
			ctx, end := context.WithTimeout(context.Background(), deadline)
			from := time.Now()
			r, err := q.Model.Solve(ctx)
			seconds := time.Since(from).Seconds()
			end()
			took = append(took, seconds)
			fmt.Printf("%7.3f s  %s\n", seconds, row(q, r, err))
		}
		slices.Sort(took)
		b.ReportMetric(took[len(took)/2], "median-s")
		b.ReportMetric(took[len(took)*95/100], "p95-s")
		b.ReportMetric(took[len(took)-1], "longest-s")
	}
}

// deadline is how long a queue has.
const deadline = 20 * time.Second

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
