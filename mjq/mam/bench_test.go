package mam

import (
	"context"
	"fmt"
	"testing"
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
