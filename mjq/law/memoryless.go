package law

// Memoryless is implemented by exponential laws: arrivals with such gaps are a Poisson process.
// Sample must be bit-identical to that of [Exponential] with the same mean, because the stream
// draws many such times at once without it.
type Memoryless interface {
	// Rate is 1/Mean().
	Rate() float64
}

// MemorylessRate is the rate of a law that is [Memoryless]. ok is false for all others,
// even if they happen to be exponential, such as an Erlang law of one phase.
func MemorylessRate(l Law) (rate float64, ok bool) {
	m, ok := ask[Memoryless](l)
	if !ok {
		return 0, false
	}
	return m.Rate(), true
}
