package oracle

// BirthDeath returns the stationary probabilities of 0, 1, ..., s+room jobs in M/M/s with that room,
// exponential services of mean 1, and jobs that give up at a rate each while they wait.
func BirthDeath(s, room int, rate, leave float64) []float64 {
	p, total := []float64{1}, 1.0
	for n := 1; n <= s+room; n++ {
		p = append(p, p[n-1]*rate/(float64(min(n, s))+leave*float64(max(0, n-s))))
		total += p[n]
	}
	for n := range p {
		p[n] /= total
	}
	return p
}
