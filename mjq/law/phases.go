package law

// Phaser is implemented by phase-type laws, which the exact solvers take.
type Phaser interface {
	// PhaseCount is the number of phases, found without writing the generator
	// out, which may not fit into memory.
	PhaseCount() int
	// Phases is the representation (alpha, A): the time to absorption of a
	// Markov chain that starts in phase i with probability alpha[i] and has
	// the transient generator A. The slices are the caller's own.
	Phases() (alpha []float64, A [][]float64)
}

// MostPhases is the most phases that Phases writes out: a generator of 72 MB.
const MostPhases = 3000

// Phases is the phase-type representation (alpha, A) of a law that has one by
// construction, a [Phaser]: exponential, Erlang, hyperexponential, Cox and
// phase-type. ok is false for the others, and for more than MostPhases phases,
// whose generator would not fit into memory. The slices are the caller's own.
func Phases(l Law) (alpha []float64, A [][]float64, ok bool) {
	p, ok := ask[Phaser](l)
	if !ok || p.PhaseCount() > MostPhases {
		return nil, nil, false
	}
	alpha, A = p.Phases()
	return alpha, A, true
}

// PhaseCount is the number of phases of a law that is phase-type by construction,
// found without writing its generator out. ok is false for other laws.
func PhaseCount(l Law) (n int, ok bool) {
	p, ok := ask[Phaser](l)
	if !ok {
		return 0, false
	}
	return p.PhaseCount(), true
}
