package mjq

import (
	"context"
	"errors"
	"reflect"

	"github.com/mjqueue/mjq/mjq/internal/problem"
)

// Must returns v, or panics with the error. Use it where an answer goes on into arithmetic, a
// table or a picture, and an error should stop the cell. It lets an interrupted answer through,
// with the note that says so; see widgets.Context.
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

// Panic is a panic that a question has caught and returned as its error. It has the value, the
// law whose code panicked, if it was one, and the stack. Find it with errors.As. Code of yours
// runs in the goroutines of a question, such as the Sample of a law or the function given to
// Progress, and could not recover from a panic there. If no code of yours is in the stack,
// please report a defect.
type Panic = problem.Panic
