package fastmath

import (
	"math"

	"github.com/mjqueue/mjq/internal/lanes"
)

// logCells is the number of table cells per octave in NegLog: enough that a
// polynomial of degree 5 in the distance to the cell's centre is exact to the
// last bit or so.
const logCells = 256

// logTable holds, for the cell centre c = 1 + i/256, the triple c, 1/c and
// -ln(c/2). The factor one half puts the last entry at exactly 0: samples near
// u = 1, which are near 0, then keep their relative accuracy.
var logTable = func() (t [logCells + 1]lanes.LogEntry) {
	for i := range t {
		c := 1 + float64(i)/logCells
		t[i] = lanes.LogEntry{Centre: c, Inverse: 1 / c, NegLog: negLogs[i]}
	}
	return t
}()

// octaveLog holds -e·ln 2 for the exponent e = i - 1022 of u, i below 1024.
var octaveLog = func() (t [1024]float64) {
	for i := range t {
		t[i] = float64(1022-i) * math.Ln2
	}
	return t
}()

// NegLog is -ln u for u in (0, 1], with a relative error below 1e-15. It is
// about half the price of math.Log and, being additions and multiplications
// that are each rounded by themselves, gives the same bits on every machine and
// in a GPU kernel that does not contract them. Subnormal u, 0, and u > 1 are outside its domain.
func NegLog(u float64) float64 {
	bits := math.Float64bits(u)
	mantissa := bits & (1<<52 - 1)
	t := &logTable[(mantissa+1<<43)>>44] // nearest of 0..256
	// u = m·2^e with m in [1, 2); the difference to the centre is exact.
	r := (math.Float64frombits(mantissa|0x3ff<<52) - t.Centre) * t.Inverse
	r2 := float64(r * r)
	p := r - float64(r2*((0.5-float64(r*(1.0/3)))+float64(r2*((0.25-float64(r*0.2))+float64(r2*(1.0/6))))))
	return t.NegLog + octaveLog[bits>>52&1023] - p
}

// unitLog holds -e·ln 2 for the exponent e of u, by the biased exponent of the
// whole number u·2^53 modulo 64.
var unitLog = func() (t [64]float64) {
	for i := range 54 {
		t[(1023+i)%64] = float64(52-i) * math.Ln2
	}
	return t
}()

// NegLogUnits puts NegLog(Unit(word)), to the last bit, into dst for every word;
// dst is at least as long as words. Vector units take four at a time, where there are
// any (AVX2).
func NegLogUnits(dst []float64, words []uint64) {
	done := 0
	if lanes.On {
		done = len(words) &^ 3
		lanes.NegLog(dst[:done], words[:done], &logTable)
	}
	negLogUnits(dst[done:], words[done:])
}

// negLogUnits is NegLogUnits in plain Go. A loop without calls lets the processor
// work at several logarithms at once: about half the time of one by one.
func negLogUnits(dst []float64, words []uint64) {
	dst = dst[:len(words)]
	for i, w := range words {
		// u·2^53 has the mantissa of u.
		bits := math.Float64bits(float64(int64(w>>11 + 1)))
		mantissa := bits & (1<<52 - 1)
		t := &logTable[(mantissa+1<<43)>>44]
		r := (math.Float64frombits(mantissa|0x3ff<<52) - t.Centre) * t.Inverse
		r2 := float64(r * r)
		p := r - float64(r2*((0.5-float64(r*(1.0/3)))+float64(r2*((0.25-float64(r*0.2))+float64(r2*(1.0/6))))))
		dst[i] = t.NegLog + unitLog[bits>>52&63] - p
	}
}

// LogTable is the table behind [NegLog], for a device that draws the same bits:
// 257 cells of the centre c = 1 + i/256, 1/c and -ln(c/2).
func LogTable() []float64 {
	var table []float64
	for _, cell := range logTable {
		table = append(table, cell.Centre, cell.Inverse, cell.NegLog)
	}
	return table
}
