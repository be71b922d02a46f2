package law

import (
	"math/rand/v2"

	"github.com/mjqueue/mjq/internal/fastmath"
)

// Sampler draws independent values; see [Law] for what Sample promises.
type Sampler interface {
	Sample(rng rand.Source) float64
}

// Preparer is implemented by laws whose Sample computes something from the
// parameters alone each time.
type Preparer interface {
	// Prepare returns a sampler that has computed it once and draws bit-identical values from
	// the same words. It must be immutable, so that goroutines can share it.
	Prepare() Sampler
}

// Prepare returns a sampler for many draws from one law: that of a [Preparer], else l
// itself. The law must be valid.
func Prepare(l Law) Sampler {
	if p, ok := ask[Preparer](l); ok {
		return p.Prepare()
	}
	return l
}

// unit is the next word of rng as a uniform number in (0, 1], which laws read as a
// survival probability.
func unit(rng rand.Source) float64 { return fastmath.Unit(rng.Uint64()) }
