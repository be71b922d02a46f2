package panics

import "context"

// Until calls f in a goroutine and returns what it returns, or the error of the context once
// that has ended. f then goes on, and nobody hears what it finds: it is for what cannot be
// interrupted and changes nothing, such as reading from a pipe.
func Until[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	found := make(chan answer, 1)
	go func() {
		var a answer
		if err := Call(func() { a.value, a.err = f() }); err != nil {
			a.err = err
		}
		found <- a
	}()
	select {
	case a := <-found:
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
