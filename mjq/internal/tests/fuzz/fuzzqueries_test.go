package fuzz

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq"
)

// FuzzQueries: whatever a setting is given, on whatever model, its verb answers
// soon after its context has ended, without a panic.
func FuzzQueries(f *testing.F) {
	f.Add(byte(0), 7, 0.5, 4, 3, 0.5, byte(0), 0.5, 0., byte(10), 3., 2.)
	f.Add(byte(9), math.MaxInt, math.NaN(), 1<<30, 1<<29, 1e-9, byte(6), 1.5, 1., byte(2), 1., 2.)
	f.Add(byte(30), 64, 1e-320, 100, 7, 0.999, byte(3), 1e-6, 1e6, byte(13), 0.4, 2.)
	f.Add(byte(40), -1, 1e308, 2048, 2048, 1e-15, byte(11), 0.01, 1., byte(4), 1., 300.)
	f.Fuzz(func(t *testing.T, which byte, n int, x float64, servers, need int, prob float64, kind1 byte, a1, b1 float64, kind2 byte, a2, b2 float64) {
		m := mjq.Servers(servers).Class("a", 1, 1-prob, fuzzedLaw(kind1, a1, b1)).Class("b", need, prob, fuzzedLaw(kind2, a2, b2))
		err := m.Err()
		if err != nil {
			return
		}
		m = m.AtRate(0.5 * m.IdealRate())
		ints, floats := intSettings(m), floatSettings(m)
		names := append(slices.Sorted(maps.Keys(ints)), slices.Sorted(maps.Keys(floats))...)
		name := names[int(which)%len(names)]
		what := fmt.Sprintf("%s(%d or %v) of %v", name, n, x, m)
		_ = answered(t, what, func(ctx context.Context) error {
			if ask := ints[name]; ask != nil {
				return ask(ctx, n)
			}
			return floats[name](ctx, x)
		})
	})
}
