package fuzz

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// repeated gives one word again and again, such as the extreme ones, between
// words of a generator, without which a sampler that rejects would never end.
type repeated struct {
	word uint64
	n    int
	rng  *rand.PCG
}

func (r *repeated) Uint64() uint64 {
	if r.n++; r.n%3 != 0 {
		return r.word
	}
	return r.rng.Uint64()
}

// FuzzLaws: a law that a model takes gives times, probabilities and quantiles
// that are some, soon, and so do the laws made of it.
func FuzzLaws(f *testing.F) {
	for kind := range byte(16) {
		f.Add(kind, 2.5, 1.5, 0.5, uint64(0))
		f.Add(kind, 1e-308, 1e308, 1e300, uint64(math.MaxUint64))
		f.Add(kind, 1.001, 1e-3, 1e-9, uint64(1<<63))
		f.Add(kind, 5e-324, 1., math.Inf(1), uint64(1))
	}
	f.Fuzz(func(t *testing.T, kind byte, a, b, x float64, word uint64) {
		started := time.Now()
		l := fuzzedLaw(kind, a, b)
		if spec.LawFaults("a", l) != nil {
			return
		}
		defer func() {
			if took := time.Since(started); took > latest {
				t.Errorf("%v took %v", l, took)
			}
		}()
		soundLaw(t, l, x, word)
		if spread := law.Spread(l); spec.LawFaults("spread", spread) == nil {
			soundLaw(t, spread, x, word)
		}
		for _, theta := range []float64{1e-9, 0.1, 10} {
			if tilted, _, ok := law.Tilt(l, theta/l.Mean()); ok && spec.LawFaults("tilted", tilted) == nil {
				soundLaw(t, tilted, x, word)
			}
		}
		if text, err := law.Marshal(l); err == nil {
			if back, err := law.Unmarshal(text); err != nil || back.String() != l.String() {
				t.Errorf("%v is written as %s and read as %v, %v", l, text, back, err)
			}
		}
	})
}

// soundLaw looks at what samplers and solvers ask of a law.
func soundLaw(t *testing.T, l mjq.Law, x float64, word uint64) {
	words := &repeated{word: word, rng: rand.NewPCG(word, 1)}
	ready := law.Prepare(l)
	for range 9 {
		if s := ready.Sample(words); !(s >= 0 && s <= stream.Longest) {
			t.Errorf("%v gives the sample %v", l, s)
		}
	}
	if v := l.Variance(); v < 0 && v < -1e-9*l.Mean()*l.Mean() || math.IsNaN(v) {
		t.Errorf("%v has the variance %v", l, v)
	}
	for _, at := range []float64{-1, 0, x, x * l.Mean(), l.Mean(), math.Inf(1)} {
		if p := l.Survival(at); !math.IsNaN(at) && !(p >= 0 && p <= 1+1e-12) {
			t.Errorf("%v: P(X > %v) = %v", l, at, p)
		}
	}
	last := 0.0
	for _, p := range []float64{0, 1e-300, 0.01, 0.5, 0.99, 1 - 1e-15, 1} {
		q := l.Quantile(p)
		if !(q >= last*(1-1e-9)) {
			t.Errorf("%v: the %v-quantile %v is below %v, that of a smaller probability", l, p, q, last)
		}
		last = max(last, q)
	}
	// Where the transform has all but vanished it is integrated in seconds.
	for _, s := range []float64{0, 1 / l.Mean(), min(math.Abs(x), 1e6) / l.Mean()} {
		if z := l.Laplace(s); !math.IsNaN(s) && !(z >= 0 && z <= 1+1e-9) {
			t.Errorf("%v: E exp(-%v X) = %v", l, s, z)
		}
	}
}
