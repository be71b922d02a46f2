package widgets

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/internal/progress"
)

// Context is the context for queries in a notebook: it ends when the cell is interrupted,
// in JupyterLab by I, I or the square above the notebook. Queries then return what they
// have, mjq.Must lets that through with its note, and the rest of the cell runs and shows
// it. A second interrupt ends the cell.
//
//	var ctx = widgets.Context()
//
// stands in the first cell, and every later cell gets a context of its own; the kernel
// "Go (mjq)" declares ctx by itself. All calls in one program share one. Outside a notebook it
// ends in the same way by Ctrl-C.
//
// In a notebook a question that takes more than a second shows a bar: what it does, the time
// it has taken and may still take, and the mean wait as far as it is known. mjq.Progress(nil)
// turns the bar off.
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
	if !gonbui.IsNotebook || os.Getenv("MJQ_CHECKS") != "" { // or a notebook is run for its outputs
		return ctx
	}
	id := "mjq_progress_" + gonbui.UniqueId()
	b := &bar{now: time.Now, write: func(text string) { gonbui.UpdateHTML(id, text) }}
	return progress.With(ctx, b.report)
})
