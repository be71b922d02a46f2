// Package chain explores Markov chains whose states are listed one by one, and finds what is
// asked of them: the stationary law, the time until a chain stops with its moments, the law
// after some time, and the blocks of a chain whose layers repeat. SolveLevels takes chains of
// levels alike that have too many states to be listed.
//
// A layer is the number that a chain gives to each of its states, such as the jobs in the
// system. Moves should go to layers nearby: elimination keeps, for each state, as many
// numbers as there are states in the layers that a move can reach.
package chain

import "fmt"

// Move leads to a state at a rate.
type Move struct {
	To   int32
	Rate float64
}

// Chain is a Markov chain whose states are numbered.
type Chain struct {
	Moves  [][]Move  // by state; none leads to the state itself
	Driven [][]Move  // by state, the moves by events whose rate is given later, with their probabilities; nil: there are none
	Stop   []float64 // by state, the rate at which the chain stops there; nil: it never does
	Layers []int32   // by state, from 0 on; nil: all are in one
}

// Limits are what a chain may take; more is an error. While it is explored only the number of
// states counts, unless PerState or PerMove is set.
type Limits struct {
	States, InLayer   int // 0: any number
	Bytes, Flops      float64
	PerState, PerMove float64            // bytes
	Tolerance         float64            // unless 0, sweeps solve what is too large for elimination, up to this relative residual
	ReportStates      func(found int)    // unless nil, is told of the states found
	ReportSolving     func(part float64) // unless nil, is told what part of the solution is done
}

// Size is about how large a chain is, and what its solution takes.
type Size struct {
	States float64 // of a layer that repeats, of the chain with at most so many jobs, or of all
	Levels int     // below the layers that repeat
	Cut    int     // the most jobs of a chain that is cut; else 0
	Bytes  float64 // of memory
	Flops  float64 // operations
}

// TooLarge is the error for a chain beyond the limits.
type TooLarge struct {
	States, Bytes float64
	Layer         int    // the layer that has more states than a layer may; else -1
	Text          string // the sentence of the error
	Remedy        string // the way out, if it is known
}

// Error names the size and the way out.
func (e *TooLarge) Error() string {
	if e.Remedy == "" {
		return e.Text
	}
	return e.Text + "; " + e.Remedy
}

// Large is the error for a chain of so many states and bytes.
func Large(states, bytes float64, format string, args ...any) *TooLarge {
	return &TooLarge{States: states, Bytes: bytes, Layer: -1, Text: fmt.Sprintf(format, args...)}
}

// Out is the error with the way out.
func (e *TooLarge) Out(remedy string) *TooLarge {
	e.Remedy = remedy
	return e
}

// Sized is the error for a solution of a size.
func Sized(states, bytes, flops float64) *TooLarge {
	return Large(states, bytes, "the chain has %.4g states, which take %.2g MB and %.2g operations", states, bytes/1e6, flops)
}

// Slow is the error for sweeps that get no nearer to the law.
type Slow struct {
	States   int
	Residual float64
}

// Error says how near they came.
func (e *Slow) Error() string {
	return fmt.Sprintf("the sweeps over %d states stall at a relative residual of %.2g", e.States, e.Residual)
}

// Endless is the error for states from which the chain does not stop.
type Endless struct{ State int }

// Error names one of them.
func (e *Endless) Error() string {
	return fmt.Sprintf("the chain does not stop from its state %d", e.State)
}
