// Package mam holds matrix-analytic methods for queues on the matrices of gonum. It has
// stationary vectors of Markov chains ([GTH]), the fundamental matrices of
// quasi-birth-and-death processes ([QBD]) and their stationary law behind any boundary, and
// those of fluid queues ([Fluid]). It also has phase-type laws, Markovian arrival processes,
// and a few queues solved with them. It needs only gonum.
//
// Eliminations of transition rates only add non-negative numbers, so that G, R and the shape of
// every level keep all digits near saturation. Sums over all levels have a relative error of
// the order of 1e-16/(1-load), as it must when the rates themselves are rounded.
package mam
