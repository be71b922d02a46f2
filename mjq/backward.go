package mjq

import (
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
)

// Backward draws independent samples of the stationary queue by Algorithm 1 of Baccelli,
// Olliaro, Ajmone Marsan and Marin (SPS): each sample starts empty ever further in the past
// until doubling the window changes nothing. Samples are independent lower bounds of
// stationary ones.
//
// A batch of samples stops only when all of it agrees (AgreeTogether), as in the authors'
// program; that is what makes the remaining bias small. It shrinks further with a longer
// Window. It does not become small for services of infinite variance, where most doublings
// change nothing and the next may change all: a note of the result says so then, and Forward
// is to be preferred. The recurrence must be monotone, which it is not where classes ask for
// servers by number and others for any.
//
// Cost: about the window, twice, in steps of the recurrence for every sample.
type Backward struct {
	// Samples is how many; the default is 10,000.
	Samples int
	// Window is the first window in jobs. The default holds on average ten jobs of the rarest
	// class, at least 1000 jobs, as Section 7.1 of the paper of Baccelli and others advises. A
	// longer one costs more and is less biased.
	Window int
	// MaxWindow bounds the doubling; the default is 2^27 jobs. Samples that still change there
	// are kept as lower bounds, counted in Run.NotCoalesced and noted.
	MaxWindow int
	// AgreeTogether is how many samples must agree before a batch of them stops; the default is
	// 256. With 1 every sample stops on its own agreement, the rule as the paper prints it.
	// Beware: that is badly biased at high load, because a window too short to have met a rare
	// large job agrees with its double just when that has not met one either. For 1 and 256
	// servers at 0.9 of the limit it gave a mean wait of 197 where the exact value is 330.6.
	AgreeTogether int
	// Device is the processor; see Processor.
	Device Processor
}

func (x Backward) set(a *asked)        { a.by(x) }
func (x Backward) engine() *run.Method { return sampler.Backward }
