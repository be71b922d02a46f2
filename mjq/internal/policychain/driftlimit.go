package policychain

import (
	"context"
	"fmt"
	"math"
)

// DriftLimit is the limit of stability of a queue of two needs under MostServersFirst,
// LeastServersFirst, FirstFit or a quickswap, by the drifts of its walk: the rate of
// arrivals up to which it is stable, and the one from which on it is not, which are the
// same but for 1e-12 of them. Neither is above most, which must bound the limit. It takes
// one to some twenty times the stationary laws of three chains of the phases, which are
// the sets of jobs that can be in service and the steps of passes; more than so many are
// refused with *chain.TooLarge. It fails with *Undetermined if the policy looks at more counts,
// or the drifts leave it open, and with the error of ctx. The arrival rate of the system
// does not matter.
func (q *Queue) DriftLimit(ctx context.Context, most float64, phases int) (low, high float64, err error) {
	w, ok := walkOf(q)
	if !ok {
		return 0, 0, &Undetermined{fmt.Sprintf("no criterion is known for this policy with %d needs", len(q.kinds))}
	}
	w.most = min(phases, MaxDense)
	d, err := newDrifts(ctx, w)
	if err != nil {
		return 0, 0, err
	}
	// The first look is next to the bound, for many policies attain it.
	return crossing(most, most*(1-exactly/2), exactly, func(rate float64) (float64, error) {
		m, err := d.at(ctx, rate)
		if math.IsNaN(m) && err == nil {
			err = &Undetermined{fmt.Sprintf("at rate %.6g the drifts leave it open", rate)}
		}
		return m, err
	})
}

// mostRounds is the most drifts that are looked at; of three at least one halves the width.
const mostRounds = 300

// exactly is the relative width at which a limit is found.
const exactly = 1e-12

// crossing is where a margin changes its sign from minus to plus, between two rates that
// differ by the width given as a part of the bound most. It looks first at next, and then
// goes by secants and halves in turn.
func crossing(most, next, width float64, margin func(rate float64) (float64, error)) (low, high float64, err error) {
	high = most
	below, above := math.NaN(), math.NaN()
	for round := 0; ; round++ {
		m, err := margin(next)
		if err != nil {
			return 0, 0, err
		}
		if m < 0 {
			low, below = next, m
		} else {
			high, above = next, m
		}
		if high-low <= width*most {
			return low, high, nil
		} else if round == mostRounds {
			return 0, 0, fmt.Errorf("the limit did not converge: it lies between %.12g and %.12g", low, high)
		}
		next = (low + high) / 2
		if secant := low + (high-low)*below/(below-above); round%3 != 0 && secant > low && secant < high {
			reach := (high - low) * 1e-3 // beyond it, to have it between
			if round%3 == 1 {
				secant += reach
			} else {
				secant -= reach
			}
			if secant > low && secant < high {
				next = secant
			}
		}
	}
}
