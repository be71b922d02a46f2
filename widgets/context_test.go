package widgets

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestContextEndsAtTheFirstInterrupt interrupts a program twice: it sees the first one as
// the end of its context, and the second one ends it.
func TestContextEndsAtTheFirstInterrupt(t *testing.T) {
	if os.Getenv("MJQ_INTERRUPTED") == "1" {
		interruptMyself(t)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestContextEndsAtTheFirstInterrupt$")
	cmd.Env = append(os.Environ(), "MJQ_INTERRUPTED=1")
	out, err := cmd.CombinedOutput()
	if failed := (*exec.ExitError)(nil); !errors.As(err, &failed) || !strings.Contains(failed.String(), "interrupt") {
		t.Errorf("the second interrupt: %v, want that it ends the program", err)
	}
	if !strings.Contains(string(out), "went on") || strings.Contains(string(out), "still there") {
		t.Errorf("it printed %q", out)
	}
}

func interruptMyself(t *testing.T) {
	ctx := Context()
	if ctx.Err() != nil || Context() != ctx {
		t.Fatal("a context that has ended, or several")
	}
	me, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := me.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
	if cause := context.Cause(ctx); !errors.Is(cause, ErrInterrupted) || !errors.Is(cause, context.Canceled) {
		t.Fatalf("the cause is %v", cause)
	}
	os.Stdout.WriteString("went on\n")
	for range 600 { // the signal's usual effect needs a moment
		if err := me.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	os.Stdout.WriteString("still there\n")
}
