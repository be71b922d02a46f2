package widgets

import (
	"context"
	"os"
	"os/signal"
	"sync"

	"github.com/mjqueue/mjq/internal/panics"
)

// Context is the context for queries in a notebook: it ends when the cell is interrupted,
// in JupyterLab by I, I or the square above the notebook. Queries then return what they
// have, mjq.Must lets that through with its note, and the rest of the cell runs and shows
// it. A second interrupt ends the cell.
//
//	var ctx = widgets.Context()
//
// stands in the first cell, and every later cell gets a context of its own. All calls in
// one program share one. Outside a notebook it ends in the same way by Ctrl-C.
func Context() context.Context { return interruptible() }

// ErrInterrupted is the cause of the end of Context. It is a context.Canceled.
var ErrInterrupted error = interruption{}

type interruption struct{}

func (interruption) Error() string        { return "stopped by an interrupt" }
func (interruption) Is(target error) bool { return target == context.Canceled }

// interruptible is made at the first call, for a program that never asks for it is to end
// at its first interrupt.
var interruptible = sync.OnceValue(func() context.Context {
	ctx, end := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	wait := func() {
		<-signals
		signal.Stop(signals) // the next one has its usual effect
		end(ErrInterrupted)
	}
	go panics.Call(wait)
	return ctx
})
