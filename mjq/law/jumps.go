package law

import "slices"

// Jumper is a law that takes some values with a positive probability each.
type Jumper interface {
	// Jumps are these values, ascending.
	Jumps() []float64
}

// Jumps returns the values at which the survival function of a law jumps, ascending; none for a
// law that does not tell of any. Integrals over it are split there.
func Jumps(l Law) []float64 {
	if j, ok := ask[Jumper](l); ok {
		return j.Jumps()
	}
	return nil
}

// Jumps are the values, each once.
func (l Empirical) Jumps() []float64 { return slices.Compact(slices.Clone(l.Values)) }

// Jumps is the one value.
func (l Deterministic) Jumps() []float64 { return []float64{l.X} }

// Jumps are the values, each once.
func (w weighed) Jumps() []float64 { return slices.Compact(slices.Clone(w.values)) }
