//go:build !purego

package lanes

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// Has is whether the processor and the operating system have AVX2, and with it
// multiplications and additions in one (FMA).
var Has = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// Philox puts the two words of Philox4x32-10 at the counters (first, at),
// (first+1, at), ... into w0 and w1, which have the same length, a multiple of 8.
func Philox(w0, w1 []uint64, first, at, key uint64) {
	if len(w0) > 0 {
		_ = w1[len(w0)-1]
		philox(&w0[0], &w1[0], len(w0), first, at, key)
	}
}

// NegLog puts -ln u of the uniform numbers of the words into dst; their number is a
// multiple of 4. The table is that of package law.
func NegLog(dst []float64, words []uint64, table *[257]LogEntry) {
	if len(words) > 0 {
		_ = dst[len(words)-1]
		negLog(&dst[0], &words[0], len(words), &table[0].Centre)
	}
}

// TileRows and TileColumns are the size of a tile.
const TileRows, TileColumns = 4, 12

// Tile adds to a tile of c the product of TileRows rows of a, n numbers each, and a panel
// of n rows of TileColumns numbers that follow each other. Rows of c and a begin so many
// numbers apart. Each number of c is summed in order, by math.FMA.
func Tile(c []float64, cStride int, a []float64, aStride int, panel []float64, n int) {
	if n > 0 {
		_, _, _ = c[(TileRows-1)*cStride+TileColumns-1], a[(TileRows-1)*aStride+n-1], panel[n*TileColumns-1]
		tile(&c[0], cStride, &a[0], aStride, &panel[0], n)
	}
}

// Take lets n jobs arrive in one queue or in four; servers are MostServers at most. A
// job is 24 bytes: the time to the next arrival and the service as float64, the class
// and the need as int32; those of each queue follow Block jobs after those of the last.
func Take(chains int, rows *Rows, servers int, jobs unsafe.Pointer, n int, state *State) {
	switch {
	case n == 0:
	case chains == 1:
		take1(&rows[0][0], vectors(servers), (*byte)(jobs), n, &state.Now[0])
	default:
		take4(&rows[0][0], vectors(servers), (*byte)(jobs), n, &state.Now[0])
	}
}

// Note is Take that also writes the waits, those of each queue Block numbers after
// those of the last, and adds to the sums of the state.
func Note(chains int, rows *Rows, servers int, jobs unsafe.Pointer, n int, state *State, waits *float64) {
	switch {
	case n == 0:
	case chains == 1:
		note1(&rows[0][0], vectors(servers), (*byte)(jobs), n, &state.Now[0], waits)
	default:
		note4(&rows[0][0], vectors(servers), (*byte)(jobs), n, &state.Now[0], waits)
	}
}

// vectors is how many are needed for the servers.
func vectors(servers int) int { return (servers + 3) / 4 }
