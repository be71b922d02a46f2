package law

import (
	"math"
	"testing"
)

// TestEdgesOfDraws gives the words at the ends: the uniform number 1, for which
// a law without a second phase must not go on to one, and the least.
func TestEdgesOfDraws(t *testing.T) {
	const one = math.MaxUint64 // Unit is 1, its logarithm 0
	half := uint64(1)<<63 - 1
	alpha, a := zeros(10)
	for i := range alpha {
		alpha[i], a[i][i] = 0.1, -1
	}
	tenths := PhaseType(alpha, a)
	for _, c := range []struct {
		l     Law
		words []uint64
		want  float64
	}{
		{Cox2(1, 5, 1), []uint64{half, one, half}, 6 * math.Ln2},
		{Cox2(1, 5, 0), []uint64{half, 0}, math.Ln2},
		{HyperExpMeans(1, 5, 1), []uint64{half, one}, math.Ln2},
		{HyperExpMeans(1, 5, 0), []uint64{half, 0}, 5 * math.Ln2},
		{ExpMean(3), []uint64{one}, 0}, {ErlangMeanPhases(3, 2), []uint64{half, one}, 1.5 * math.Ln2},
		{ExpMean(1), []uint64{0}, 53 * math.Ln2},
		{Uniform{2, 3}, []uint64{one}, 2}, {Uniform{2, 4}, []uint64{half}, 3}, {Deterministic{7}, nil, 7},
		{WeibullMeanShape(1, 2), []uint64{one}, 0}, {LogNormalMeanSCV(1, 1), []uint64{one}, 0}, {Lomax{2, 1}, []uint64{one}, 0},
		{BoundedPareto{1, 4, 1}, []uint64{one}, 1}, {BoundedPareto{1, 4, 1}, []uint64{half}, 1.6},
		{NewEmpirical([]float64{1, 2, 3}), []uint64{one}, 1}, {NewEmpirical([]float64{1, 2, 3}), []uint64{0}, 3},
		{PhaseType([]float64{1, 0}, [][]float64{{-1, 1}, {0, -0.5}}), []uint64{one, half, one, half, one}, 3 * math.Ln2},
		{PhaseType([]float64{0.5}, [][]float64{{-1}}), []uint64{one}, 0},
		{PhaseType([]float64{0.5}, [][]float64{{-1}}), []uint64{half, half, one}, math.Ln2},
		// What rounding leaves of a sum is neither the time 0 nor a way out.
		{tenths, []uint64{one, half, one}, math.Ln2},
		{PhaseType([]float64{1, 0, 0}, [][]float64{{-1.1, 0.4, 0.7}, {0, -1, 0}, {0, 0, -0.5}}), []uint64{half, half, one, half, one}, math.Ln2/1.1 + 2*math.Ln2},
	} {
		rng := &sequence{words: c.words}
		if got := c.l.Sample(rng); !close(got, c.want, 1e-12) || len(rng.words) > 0 {
			t.Errorf("%v draws %v from %x, want %v; %d words are left", c.l, got, c.words, c.want, len(rng.words))
		}
	}
}

// sequence is a source of given words, and panics after the last.
type sequence struct{ words []uint64 }

func (s *sequence) Uint64() uint64 {
	w := s.words[0]
	s.words = s.words[1:]
	return w
}
