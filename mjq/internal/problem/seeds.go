package problem

// The default seed of every method that draws random numbers. No two are equal,
// so that two methods asked without a seed see different jobs and one checks the
// other; they are large, so that a seed chosen by hand seldom meets one of them.
// Seed gives the same jobs to all. Run.Seed of a result, and Seed of a
// Stability, say which was used.
const (
	SeedPile uint64 = 1_000_001 + iota
	SeedBackward
	SeedForward
	SeedCertified
	SeedUnbiased
	SeedDominated
	SeedSimulate
	SeedPath
	SweepSeed
	SeedRare
	SeedTrial // and those after it
)
