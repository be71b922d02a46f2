// Package finite solves Markov chains with a finite number of states that are listed one by
// one: what can be reached from a first state is found, put into layers, and the stationary
// law computed by elimination without subtraction.
//
// A layer is the number that a chain gives to each of its states, such as the jobs in the
// system. Moves should go to layers nearby: the elimination keeps, for each state, as many
// numbers as there are states in the layers that a move can reach.
package finite

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Chain is a Markov chain whose states are strings, such as lists of counts.
type Chain struct {
	First string
	// Layer is the layer of a state, from 0 on.
	Layer func(state string) int
	// Moves calls to with every state that the chain goes to from a state, and the rate. A
	// state may come more than once; one that comes from itself is left out.
	Moves func(state string, to func(state string, rate float64))
}

// Law is the stationary law of a chain, with its states in the order of their layers.
type Law struct {
	States   []string
	P        []float64
	Residual float64 // of sweeps, relative; 0 of elimination, which has rounding only
}

// Each calls f with every state and its probability.
func (l *Law) Each(f func(state string, p float64)) {
	for i, s := range l.States {
		f(s, l.P[i])
	}
}

// Limits are what a chain may take; more is an error.
type Limits struct {
	States        int
	Bytes, Flops  float64
	Tolerance     float64            // unless 0, sweeps solve what is too large for elimination, up to this relative residual
	ReportStates  func(found int)    // unless nil, is told of the states found
	ReportSolving func(part float64) // unless nil, is told what part of the elimination is done
}

// TooLarge is the error for a chain beyond the limits.
type TooLarge struct{ States, Bytes, Flops float64 }

// Error names the size.
func (e *TooLarge) Error() string {
	if e.Bytes == 0 {
		return fmt.Sprintf("the chain has more than %.4g states", e.States)
	}
	return fmt.Sprintf("the chain has %.4g states, which take %.2g MB and %.2g operations", e.States, e.Bytes/1e6, e.Flops)
}

// Solve finds the stationary law. All states must lead back to the first. It fails with
// *TooLarge, and with the cause of the end of ctx.
func (c *Chain) Solve(ctx context.Context, most Limits) (*Law, error) {
	x, err := c.explore(ctx, most)
	if err != nil {
		return nil, err
	}
	p, err := x.eliminate(ctx, most)
	if large := new(TooLarge); most.Tolerance > 0 && errors.As(err, &large) {
		p, residual, err := x.sweep(ctx, most)
		return &Law{x.states, p, residual}, err
	}
	if err != nil {
		return nil, err
	}
	return &Law{States: x.states, P: p}, nil
}

// explored is a chain with its states listed.
type explored struct {
	states []string
	moves  [][]move // by state
	layer  []int    // by state, not descending
	starts []int    // by layer, its first state, and one more
}

type move struct {
	to   int32
	rate float64
}

// explore lists the states.
func (c *Chain) explore(ctx context.Context, most Limits) (*explored, error) {
	x := &explored{states: []string{c.First}}
	number := map[string]int32{c.First: 0}
	for i := 0; i < len(x.states); i++ {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if i%1024 == 0 && most.ReportStates != nil {
			most.ReportStates(len(x.states))
		}
		var moves []move
		c.Moves(x.states[i], func(to string, rate float64) {
			k, known := number[to]
			if !known {
				k = int32(len(x.states))
				number[to] = k
				x.states = append(x.states, to)
			}
			if int(k) != i && rate > 0 {
				moves = append(moves, move{k, rate})
			}
		})
		x.moves = append(x.moves, moves)
		if len(x.states) > most.States {
			return nil, &TooLarge{States: float64(most.States)}
		}
	}
	x.sort(c.Layer)
	return x, nil
}

// sort puts the states in the order of their layers.
func (x *explored) sort(layer func(string) int) {
	n := len(x.states)
	of, order := make([]int, n), make([]int32, n)
	for i, s := range x.states {
		of[i], order[i] = layer(s), int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return of[a] - of[b] })
	place := make([]int32, n)
	states, moves := make([]string, n), make([][]move, n)
	x.layer = make([]int, n)
	for i, old := range order {
		place[old] = int32(i)
		states[i], moves[i], x.layer[i] = x.states[old], x.moves[old], of[old]
		for len(x.starts) <= of[old] {
			x.starts = append(x.starts, i)
		}
	}
	for _, list := range moves {
		for k := range list {
			list[k].to = place[list[k].to]
		}
	}
	x.states, x.moves, x.starts = states, moves, append(x.starts, n)
}

// errAbsorbing is the error for states from which the chain does not come back.
var errAbsorbing = errors.New("finite: a state does not lead back to the first")
