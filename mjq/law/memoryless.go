package law

// Memoryless is implemented by exponential laws: what has such a law between
// arrivals is a Poisson process. Its Sample must be Mean times [NegLog] of one word's
// [Unit], as that of [Exponential] is, since many are drawn at once without it.
type Memoryless interface {
	// Rate is 1/Mean().
	Rate() float64
}

// MemorylessRate is the rate of a law that is exponential by construction, and says
// so; ok is false for others, also for those that happen to be exponential, such as
// an Erlang law of one phase.
func MemorylessRate(l Law) (rate float64, ok bool) {
	m, ok := ask[Memoryless](l)
	if !ok {
		return 0, false
	}
	return m.Rate(), true
}
