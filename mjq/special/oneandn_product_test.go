package special

import (
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/saturated"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// TestOneAndNAgainstProductForm: the product form of the saturated system, which knows no
// special cases, for numbers of servers that no sum goes through.
func TestOneAndNAgainstProductForm(t *testing.T) {
	class := func(need int, prob, mean float64) states.Class {
		return states.Class{Need: need, Prob: prob, Alpha: []float64{1}, A: [][]float64{{-1 / mean}}}
	}
	for _, n := range []int{1_000_001, 3_000_000, 1_000_000_000, math.MaxInt32} {
		for _, p := range []float64{0.999, 0.5, 1e-4, 1e-7, 1e-12} {
			s := states.System{Servers: n, Classes: []states.Class{class(1, 1-p, 1), class(n, p, 0.3)}}
			f, ok, err := saturated.ProductForm(t.Context(), s.Compile())
			if err != nil || !ok {
				t.Fatalf("%d servers: %v, %v", n, ok, err)
			}
			oracle.Relative(t, "throughput", f.Throughput, OneAndN{N: n, BigProb: p, SmallRate: 1, BigRate: 1 / 0.3}.Throughput(), 1e-11)
		}
	}
}
