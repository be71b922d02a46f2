// Package capacity finds the largest arrival rate that any scheduling policy can carry.
//
// A policy runs at each moment some set of jobs that fits, a schedule. In the long run
// schedule x, with x_k jobs of kind k, runs for a part α_x of the time, and jobs of kind k
// bring no more work than is done on them: λ w_k <= Σ α_x x_k, with w_k the service that
// an arriving job brings on average to kind k. The largest λ for which there are such
// parts bounds every policy, preemptive or not, and is attained by some (Tassiulas and
// Ephremides, IEEE Transactions on Automatic Control 37, 1992).
//
// With β = α/λ it is the linear program of cutting stock: the least Σ β_x for which
// Σ β_x x = w, over all schedules, which are far too many to be listed. Columns are
// generated (Gilmore and Gomory, Operations Research 9, 1961): prices y of the kinds say
// of which schedule to try next, that of the largest Σ y_k x_k, a knapsack.
package capacity
