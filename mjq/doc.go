// Package mjq answers questions about the multiserver-job queue: s identical
// servers, one first-come first-served line with head-of-line blocking, and
// jobs that need several servers at once, which they seize together and
// release together.
//
// # The line
//
// A model is built once and asked many things:
//
//	Builder ─▶ spec.Spec ─▶ method ─▶ result.Result ─▶ result.Table ─▶ plots ─▶ figure
//	 (plain data)   (Fits, Run)   (plain data)
//
// Methods stand beside each other: the saturated system (exact, or the pile) for the
// stability limit; the open system, solved exactly; samplers on a stream of jobs and a
// recurrence; and a simulation by a list of events, which checks the others.
// Model.Methods lists which of them are for a model, and why not the others.
//
//	m := mjq.Must(mjq.Servers(20).
//		Poisson(1.4).                                // or Arrivals(law)
//		Class("small", 1, 0.8, mjq.ExpMean(0.5)).    // name, servers, probability, service law
//		Class("big", 10, 0.2, mjq.ExpMean(3)).
//		Build())
//	st, err := m.Stability().Run(ctx)                           // where does it break down?
//	r, err := m.Sample().Backward().N(100_000).Seed(7).Run(ctx) // how long do jobs wait?
//	r.Class("big").Waiting.Quantile(0.9)                        // with its interval
//
// Answers can be kept on disk and are then there at once when the same is asked again, in
// a later cell or program; the notebooks' kernel does so. See Remember, and Fresh of the
// queries. When its context ends, as widgets.Context does at an interrupt, a verb returns
// what it has, and Must lets that through with its note.
//
// Every verb is a query ended by Run(ctx): it stops within 100 ms of a
// cancellation with what it has, reports through Progress, and gives the same
// digits for the same seed whatever the number of goroutines. Results are plain
// data, with the same fields from every method; what a method does not give is
// NaN. A model beyond its stability limit gives infinite waiting times, not an
// error. What is wrong with a description is named all at once, with the remedy.
//
// # What to ask
//
// Where a queue breaks down:
//
//	m.Stability()             the limit λ_c by the best method; Exact() or Pile() force one
//	m.HeavyTraffic(ctx)       what the saturated system tells about loads near 1
//
// How long jobs wait, without simulation:
//
//	m.Exact()                 Poisson or Markovian arrivals, phase-type services: all moments, distributions
//	OneAndN(n, p, mu1, mun)   jobs of one and of all n servers, in closed form, for any n
//	BrillGreen(l1, l2, mu)    two servers, the tails as sums of exponentials
//	MPareto1(streams...)      one server with Pareto services, as far into the tail as one likes
//	Divisible(total)          amounts that are no whole numbers: Capacity, ProcessingRate, Sojourn
//
// The last four are queues of package special, which says how they are used.
//
// How long jobs wait, for any laws:
//
//	m.Sample().Backward()     independent samples, coupled from the past; lower bounds
//	m.Sample().Certified(eps) exact but for a probability of eps a sample
//	m.Sample().Dominated()    exact, at loads at which one job at a time would do
//	m.Sample().Unbiased()     means and variances without bias, near the limit
//	m.Sample().Forward()      a long run from empty: cheapest
//	m.Sample().Rare(x)        P(W > x), for an x that no run would see
//	m.Simulate()              event list, averages over time: checks the others
//	m.Path()                  one path job by job, for a Gantt chart
//
// Other queues, asked by the same verbs:
//
//	Resources("cpu", 2048).Resources("gpu", 64)  jobs hold several types at once
//	Servers(4).Specific(...)           requests for specific servers
//	m.RandomAssignment()               servers drawn blindly
//
// From measurements, and over grids:
//
//	trace.ReadSWF, ReadCSV    logs of clusters; Build(log.Model(s)) fits (up to three moments), log.Replay(s) runs them as they are
//	trace.ReadTOML, ...       experiments, classes and rates of other programs; ReadClasses for a CSV
//	Sweep(m)                  loads, numbers of servers and laws; parts run on several machines
//	query.Device(GPU)         thousands of chains on a GPU; Auto where there is one; see Devices
//
// Pictures come from package plots, tables from the Table method of each result.
//
// Beside this page lie METHODS.md, with what each method assumes and how far it
// can be off, and COMPARISON.md, with what other programs offer.
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
//	load         ρ       λ / λ_c; AtLoad(0.9) is 0.9 of the limit, which a verb finds when it runs
//	offered load         λ E[α σ] / s, the fraction of servers busy; below the load by blocking
//	relaxation   t_r     jobs that come while the queue forgets its state; see METHODS.md
//	waste                servers idle although a job waits (head-of-line blocking)
//	pile         H       height of the saturated system: what is left to do after a given number of jobs
//	servers      s
//
// The unit of time is the caller's: rates and means must agree, nothing else.
package mjq
