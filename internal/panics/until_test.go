package panics

import (
	"context"
	"errors"
	"testing"
)

// TestUntil: what f returns, the end of the context before it, and a panic as an error.
func TestUntil(t *testing.T) {
	wrong := errors.New("wrong")
	if n, err := Until(t.Context(), func() (int, error) { return 3, wrong }); n != 3 || !errors.Is(err, wrong) {
		t.Errorf("%d, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	never := make(chan int)
	defer close(never)
	if n, err := Until(ctx, func() (int, error) { cancel(); return <-never, nil }); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d, %v", n, err)
	}
	var panicked *Error
	if _, err := Until(t.Context(), func() (int, error) { panic("at fault") }); !errors.As(err, &panicked) || panicked.Value != "at fault" {
		t.Error(err)
	}
}
