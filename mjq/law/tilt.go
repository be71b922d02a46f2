package law

import "math"

// Tilter is implemented by laws whose exponentially tilted law is known.
type Tilter interface {
	// Tilt is the law of density proportional to exp(θx) times that of the law,
	// θ > 0, or times that of a law stochastically above it, and ln E exp(θX) of
	// the law that was tilted. ok is false if that is infinite.
	Tilt(theta float64) (tilted Law, logMoment float64, ok bool)
}

// Tilt is a law of density proportional to exp(θx) times that of l, or of a law
// stochastically above l, together with the logarithm of its normalising
// constant E exp(θX); θ > 0. It exists for a [Tilter], for phase-type laws up to
// their abscissa, and for bounded laws, which are first rounded up to the ends
// of cells of at most a two-thousandth of the probability. ok is false for
// other laws and beyond the abscissa.
func Tilt(l Law, theta float64) (tilted Law, logMoment float64, ok bool) {
	if t, is := ask[Tilter](l); is {
		return t.Tilt(theta)
	}
	if alpha, a, is := Phases(l); is {
		return tiltPhases(PhaseType(alpha, a), theta)
	}
	if !math.IsInf(l.Quantile(1), 1) {
		tilted, logMoment = tiltBounded(l, theta)
		return tilted, logMoment, true
	}
	return nil, 0, false
}

// tiltPhases is the h-transform of the chain with h_i = E[exp(θ·time to
// absorption) from i].
func tiltPhases(l PH, theta float64) (Law, float64, bool) {
	n := len(l.Alpha)
	h, ok := l.solve(-theta, l.exits())
	if !ok || math.IsInf(l.Laplace(-theta), 1) {
		return nil, 0, false
	}
	moment := l.atom() + dot(l.Alpha, h)
	alpha, a := zeros(n)
	for i := range a {
		alpha[i] = l.Alpha[i] * h[i] / moment
		for j := range a {
			a[i][j] = l.A[i][j] * h[j] / h[i]
		}
		a[i][i] = l.A[i][i] + theta
	}
	return PH{alpha, a}, math.Log(moment), true
}

// tiltCells is the number of cells that a bounded law is rounded up to; half of
// them halve again and again towards the upper end, where the tilt looks most.
const tiltCells = 2000

// tiltBounded rounds the law up to the ends of cells and reweighs them. The
// reweighed law is drawn by inversion.
func tiltBounded(l Law, theta float64) (Law, float64) {
	var w weighed
	last := 0.0
	add := func(p float64) {
		if p > last {
			w.values = append(w.values, l.Quantile(p))
			w.upTo = append(w.upTo, p-last)
			last = p
		}
	}
	for i := 1; i <= tiltCells/2; i++ {
		add(float64(i) / (tiltCells/2 + 1))
	}
	for tail := (1 - last) / 1.02; tail > 1e-9; tail /= 1.02 {
		add(1 - tail)
	}
	add(1)
	total := 0.0
	for i, x := range w.values {
		total += w.upTo[i] * math.Exp(theta*x)
		w.upTo[i] = total
	}
	for i := range w.upTo {
		w.upTo[i] /= total
	}
	return w, math.Log(total)
}
