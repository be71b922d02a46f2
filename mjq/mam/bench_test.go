package mam

import (
	"context"
	"fmt"
	"testing"
	"time"
)

func BenchmarkQBD(b *testing.B) {
	for _, n := range []int{50, 250, 850} {
		for _, route := range []struct {
			name string
			opt  []Option
		}{{"cyclic", nil}, {"logarithmic", []Option{LogarithmicReduction()}}} {
			b.Run(fmt.Sprintf("%s/n=%d", route.name, n), func(b *testing.B) {
				q := randomQBD(n, 0.9, 1)
				b.ReportAllocs()
				for b.Loop() {
					s, err := q.Solve(context.Background(), route.opt...)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(s.Iterations), "steps")
				}
			})
		}
	}
}

// BenchmarkStops reports how long after the end of its context a solution of 700
// phases returns.
func BenchmarkStops(b *testing.B) {
	q := randomQBD(700, 0.9, 1)
	total, worst := time.Duration(0), time.Duration(0)
	for i := range b.N {
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan time.Time, 1)
		time.AfterFunc(time.Duration(50*(i%8))*time.Millisecond, func() { ended <- time.Now(); cancel() })
		if _, err := q.Solve(ctx); err == nil {
			b.Fatal("it was complete before its context ended")
		}
		late := time.Since(<-ended)
		total, worst = total+late, max(worst, late)
	}
	b.ReportMetric(total.Seconds()*1e3/float64(b.N), "late-ms/op")
	b.ReportMetric(worst.Seconds()*1e3, "worst-ms")
}
