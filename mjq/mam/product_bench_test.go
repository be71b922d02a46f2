//go:build unix

package mam

import (
	"fmt"
	"math"
	"math/rand/v2"
	"syscall"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// processor is the time that this process has used.
func processor() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return math.NaN()
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

// BenchmarkProduct is the speed of products, by the time that they have a processor.
func BenchmarkProduct(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, n := range []int{100, 300, 800} {
		x, y, z := sparseMatrix(r, n, n, 1), sparseMatrix(r, n, n, 1), mat.NewDense(n, n, nil)
		run := func(b *testing.B) {
			before := processor()
			for b.Loop() {
				startSteps().stripe(1, x.RawMatrix(), y.RawMatrix(), 0, z.RawMatrix())
			}
			b.ReportMetric(2*float64(n)*float64(n)*float64(n)*float64(b.N)/(processor()-before)/1e9, "Gflop/s")
		}
		b.Run(fmt.Sprintf("vectors/n=%d", n), run)
		b.Run(fmt.Sprintf("twin/n=%d", n), func(b *testing.B) { without(func() { run(b) }) })
	}
}
