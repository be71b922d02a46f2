package law

// # A new law
//
// A law and all that it can do are one file of `mjq/law`; no other code has a list of laws.
//
// 1. The type, by the field's name and with visible parameters, and the methods of
//    `law.Law`. Making one never fails, `Validate` does (on `check.Faults`, with
//    `positive`, `finiteTime` and `probability` of `parameters.go`). Sample by inversion if
//    there is an inverse: the samplers then have a fast path, and it is `Survival`'s. A
//    function only where parameters can be given in several ways or have to be prepared.
// 2. In the same file, optional interfaces; `go doc ./mjq/law` lists them and what happens
//    without each. `Phases` and `PhaseCount` serve the exact solvers. `Tilt` serves
//    `Certified` if the law has exponential moments. `TailIndex` is for a law with infinite
//    moments, `Excess` and `Spread` for closed forms. `Prepare` is for a draw that
//    computes something from the parameters alone. `Form`, and `register` of it in an
//    `init`, make it readable and writable as JSON; name the form as the function of step 4.
// 3. A row in `laws` of `law_test.go`, whose harness checks moments, tail, quantiles,
//    transform, samples, units, excess, spread and written form against each other, and one
//    in `TestValidateNamesTheFault`.
// 4. A function in `mjq/laws.go`. Then pin its draws: a row in `pinnedLaws` of
//    `mjq/internal/stream/regress_test.go` and `go test ./mjq/internal/stream -run Pinned -update`,
//    which must only add lines. A row in `fuzzedLaw` of `mjq/internal/tests/fuzz/fuzzlaws_test.go` tries it on
//    whatever parameters come.
//
// For a GPU it takes a kind in `kernels/cuda` and a row in `kernels` of
// `mjq/internal/gpu/laws.go`; for files of other programs a case for `distribution` or a
// row in `families`, if they have the law.
