// Package exact solves queues without simulation. It is a table of solvers, one answer, and the way
// from the one to the other: a formula or a chain stands in a package of its own, which knows nothing
// of models and results.
//
// To add a solver, write a row:
//
//  1. The mathematics is a package under mjq/internal that takes numbers and gives numbers, with tests
//     against an independent oracle.
//  2. A file here has the row, a *solver: the features of spec.Features that send a queue to it
//     (needs), those that it solves beside (serves), those that it refuses in words of its own
//     (refuses), what else must be so (fits), why a queue is beyond it (faults), its size, and solve,
//     which begins the result by work.begin and returns an Answer.
//  3. The row gets its line in solvers, in solvers.go. A queue goes to the first row that serves all
//     that it has; what no row lists is refused with the words of package problem.
//
// The refusal of mjq.Exact{}, its size, the note of a result, Model.Methods and the planner follow
// from the row.
package exact
