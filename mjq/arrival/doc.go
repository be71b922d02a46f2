package arrival

// # A new arrival process
//
// 1. A type in its own file of `mjq/arrival`, with the methods of `arrival.Process`. Its
//    `Chain` says what a stream draws from; correlation, dispersion, transforms and bounds
//    follow from it. If it has matrices, `Markov`, and then exact solvers can take it.
// 2. Its written form in `written.go` and `read.go`.
// 3. Rows in `all` of `arrival_test.go` and in `processes` of
//    `mjq/internal/stream/arrivals_test.go`, whose tests hold the two representations, the
//    samples and random access against each other; a row in `TestFaultsAreNamed`. A special
//    case that is Poisson belongs into `TestPoissonInDisguise`.
