// Package mjq answers questions about the multiserver-job queue: s identical
// servers, one first-come first-served line with head-of-line blocking, and
// jobs that need several servers at once, which they seize together and
// release together.
//
// # The line
//
// A model is built once and asked many things:
//
//	Model ─▶ stream ─▶ workload recurrence ─▶ estimate ─▶ Result ─▶ Table ─▶ figure
//	  ├────▶ saturated system (the pile) ──────────────▶ Stability
//	  └────▶ event-list simulation (the oracle) ───────▶ Result
//
//	m := mjq.Must(mjq.Servers(20).
//		Poisson(1.4).
//		Class("small", 1, 0.8, mjq.ExpMean(0.5)).
//		Class("big", 10, 0.2, mjq.ExpMean(3)).
//		Build())
//	st, err := m.Stability().Run(ctx)                          // where does it break down?
//	r, err := m.Sample().Backward().N(100_000).Seed(7).Run(ctx) // how long do jobs wait?
//	r.Class("big").Waiting.Quantile(0.9)
//	m.Sample().Certified(1e-6) // exact but for a probability of 10^-6 a sample
//	m.Sample().Unbiased()      // means and variances without bias, near the limit
//	mjq.Resources("cpu", 2048, "gpu", 64) // types of resources: see Cluster
//	mjq.Servers(4).Specific("licence", mjq.Pick{Any: 1, Named: []int{1}}, 1, mjq.ExpMean(1))
//	m.RandomAssignment()
//
// Every verb is a query ended by Run(ctx): it stops within 100 ms of a
// cancellation with what it has, reports through Progress, and gives the same
// digits for the same seed whatever the number of goroutines. Results are plain
// data.
//
// # Words and symbols
//
//	waiting    arrival to start of service, W^α in the papers
//	response   waiting + service, also called sojourn time
//	need       number of servers a job seizes, α
//	rate       arrivals per unit of time, λ; the stability limit is λ_c
//	waste      servers idle although a job waits (head-of-line blocking)
//
// The unit of time is the caller's: rates and means must agree, nothing else.
package mjq
