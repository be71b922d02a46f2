package sampling

import "context"

// Device runs chains elsewhere than on the processor's cores, many at a time
// and on the same randomness, so that samples are the same but for rounding.
// It belongs to one run. Every call stops soon after ctx ends, with its error.
type Device interface {
	// Room is how many chains it takes at once.
	Room() int
	// Backward runs the window before job 0 for the given replications. With
	// before, the work that each saw with half the window, it runs the chain
	// of half the window alongside until they couple.
	Backward(ctx context.Context, reps []uint64, window int64, before []float64) (*Met, error)
	// Certified runs, for the given replications, the two chains that close in
	// on a sample: the upper one begins occupied until above plus the height of
	// the pile of the block jobs before the window.
	Certified(ctx context.Context, reps []uint64, window, block int64, above float64) (*Squeezed, error)
	// Forward runs n replications from number first on from an empty start, and notes
	// what they have shown at the ends of so many parts of the path, 0 for none. When ctx ends
	// it returns the paths as far as all have come, if that is a part in Parts of them.
	Forward(ctx context.Context, first uint64, n int, warmUp, jobs int64, parts int) (*Recorded, error)
	// Paths runs chains that are looked at every few jobs, and has show called for every
	// look, for those of one path in order.
	Paths(ctx context.Context, p *Paths, show func(path int, l *Look)) (steps []int64, err error)
	// Pile grows n towers up to job index to; they stay between calls.
	Pile(ctx context.Context, n int, warmUp, to int64) (*Heights, error)
}

// Met is what backward chains have met at job 0.
type Met struct {
	// Kept says that the chain coupled with that of half the window: its
	// sample stays, and Rows has nothing for it. Changed says that it differs.
	Kept, Changed []bool
	Rows          Rows
	Steps         []int64 // of the recurrence, by chain
}

// Squeezed is how pairs of chains have ended.
type Squeezed struct {
	Met   []bool // they did, so that there is a sample in Rows
	Rows  Rows
	Steps []int64 // of the recurrence, by pair
}

// Rows holds what each of n chains has seen, in the layout of StateRow: the
// quantity at index k of chain i stands at [kn + i].
type Rows []float64

// Recorded is what forward chains have recorded.
type Recorded struct {
	Jobs int64 // of each chain, after the warm-up
	// Sums holds sums over the recorded jobs in the layout of RecordedRow: the
	// quantity at index k of chain i of n stands at [kn + i].
	Sums []float64
	HOL  []float64 // by chain, head-of-line server-time of the recorded jobs
	// Cells holds for every class the histogram of the positive waits of all
	// chains, then that of the positive responses, from 2^-40 times 2^Octave on.
	Cells  [][]uint64
	Octave int
	// Parts holds what was noted of the paths in the layout of AccountRow: the
	// quantity at index k after part p of chain i of n stands at [(p·len+k)n + i]. There
	// are Turns[i] of chain i.
	Parts []float64
	Turns []int
}

// Paths are chains that run from an empty start before job 0 to job Follow, looked at
// every By jobs from job 0 on. As pairs they are run with a second chain, which begins
// half as long before job 0; a path then ends where both are the same.
type Paths struct {
	Reps       []uint64
	From       []int64 // by path: its first job
	Pairs      bool
	By, Follow int64
}

// Look is what a chain shows: the rows have the layout of StateRow. They are valid
// until show returns.
type Look struct {
	Long  []float64
	Short []float64 // of the second chain
	Came  []float64 // if there is none: since the last look, in the layout of LedgerRow
}

// Heights is how far towers have grown.
type Heights struct {
	// Base and Now hold the heights after the warm-up and now, for tower i of n
	// and part p of its pile at [pn + i].
	Base, Now []float64
	// Sums holds sums over the jobs since the warm-up in the layout of GrowthRow:
	// the quantity at index k of tower i of n stands at [kn + i].
	Sums []float64
}
