package oracle

import (
	"os"
	"testing"
)

// Long skips a test that takes long unless the environment variable MJQ_LONG is set, as
// "make sizes" does. The text instead names what runs always and shows nearly the same.
func Long(t testing.TB, instead string) {
	t.Helper()
	if !long() {
		t.Skip("runs with MJQ_LONG=1; always runs:", instead)
	}
}

// Sized returns how much a test computes: the full size with MJQ_LONG, else the usual one.
func Sized(usual, full int) int {
	if long() {
		return full
	}
	return usual
}

func long() bool { return os.Getenv("MJQ_LONG") != "" }
