package policy

// # A new policy
//
// 1. A file of `mjq/policy`: a type with visible parameters and the methods of
//    `policy.Policy`, and its scheduler. Say in the comment what the pass does, ties
//    included, its source, and what a pass costs: O(classes) or O(log n), never O(queue).
//    It hears of jobs through `Arrived`, `Left` and `Reneged`, and through `Shift` if it keeps
//    times. `Properties` says which methods can answer for it, `Validate` names the class and the
//    remedy. `register` takes examples of it in an `init`: JSON, the command line and the tests
//    that go through all policies know it from there. A function in `mjq/policies.go`.
// 2. Its definition, with plain lists and no regard for cost, in `twins` of
//    `mjq/internal/events/twin_test.go`: the two must be bit-identical on random logs,
//    and `FuzzTwins` goes on from there. Its special cases in `mjq/internal/events/special_test.go`.
// 3. If its definition carries over to several types of resources or to jobs on nodes, `Types` or
//    `Nodes` of its `Properties` say `Served`, and it has a row in `typedTwins` or `placedTwins`;
//    else they say why not.
// 4. Exact values or schedules by another program, if there are any: a name in `named` of
//    `mjq/internal/events/traces_test.go`. `MJQ_VALUES=all go test -run Values ./mjq/internal/events` looks at
//    all systems. A row in `benchmarked` of `mjq/internal/events/speed_test.go`.
