package fastmath

import "math"

// expCells is the number of table cells per octave in Exp: enough that a
// polynomial of degree 5 is exact to the last bit or so.
const expCells = 128

// expTable holds the bits of 2^(i/128).
var expTable = func() (t [expCells]uint64) {
	for i := range t {
		t[i] = math.Float64bits(powers[i])
	}
	return t
}()

// ln 2/128 in two parts: the first has so few bits that its multiples below 2^17
// are exact.
const (
	expStepHigh = 0x1.62e42fefp-8
	expStepLow  = math.Ln2/expCells - expStepHigh
)

// expRange is where Exp can take its short way: far from overflow and from
// numbers of less than full precision.
const expRange = 700

// Exp is e^x with a relative error below 4e-16, about half the price of
// math.Exp within ±700 and equal to it beyond. The products are rounded by
// themselves, so that all machines give the same bits there.
func Exp(x float64) float64 {
	if !(x > -expRange && x < expRange) {
		return math.Exp(x)
	}
	// Adding 3·2^51 leaves x·128/ln 2, rounded, in the low bits.
	const shift = 0x1.8p52
	shifted := float64(x*(expCells/math.Ln2)) + shift
	k := math.Float64bits(shifted)
	cells := shifted - shift
	r := (x - float64(cells*expStepHigh)) - float64(cells*expStepLow)
	r2 := float64(r * r)
	p := r + float64(r2*(0.5+float64(r*(1.0/6)))) + float64(float64(r2*r2)*(1.0/24+float64(r*(1.0/120))))
	scale := math.Float64frombits(expTable[k%expCells] + k/expCells<<52)
	return scale + float64(scale*p)
}
