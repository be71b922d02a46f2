package law

// Remaining is the phase-type law of what remains of X when it has lasted for age, the
// law of X - age given X > age, for a law that has phases; see [Phases]. ok is false for
// others, and where X cannot last that long. Cost O(n³ log(age)) for n phases.
func Remaining(l Law, age float64) (remaining PH, ok bool) {
	alpha, a, ok := Phases(l)
	if !ok || !(age >= 0) {
		return PH{}, false
	}
	left, _ := PH{alpha, a}.at(age)
	total := dot(left, ones(len(left)))
	if !(total > 0) {
		return PH{}, false
	}
	for j := range left {
		left[j] /= total
	}
	return PH{left, a}, true
}
