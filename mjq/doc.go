// Package mjq answers questions about the multiserver-job queue: s identical servers, and
// jobs that need several of them at once, which they seize together and release together.
// It finds when such a queue grows without bound, how long jobs wait, what blocking wastes
// and how many servers are enough, under any scheduling policy and any arrivals: exactly
// where theory reaches, else with confidence intervals.
//
//	cluster := mjq.Servers(20).
//		Poisson(1.4).                                // or Arrivals(law), Process(p), Profile ...
//		Class("small", 1, 0.8, mjq.ExpMean(0.5)).    // name, servers, probability, service time
//		Class("big", 10, 0.2, mjq.ExpMean(3))
//	r, err := cluster.Solve(ctx)                 // how long do jobs wait?
//	r.Class("big").Waiting.Quantile(0.9)         // with its interval, where it has one
//	s, err := cluster.Stability(ctx)             // up to which rate is it stable?
//	n, err := cluster.FewestServers(ctx, mjq.MeanWait(0.25))
//
// # Model, method, options
//
// A question is data from end to end:
//
//	Model (what) + Method (how) + Options (how well) ─▶ Result ─▶ Table, plots
//
// A Model is a value that never changes; each call gives a copy, and Err names everything
// that is wrong with it. A question is a method of Model, or a function of this package
// where it takes several: ctx first, then what it cannot do without, options last. It stops
// when its context ends, within 100 ms unless there are thousands of classes, with what it has; it reports Progress; and it gives
// the same digits for the same Seed on any number of goroutines.
//
// A Method is a struct with its settings, each of which is 0 by default: Exact, Backward,
// Certified, Dominated, Unbiased, Forward, RareEvent, Simulation, and Pile for the stability
// limit. Without one a question chooses, and its answer says what it chose and why.
//
//	r, err := cluster.Solve(ctx, mjq.Exact{MomentsOnly: true})
//	r, err := cluster.Solve(ctx, mjq.Forward{Jobs: 5e6}, mjq.RelErr(0.01), mjq.Seed(7))
//
// Results are plain data, with the same fields from every method. What was not computed is
// unknown: it prints as a dash, and is null in JSON. A queue beyond its stability limit has
// infinite waits, which is not an error.
//
// Answers can be kept on disk and are then there at once when the same is asked again, in a
// later cell or program; see Cache, and NoCache.
//
// # Beside this package
//
// Package plots draws results, and package figure makes the pictures. Package trace reads
// logs of clusters, fits models to them and replays them. Package special has closed forms
// of special queues, package workload the workloads of published papers. Packages law,
// arrival and policy hold what a model is described by, and say how to write one's own.
//
// The pages in site/docs/methods say what each method assumes and how far it can be off,
// COMPARISON.md what other programs offer.
//
// # Words and symbols
//
//	word         symbol  meaning
//	waiting      W^α     arrival to start of service, of a job that needs α servers
//	response             waiting + service, also called sojourn time
//	need         α       number of servers that a job seizes; a in the recurrence
//	service      σ       for how long it holds them
//	gap          τ       between two arrivals
//	rate         λ       arrivals per unit of time
//	limit        λ_c     the queue is stable below this rate, and not above
//	load         ρ       λ / λ_c; AtLoad(0.9) is 0.9 of the limit, found when a question is asked
//	offered load         λ E[α σ] / s, the fraction of servers busy; below the load by blocking
//	relaxation   t_r     jobs that come while the queue forgets its state; see site/docs/methods/intervals.md
//	waste                servers idle although a job waits (head-of-line blocking)
//	pile         H       height of the saturated system: what is left to do after a given number of jobs
//	servers      s
//
// The unit of time is the caller's: rates and means must agree, nothing else.
package mjq
