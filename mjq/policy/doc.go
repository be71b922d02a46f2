package policy

// # A new policy
//
// It takes two files, and everything else finds it: JSON, the command line, refusals, comparisons and
// the tests that go through all policies.
//
// 1. A file of `mjq/policy`: a type with visible parameters and the methods of `policy.Policy`, and its
//    scheduler. Say in the comment what the pass does, ties included, its source, and what a pass costs:
//    O(classes) or O(log n), never O(queue). `register` takes examples of it in an `init`.
// 2. A function in `mjq/policies.go`.
//
// `Scheduler` gets a `System`: servers or units by type, the kinds of jobs, and the classes with their
// names, needs and mean service times, in a log too. `Validate` names the class and the remedy. A pass
// asks the view what fits (`Fits`), and so serves pools, types of resources and nodes alike; `Types` and
// `Nodes` of its `Properties` say `Served`, or else why not. The scheduler hears of jobs through
// `Arrived`, `Left` and `Reneged`, and through `Shift` if it keeps times. EASY asks a place through
// `outlook` when a kind fits and what may run beside it.
//
// A policy that tells classes apart has levels (`LevelsOf`). If it serves them as a `Priority` does, it
// returns that from `Rules`: closed forms, chains and limits of priorities are then right for it.
// `Order` of its `Properties` names an order that the chains of numbers of jobs know, and the other
// properties say which methods can answer. No package outside asks for the type of a policy.
//
// Its tests:
//
//   - Its definition, with plain lists and no regard for cost, in `twins` of
//     `mjq/internal/events/twin_test.go`: the two must be bit-identical on random logs, and `FuzzTwins`
//     goes on from there. Rows in `typedTwins` and `placedTwins` if its definition carries over; its
//     special cases in `mjq/internal/events/special_test.go`.
//   - Exact values or schedules by another program, if there are any: a name in `named` of
//     `mjq/internal/events/traces_test.go`. `MJQ_VALUES=all go test -run Values ./mjq/internal/events`
//     looks at all systems. A row in `benchmarked` of `mjq/internal/events/speed_test.go`.
