// Package exact solves queues without simulation. It is a table of solvers, one answer, and the way
// from the one to the other: a formula or a chain stands in a package of its own, which knows nothing
// of models and results.
package exact

// # A new exact solution
//
// It takes two places. What `mjq.Exact{}` refuses, its size, the result and its notes, `Model.Methods`
// and the planner follow from the row.
//
// 1. The mathematics is a package under `mjq/internal` that takes numbers and gives numbers, with
//    tests against an independent oracle; `chain` explores and solves, `queue` knows rooms and lines.
// 2. A file here has the row, a `*solver` listed in `solvers` of `mjq/internal/exact/solvers.go`: the
//    features of `spec.Features` that send a queue to it (`needs`), those that it solves beside
//    (`serves`), those that it refuses in words of its own (`refuses`), what else must be so (`fits`),
//    why a queue is beyond it (`faults`), its `size`, and `solve`, which begins the result by
//    `work.begin` and returns an `Answer`. A queue goes to the first row that serves all that it has;
//    what no row lists is refused in the words of `mjq/spec/features.go`.
