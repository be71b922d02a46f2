package estimate

// # A new metric
//
// A number that each job shows, such as a slowdown, a lateness or whether it was killed, is one
// row of a table. Simulations, unbiased samples and replays of logs measure what the table names.
// The JSON, the CSV, the pooling of replications and "not computed" follow from the field of the
// result. It takes four files:
//
// 1. `mjq/internal/estimate/measures.go`: a name, a field of `Tally`, and a row of `quantities`
//    (mean, variance and distribution) or of `means` (the mean alone). Say what it is of one job
//    in `Values` or `Add`; what jobs show under every policy goes into `AddPlain`. A `Served` is
//    what you can ask of a job. If a result tells it only when a setting asks for it, the row says so
//    in `asked`.
// 2. `mjq/result/result.go`: the field, with its comment, and a column of the tables if they are to
//    show it.
// 3. A test against a closed form or the solver. `measures_test.go` holds each row against its
//    field; the twins of `mjq/internal/events` hold the engines against each other.
// 4. `CHANGELOG.md`.
//
// A metric that depends on the state that a job meets belongs to the samplers, too, and control
// variates take it along. Name it in `mjq/internal/sampling/layout.go`, with the power of the unit of time
// in which it is measured, and in each row of `rows.go` that has it; no other code counts indices.
// The chains (`mjq/internal/sampling/system.go` and `mjq/internal/sampling/variant.go`) fill the rows, and for a GPU
// the kernel that writes them. A metric that follows from other fields is in
// `mjq/internal/run/finalize.go`.
