// Package panics keeps a panic in a goroutine from ending the process. The
// goroutines of a [Group] hand theirs to the one that waits for them, where the
// function that a user has called turns it into an error with [Catch].
//
// Users' own code runs in our goroutines, such as the Sample of a law or a
// progress callback, and nothing of theirs could recover from a panic there.
package panics

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
)

// Error is a panic as an error: what was passed to panic, and the stack of the
// goroutine at that moment, which Error does not print. Find it with errors.As.
type Error struct {
	Value any    // what was passed to panic
	In    string // whose function panicked, "the law MyLaw(2)"; empty if not known
	Stack []byte // of the goroutine, as runtime/debug prints it
}

// Error says what happened, in a line, and what to do.
func (e *Error) Error() string {
	if e.In != "" {
		return fmt.Sprintf("%s panicked: %v; fix it there (the stack is in the *mjq.Panic of this error)", e.In, e.Value)
	}
	return fmt.Sprintf("panic: %v; a function that was passed in is at fault, or mjq: please report it then, with the stack in the *mjq.Panic of this error", e.Value)
}

// Unwrap is the value, if it is an error.
func (e *Error) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// From is the error of a recovered value. One that came from another goroutine
// keeps the stack of that.
func From(value any, in string) *Error {
	if e, ok := value.(*Error); ok {
		return e
	}
	return &Error{Value: value, In: in, Stack: debug.Stack()}
}

// Catch, deferred, turns a panic of the function into its error.
func Catch(err *error) {
	if v := recover(); v != nil {
		*err = From(v, "")
	}
}

// Call is f(), or the error of its panic.
func Call(f func()) (err error) {
	defer Catch(&err)
	f()
	return nil
}

// errExited stands for the value where a goroutine ended without a panic and
// without a return.
var errExited = errors.New("runtime.Goexit was called in a goroutine of mjq")

// Group is a sync.WaitGroup whose Wait panics, with an *Error, if one of its
// goroutines has. The zero value is ready.
type Group struct {
	// Stop, if not nil, is called at a panic, so that the other goroutines end.
	Stop func()

	wait  sync.WaitGroup
	once  sync.Once
	first *Error
}

// Go calls f in a goroutine.
func (g *Group) Go(f func()) {
	g.wait.Go(func() {
		returned := false
		defer func() {
			v := recover()
			if v == nil && !returned {
				v = errExited
			}
			if v != nil {
				g.once.Do(func() { g.first = From(v, "") })
				if g.Stop != nil {
					g.Stop()
				}
			}
		}()
		f()
		returned = true
	})
}

// Wait waits for all goroutines, and panics if one of them has.
func (g *Group) Wait() {
	g.wait.Wait()
	if g.first != nil {
		panic(g.first)
	}
}
