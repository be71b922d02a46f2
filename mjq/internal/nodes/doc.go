// Package nodes solves queues whose servers are units of nodes, as Markov chains: a job takes
// its units on one node, or whole nodes, and does not move once it has started.
//
// A state is what is on the nodes, as a multiset: nodes that hold the same are alike, so that
// their order does not count. The class of the job at the head of the queue is not part of
// it. While that job waits nothing starts, and whatever fits keeps fitting as jobs leave; so
// all that is known of the head is that it does not fit now, and given what is on the nodes
// its class is one of those that do not fit, in proportion to their probabilities (package
// states has the argument for a single pool of servers).
//
// Services are of phase type. A state counts the jobs on each node by phase.
package nodes
