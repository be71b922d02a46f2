package replicate

import (
	"math"

	"github.com/mjqueue/mjq/mjq/result"
)

// Target is how narrow an interval is wanted. The zero value wants none.
type Target struct {
	RelErr    float64 // half-width over the absolute value; 0: not asked for
	HalfWidth float64 // 0: not asked for
}

// Met reports whether an interval is narrow enough by all that is asked for. Observations
// that are all 0 show none, however many they are.
func (t Target) Met(e result.Estimate) bool {
	return t != (Target{}) && !nothing(e) && !math.IsNaN(e.HalfWidth) &&
		!(t.RelErr > 0 && e.HalfWidth > t.RelErr*math.Abs(e.Value)) && !(t.HalfWidth > 0 && e.HalfWidth > t.HalfWidth)
}

// nothing reports whether all observations of an estimate are 0, or there are none.
func nothing(e result.Estimate) bool { return e.Value == 0 && e.HalfWidth == 0 }

// patience is how many times as much as before the first look is done while all
// observations are 0: perhaps they always are.
const patience = 4

// Rule is asked after every part whether to end. It calls mean only when it looks.
type Rule func(done int, mean func() result.Estimate) bool

// Rule looks first when so much is done, and then each time after a third more, so
// that the choice of the moment hardly favours intervals that are too narrow. It gives up
// on observations that are all 0.
func (t Target) Rule(first int) Rule {
	next := first
	return func(done int, mean func() result.Estimate) bool {
		if done < next {
			return false
		}
		next = done + done/3
		e := mean()
		return t.Met(e) || nothing(e) && done >= patience*first
	}
}
