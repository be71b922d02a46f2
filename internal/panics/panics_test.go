package panics

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// waited is the error of a group of three: one that returns, one that ends with
// the context, and f.
func waited(f func()) (err error) {
	defer Catch(&err)
	ctx, stop := context.WithCancel(context.Background())
	g := Group{Stop: stop}
	g.Go(func() {})
	g.Go(func() { <-ctx.Done() })
	g.Go(f)
	g.Wait()
	stop()
	return nil
}

func dive() {
	var empty []int
	empty[len(empty)]++
}

func TestPanicsOfGoroutinesAreErrors(t *testing.T) {
	mine := errors.New("mine")
	for name, c := range map[string]struct {
		f    func()
		want string
		is   error
	}{
		"a value":         {func() { panic("boom") }, "panic: boom;", nil},
		"an error":        {func() { panic(mine) }, "panic: mine;", mine},
		"a runtime error": {dive, "index out of range [0] with length 0", nil},
		"nil":             {func() { panic(nil) }, "panic called with nil argument", nil},
		"an exit":         {runtime.Goexit, "runtime.Goexit was called", errExited},
		"one passed on":   {func() { panic(&Error{Value: 1, In: "the law L"}) }, "the law L panicked: 1;", nil},
	} {
		err := waited(c.f)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		if c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: %v is not the error that was thrown", name, err)
		}
	}
	var e *Error
	if errors.As(waited(dive), &e); !bytes.Contains(e.Stack, []byte("panics.dive")) {
		t.Errorf("the stack does not lead to where it happened:\n%s", e.Stack)
	}
}

func TestGroupWithoutPanics(t *testing.T) {
	var n atomic.Int64
	var g Group
	for range 20 {
		g.Go(func() { n.Add(1) })
	}
	if g.Wait(); n.Load() != 20 {
		t.Errorf("%d of 20 goroutines were waited for", n.Load())
	}
}

func TestCall(t *testing.T) {
	if err := Call(func() {}); err != nil {
		t.Error(err)
	}
	if err := Call(dive); err == nil {
		t.Error("the panic is lost")
	}
}
