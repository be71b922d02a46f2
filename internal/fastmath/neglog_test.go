package fastmath

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/internal/lanes"
)

// bigNegLog is -ln u to well beyond double precision, from the series of
// 2·artanh((1-u)/(1+u)) after halving the octave away.
func bigNegLog(u float64) float64 {
	const prec = 200
	frac, exp := math.Frexp(u) // u = frac·2^exp, frac in [0.5, 1)
	artanh := func(x *big.Float) *big.Float {
		sum, term := new(big.Float).SetPrec(prec).Set(x), new(big.Float).SetPrec(prec).Set(x)
		x2 := new(big.Float).SetPrec(prec).Mul(x, x)
		for k := int64(3); k < 130; k += 2 { // |x| ≤ 1/3
			term.Mul(term, x2)
			sum.Add(sum, new(big.Float).SetPrec(prec).Quo(term, new(big.Float).SetInt64(k)))
		}
		return sum.Mul(sum, big.NewFloat(2))
	}
	ratio := func(v float64) *big.Float { // (1-v)/(1+v)
		b := new(big.Float).SetPrec(prec).SetFloat64(v)
		one := big.NewFloat(1).SetPrec(prec)
		return new(big.Float).SetPrec(prec).Quo(new(big.Float).SetPrec(prec).Sub(one, b), new(big.Float).SetPrec(prec).Add(one, b))
	}
	sum := artanh(ratio(frac))
	if bigLn2 == nil {
		bigLn2 = artanh(ratio(0.5))
	}
	sum.Sub(sum, new(big.Float).SetPrec(prec).Mul(bigLn2, new(big.Float).SetInt64(int64(exp))))
	out, _ := sum.Float64()
	return out
}

var bigLn2 *big.Float

func TestNegLogAccuracy(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	us := []float64{1, 1 - 0x1p-53, 1 - 0x1p-40, 0.999, 0.5, 0.5 - 0x1p-54, 0.25, 0x1p-53, 0.9990234375, 0.99804}
	for i := 0; i < 1500; i++ {
		us = append(us, Unit(rng.Uint64()), 1-rng.Float64()*math.Pow(2, -float64(i%50)))
	}
	worst := 0.0
	for _, u := range us {
		got, want := NegLog(u), bigNegLog(u)
		if want == 0 {
			if got != 0 {
				t.Fatalf("NegLog(%v) = %v, want 0", u, got)
			}
			continue
		}
		worst = math.Max(worst, math.Abs(got-want)/want)
	}
	if !(worst < 1e-15) {
		t.Errorf("worst relative error %.2g, documented below 1e-15", worst)
	}
}

// TestNegLogUnits holds the loop and the vector code against the single logarithm,
// bit by bit, in every octave and in the corners of the cells.
func TestNegLogUnits(t *testing.T) {
	words := []uint64{0, math.MaxUint64, 1 << 63, 1<<63 - 1}
	rng := rand.New(rand.NewPCG(2, 1))
	for i := range 20_000 {
		w := rng.Uint64()
		words = append(words, w>>(i%54), ^uint64(0)>>(i%54)-w%3<<11, (w>>44<<44-1<<11)>>(i%54))
	}
	for _, lanes.On = range []bool{false, lanes.Has} {
		for n := range 9 {
			words := words[n:]
			got := make([]float64, len(words)+1)
			got[len(words)] = 7
			NegLogUnits(got, words)
			for i, w := range words {
				if want := NegLog(Unit(w)); got[i] != want {
					t.Fatalf("vector units %v: word %x gives %v, want %v", lanes.On, w, got[i], want)
				}
			}
			if got[len(words)] != 7 {
				t.Error("more was written than there are words")
			}
		}
	}
}

func BenchmarkNegLog(b *testing.B) {
	var us [1024]float64
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range us {
		us[i] = Unit(rng.Uint64())
	}
	sum := 0.0
	b.Run("table", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sum += NegLog(us[i&1023])
		}
	})
	var words [1024]uint64
	for i := range words {
		words[i] = rng.Uint64()
	}
	b.Run("many", func(b *testing.B) {
		for i := 0; i < b.N; i += len(words) {
			negLogUnits(us[:], words[:])
		}
	})
	b.Run("vector", func(b *testing.B) {
		for i := 0; i < b.N; i += len(words) {
			NegLogUnits(us[:], words[:])
		}
	})
	b.Run("math.Log", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sum -= math.Log(us[i&1023])
		}
	})
	if math.IsNaN(sum) {
		b.Fatal("NaN")
	}
}
