package stream

import "math/bits"

// Philox2x64-10: the counter-based generator of Salmon, Moraes, Dror and Shaw,
// "Parallel random numbers: as easy as 1, 2, 3" (SC 2011). It maps a 128-bit
// counter and a 64-bit key to 128 random bits, so any element of any stream is
// reached at once and in any order. The authors report no failure in TestU01's
// BigCrush from 6 rounds on; we keep the 10 that they recommend.
const (
	philoxMultiplier = 0xD2B74407B1CE6E93
	philoxWeyl       = 0x9E3779B97F4A7C15
)

// philox is the pair of words at counter (c0, c1) under the key.
func philox(c0, c1, key uint64) (uint64, uint64) {
	for range 5 { // two rounds a turn
		c0, c1 = round(c0, c1, key)
		key += philoxWeyl
		c0, c1 = round(c0, c1, key)
		key += philoxWeyl
	}
	return c0, c1
}

func round(c0, c1, key uint64) (uint64, uint64) {
	hi, lo := bits.Mul64(philoxMultiplier, c0)
	return hi ^ key ^ c1, lo
}

// purpose separates the random numbers of one job by what they are for, so
// that a law which takes more of them never shifts another's.
type purpose uint64

const (
	forJob         purpose = iota // a word each for the gap and the service, the class in their low bits
	forClass                      // more bits for the class, in one job of a million
	forGap                        // further words of the gap
	forService                    // further words of the service
	forProbe                      // the service of a tagged customer
	forReplication                // of the replication as a whole
	forChoice                     // the servers that a job picks at random
	forProbeChoice                // and those of a tagged customer
	forState                      // the state of the arrivals at a job
	forStart                      // what is left of the services of jobs that are there at the start
)

// Counters hold the job index in one word and, in the other, the replication
// (40 bits), the block of words (20 bits) and the purpose (4 bits).
const (
	blockShift   = 40
	purposeShift = 60
)

// counter is the second word of the counter.
func counter(rep uint64, what purpose, block uint64) uint64 {
	return rep | block<<blockShift | uint64(what)<<purposeShift
}
