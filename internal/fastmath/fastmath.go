// Package fastmath has the uniform numbers, logarithms and powers that all draws are made
// of: fast, and with the same bits on every machine.
package fastmath

// Unit maps a 64-bit word to a uniform number in (0, 1] with 53 bits: the
// upper ends of 2^53 equal cells. Laws read it as a survival probability, so
// that -log(Unit) is an exponential sample which is never infinite and whose
// tail has the finest resolution.
func Unit(word uint64) float64 {
	return float64(word>>11+1) * 0x1p-53
}
