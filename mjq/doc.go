// Package mjq answers questions about the multiserver-job queue: s identical servers, and jobs
// that need several of them at once.
//
// # Words and symbols
//
//	word             symbol  meaning
//	servers          s       identical; a job seizes several together and releases them together
//	need             α       number of servers that a job holds; a in the recurrence
//	service          σ       the time for which it holds them
//	gap              τ       interarrival time: the time between two arrivals
//	rate             λ       arrivals per unit of time
//	limit            λ_c     stability limit: below this rate the queue is stable, above it is not
//	load             ρ       λ/λ_c, the fraction of the limit that AtLoad sets
//	offered load             λ E[α σ]/s, the fraction of servers that is busy in a stable queue
//	waiting          W^α     time from arrival to start, of a job that needs α servers
//	response                 waiting + service, also called sojourn time
//	waste            w_HOL   mean number of servers idle although a job waits (head-of-line blocking)
//	pile             H       height of the saturated system, which never runs out of jobs
//	relaxation       t_r     number of jobs after which the queue has forgotten its state
//
// The unit of time is yours: rates and mean times must agree, nothing else.
//
// # Questions
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
// Answers are exact where theory reaches, and otherwise have confidence intervals. They exist
// for any scheduling policy and any arrivals.
//
// # Model, method, options
//
// A question is data from end to end:
//
//	Model (what) + Method (how) + Options (how well) ─▶ Result ─▶ Table, plots
//
// A Model is a value that never changes: each call returns a copy. Err names everything that is
// wrong with it. A question is a method of Model, or a function of this package if it takes
// several models or policies. It takes ctx first, then required arguments, then options. It
// stops within 100 ms when its context ends, with 10,000 classes within 0.2 s on two cores, and
// returns what it has. It reports Progress. Results are bit-identical for one Seed on any number
// of goroutines.
//
// A Method is a struct with its settings; 0 is the default of each. The methods are Exact,
// Backward, Certified, Dominated, Unbiased, Forward, RareEvent, Simulation, and Pile for the
// stability limit. Without one, mjq chooses, and the answer says what it chose and why.
//
//	r, err := cluster.Solve(ctx, mjq.Exact{MomentsOnly: true})
//	r, err := cluster.Solve(ctx, mjq.Forward{Jobs: 5e6}, mjq.RelErr(0.01), mjq.Seed(7))
//
// Results are plain data with the same fields from every method. A quantity that was not
// computed is unknown: it prints as a dash and is null in JSON. A queue beyond its stability
// limit has infinite waits, which is not an error. Cache keeps answers on disk.
//
// # Other packages
//
// Package plots draws results, and package figure makes the pictures. Package trace reads logs
// of clusters, fits models to them and replays them. Package special has closed forms of
// special queues, package workload the workloads of published papers. Packages law, arrival and
// policy hold the parts of a model, and say how to write your own.
//
// The pages in site/docs/methods say what each method assumes and how far it can be off.
// COMPARISON.md says what other programs offer.
package mjq
