package mjq

import (
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
)

// Backward draws independent samples of the stationary queue by coupling from the past. Each
// sample starts empty ever further in the past, until doubling the window changes nothing.
// Samples are lower bounds of stationary ones.
//
// A batch of samples stops only when all of it agrees (AgreeTogether), which makes the
// remaining bias small. A longer Window makes it smaller. With service times of infinite
// variance the bias stays large; a note of the result then says so, and you should use Forward.
// Classes that name their servers and classes that do not must not mix, because the recurrence
// is then not monotone.
//
// Cost: twice the window, in steps of the recurrence, for every sample.
//
// Source: Algorithm 1 (SPS) of Baccelli, Olliaro, Ajmone Marsan and Marin, with the batch rule
// of the authors' program.
type Backward struct {
	// Samples is the number of samples; the default is 10,000.
	Samples int
	// Window is the first window in jobs. The default holds on average ten jobs of the rarest
	// class, and at least 1000 jobs (Section 7.1 of the paper). A longer one costs more and is
	// less biased. Example: Backward{Window: 100_000}.
	Window int
	// MaxWindow bounds the doubling; the default is 2^27 jobs. Samples that still change there
	// are kept as lower bounds, counted in Run.NotCoalesced and noted.
	MaxWindow int
	// AgreeTogether is the number of samples that must agree before a batch of them stops; the
	// default is 256. With 1 every sample stops on its own, the rule as the paper prints it.
	// That rule is badly biased at high load: a window without a rare large job agrees with its
	// double if that has none either. On 1 and 256 servers at 0.9 of the limit it gave a mean
	// wait of 197; the exact value is 330.6.
	AgreeTogether int
	// Device is the processor; see Processor.
	Device Processor
}

func (x Backward) set(a *asked)       { a.by(x) }
func (x Backward) engine() run.Method { return sampler.Backward(x) }
