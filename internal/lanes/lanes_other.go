//go:build !amd64 || purego

package lanes

// Has is whether the processor and the operating system have AVX2.
const Has = false

// Philox is not called where there are no vector units.
func Philox(w0, w1 []uint64, first, at, key uint64) { panic("lanes: no AVX2") }

// NegLog is not called where there are no vector units.
func NegLog(dst []float64, words []uint64, table *[257]LogEntry) { panic("lanes: no AVX2") }
