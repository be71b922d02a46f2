package mjq

import (
	"context"
	"errors"
	"reflect"

	"github.com/mjqueue/mjq/mjq/internal/problem"
)

// Must is v, or a panic with the error: where an answer goes on into arithmetic, a table or a
// picture, and a fault should stop the cell. What a question has when its context ends is let
// through, with the note that says so; see widgets.Context.
func Must[T any](v T, err error) T {
	if err != nil && !stopped(v, err) {
		panic(err)
	}
	return v
}

// stopped reports whether it was the end of a context that ended a question, which has left
// something. It is apart because a generic function is compiled anew in every cell.
func stopped(v any, err error) bool {
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	return ended && v != nil && !reflect.ValueOf(v).IsZero()
}

// Panic is a panic that a question has caught and returned as its error, in the question's own
// goroutine or in one of those that it has started: with the value, the law whose code it was,
// if so, and the stack. Find it with errors.As. The code of users runs in these goroutines,
// such as the Sample of a law or the function given to Progress, and could not recover from a
// panic there. Where no code of yours is in the stack, please report it as a defect.
type Panic = problem.Panic
