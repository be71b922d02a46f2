package estimate

import "github.com/mjqueue/mjq/mjq/result"

// Shifted is an estimate of what is larger by x.
func Shifted(e result.Estimate, x float64) result.Estimate {
	if !e.Known() {
		return result.Unknown()
	}
	e.Value += x
	return e
}

// Scaled is an estimate of c times what e is of.
func Scaled(e result.Estimate, c float64) result.Estimate {
	if !e.Known() {
		return result.Unknown()
	}
	e.Value *= c
	e.HalfWidth *= c
	return e
}
