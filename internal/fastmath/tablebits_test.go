package fastmath

import (
	"math"
	"math/big"
	"testing"
)

// TestTableBits: the series of ln, and powers of the entries, in 200 bits.
func TestTableBits(t *testing.T) {
	real := func(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }
	off := func(got float64, want *big.Float) float64 { // in units in the last place
		d, _ := new(big.Float).Sub(real(got), want).Float64()
		return math.Abs(d) / (math.Nextafter(math.Abs(got), 2) - math.Abs(got))
	}
	for i, got := range negLogs {
		// -ln y = 2 artanh z = 2 (z + z³/3 + ...), z = (1-y)/(1+y), which is at most 1/3 here
		y := (1 + float64(i)/logCells) / 2
		z := new(big.Float).Quo(real(1-y), real(1+y))
		term, square, sum := new(big.Float).Add(z, z), new(big.Float).Mul(z, z), real(0)
		for k := 1.0; k < 130; k += 2 {
			sum.Add(sum, new(big.Float).Quo(term, real(k)))
			term.Mul(term, square)
		}
		if d := off(got, sum); d > 1 {
			t.Errorf("-ln %v = %v is off by %.2f units in the last place", y, got, d)
		}
	}
	for i, got := range powers {
		// an error of one unit grows by the power to 128 of them
		power := real(got)
		for range 7 {
			power.Mul(power, power)
		}
		ratio := power.Quo(power, new(big.Float).SetMantExp(real(1), i))
		if d, _ := ratio.Sub(ratio, real(1)).Float64(); math.Abs(d) > expCells*0x1p-52 {
			t.Errorf("2^(%d/%d) = %v, whose power is off by %.3g", i, expCells, got, d)
		}
	}
}
