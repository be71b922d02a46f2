package special

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// ProcessingRate is what the rate of completions tends to as the line of a
// divisible resource grows, at some arrival rate.
type ProcessingRate struct {
	Arrivals float64 // λ
	Rate     float64 // ũ(λ), from an eigenvalue if there are at most 500 states, else by the fixed point
	Ratio    float64 // λ/ũ, the ratio of successive probabilities of long lines
	States   []WaitingState
	Classes  []string

	FixedPoint float64 // ũ(λ) by the note's fixed point; NaN if it did not converge
	Sweeps     int     // of the fixed point
	Source     string
	Remembered time.Time // when it was computed, if it was not now; see mjq.Cache
}

// maxDirect is the most states for which the eigenvalue is looked for as well.
const maxDirect = 500

// ProcessingRate is the limiting rate of completions ũ at arrival rate λ with
// the limiting probabilities p̃ of the states, given that many jobs wait. The
// queue is stable if ũ > λ, and at the capacity both are equal: the curve of
// the note's Figure 2. Above it ũ < λ solves the same equations but describes
// no stationary queue.
//
// It is found twice: by the note's fixed point and, with up to 500 states, as the root of an
// equation for the Perron eigenvalue of -diag(rates) + η A2. A2 are the moves made by
// completions, and η = λ/ũ. Both agree to some 1e-12. The fixed point costs a pass over the
// moves per sweep, and some hundred sweeps. At rates below a thousandth of the capacity, and
// with mean times that differ by orders of magnitude, it may not converge in 200,000 sweeps.
// With more than 500 states this is an error. The root costs some 20 factorisations of n³/3
// multiplications for n states. Otherwise the limits are those of Capacity. Options: those of
// every question.
//
// Source: the note's equations (4) and (5) with the limits of (1) to (3).
func (d Divisible) ProcessingRate(ctx context.Context, lambda float64, opts ...mjq.Option) (*ProcessingRate, error) {
	return question[ProcessingRate]{"ProcessingRate", d.key("processing rate", lambda), func(ctx context.Context, progress func(done, total float64)) (*ProcessingRate, error) {
		return d.processingRate(ctx, lambda, progress)
	}, func(p *ProcessingRate, at time.Time) { p.Remembered = at }}.answer(ctx, opts)
}

func (d Divisible) processingRate(ctx context.Context, lambda float64, progress func(done, total float64)) (*ProcessingRate, error) {
	space, err := d.space(ctx, lambda)
	if err != nil {
		return nil, err
	}
	iterated, err := space.fixedPoint(ctx, lambda, progress)
	if err != nil {
		return nil, err
	}
	fixed := iterated.rate
	if !iterated.settled {
		fixed = math.NaN()
	}
	limit, err := best(ctx, space, iterated)
	if err != nil {
		return nil, err
	}
	return &ProcessingRate{Arrivals: lambda, Rate: limit.rate, Ratio: lambda / limit.rate, States: d.states(space, limit.p),
		Classes: d.names(), FixedPoint: fixed, Sweeps: iterated.sweeps, Source: noteSource}, nil
}

// best is the limit from an eigenvalue if there are few states, else the one
// that the fixed point gave, if it did.
func best(ctx context.Context, space *waitingSpace, iterated *limitLaw) (*limitLaw, error) {
	if space.len() <= maxDirect {
		return space.perron(ctx, iterated.arrivals)
	}
	if !iterated.settled {
		return nil, fmt.Errorf("the fixed point has not converged at arrival rate %v after %d sweeps, and %d states are more than %d, the most for an eigenvalue; ask for a higher rate, or use the queue with servers that .Model() gives",
			iterated.arrivals, iterated.sweeps, space.len(), maxDirect)
	}
	return iterated, nil
}

// Table is the limiting law of the states.
func (p *ProcessingRate) Table() *result.Table {
	return stateTable(fmt.Sprintf("Given a long line, at λ = %.6g (ũ = %.10g)", p.Arrivals, p.Rate), p.Classes, p.States)
}
