//go:build !amd64 || purego

package lanes

import "unsafe"

// Has is whether the processor and the operating system have AVX2.
const Has = false

// Philox is not called where there are no vector units.
func Philox(w0, w1 []uint64, first, at, key uint64) { panic("lanes: no AVX2") }

// NegLog is not called where there are no vector units.
func NegLog(dst []float64, words []uint64, table *[257]LogEntry) { panic("lanes: no AVX2") }

// TileRows and TileColumns are the size of a tile.
const TileRows, TileColumns = 4, 12

// Tile is not called where there are no vector units.
func Tile(c []float64, cStride int, a []float64, aStride int, panel []float64, n int) {
	panic("lanes: no AVX2")
}

// Take is not called where there are no vector units.
func Take(chains int, rows *Rows, servers int, jobs unsafe.Pointer, n int, state *State) {
	panic("lanes: no AVX2")
}

// Note is not called where there are no vector units.
func Note(chains int, rows *Rows, servers int, jobs unsafe.Pointer, n int, state *State, waits *float64) {
	panic("lanes: no AVX2")
}
