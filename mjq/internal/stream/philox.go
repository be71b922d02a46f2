package stream

// Philox4x32-10: the counter-based generator of Salmon, Moraes, Dror and Shaw,
// "Parallel random numbers: as easy as 1, 2, 3" (SC 2011). It maps a 128-bit
// counter and a 64-bit key to 128 random bits, so any element of any stream is
// reached at once and in any order. The authors report no failure in TestU01's
// BigCrush from 7 rounds on; we keep the 10 that they recommend. Products of 32
// bits are what vector units and GPUs have.
const (
	multiplier0, multiplier1 = 0xD2511F53, 0xCD9E8D57
	weyl0, weyl1             = 0x9E3779B9, 0xBB67AE85
)

// philox is the pair of words at counter (c0, c1) under the key. The counter's
// and the key's lower halves come first in the order of the authors, and so do
// those of the words.
func philox(c0, c1, key uint64) (uint64, uint64) {
	x0, x1, x2, x3 := uint32(c0), uint32(c0>>32), uint32(c1), uint32(c1>>32)
	k0, k1 := uint32(key), uint32(key>>32)
	for range 10 {
		p0, p1 := multiplier0*uint64(x0), multiplier1*uint64(x2)
		x0, x1 = uint32(p1>>32)^x1^k0, uint32(p1)
		x2, x3 = uint32(p0>>32)^x3^k1, uint32(p0)
		k0 += weyl0
		k1 += weyl1
	}
	return uint64(x0) | uint64(x1)<<32, uint64(x2) | uint64(x3)<<32
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
