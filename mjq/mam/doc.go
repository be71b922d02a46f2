// Package mam holds matrix-analytic methods for queues on the matrices of
// gonum: stationary vectors of Markov chains ([GTH]), the fundamental matrices
// of quasi-birth-and-death processes ([QBD]) and their stationary law behind any
// boundary, phase-type laws and Markovian arrival processes, and a few queues
// solved with them. It needs nothing but gonum.
//
// Every elimination in it is of a chain's transition rates and only adds
// non-negative numbers, so results keep their digits near saturation.
package mam
