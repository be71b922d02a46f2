package run

// # A new method
//
// A method answers how long jobs wait, by drawing, simulating or solving.
//
// 1. A sampler's algorithm in `mjq/internal/sampling`, on `System`: it sees a stream and a
//    recurrence, no law and no model. Randomness only through the stream, as a function
//    of replication and job number. A solver's in a package of its own under
//    `mjq/internal`.
// 2. A file in the package of its subject (`exact`, `sampler` or `simulation` of
//    `mjq/internal`) with one `run.Method`. It has a name, what it answers and which settings it
//    takes. `Refuse` says why it is not for a queue, `Plan` what is wrong with its settings,
//    and `Draw` fills a result. List it in `All` of package `methods`;
//    `Model.Methods`, the faults of settings and the sweep know it from there. Package `run`
//    has the parts that all methods share, from finding the stability limit to filling the
//    result; `interval` has the notes on heavy tails.
// 3. A struct in a file of `mjq`, with the documentation, its settings as fields, `set` and
//    `engine`. Its name in `mjq.Methods`, from which JSON and the command line have it. An
//    `Example`, and a page in `site/docs/methods` that says how far its numbers can be off.
//    A new setting is a constant in `mjq/internal/problem/options.go` and a field of the same name, whose zero is
//    the default. A setting of every question is an `Option` instead.
// 4. Tests against `Exact`; one that shows that a broken variant fails; the test that
//    one and several goroutines agree; an interruption; an entry in `rivals` of
//    `mjq/internal/tests/soak/soak_test.go`.
