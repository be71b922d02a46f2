package mjq

import (
	"errors"
	"fmt"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// Panic is a panic that a verb has caught and returned as its error, in the
// verb's own goroutine or in one of those that it has started: with the value,
// the law whose code it was, if so, and the stack. Find it with errors.As. The
// code of users runs in these goroutines, such as the Sample of a law or the
// function given to Progress, and could not recover from a panic there. Where no
// code of yours is in the stack, please report it as a defect.
type Panic = panics.Error

// caught, deferred, turns a panic into the error of the verb.
func caught(what string, err *error) {
	v := recover()
	if v == nil {
		return
	}
	failure := panics.From(v, "")
	var sample *stream.BadSample
	if errors.As(failure, &sample) {
		*err = fmt.Errorf("mjq: %s: %w", what, sample)
		return
	}
	*err = fmt.Errorf("mjq: %s: %w", what, failure)
}
