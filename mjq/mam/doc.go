// Package mam holds matrix-analytic methods for queues on the matrices of
// gonum: stationary vectors of Markov chains ([GTH]), the fundamental matrices
// of quasi-birth-and-death processes ([QBD]) and their stationary law behind any
// boundary, those of fluid queues ([Fluid]), phase-type laws and Markovian
// arrival processes, and a few queues solved with them. It needs nothing but
// gonum.
//
// Eliminations of transition rates only add non-negative numbers, so that G, R
// and the shape of every level keep all digits near saturation. What is summed
// over all levels has a relative error of the order of 1e-16/(1-load), as it must
// when the rates themselves are rounded.
package mam
