package recurrence

// # A new recurrence
//
// 1. One step in a file of `mjq/internal/recurrence`, which knows neither laws nor models
//    nor streams, and its dense twin written as the equation stands, in a test; both agree
//    job by job on random input. Say where reserved servers idle: that is where papers
//    differ. Code tuned by hand goes to `mjq/internal/recurrence/fast`: the header of its
//    file says what it speeds up and by what factor (`BenchmarkGain`), and a test checks that
//    it is bit-identical to the plain step.
// 2. A line in `mjq/internal/sampling` that feeds it (`mjq/internal/sampling/variant.go`), and the way in: a call
//    in `mjq/describe.go`.
// 3. A special case that is a plain queue must give the plain queue's numbers.
