//go:build unix

package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// endless gives zeros for ever, and counts them.
type endless struct{ given int64 }

func (e *endless) Read(p []byte) (int, error) {
	e.given += int64(len(p))
	return len(p), nil
}

// TestReadAll: what is too much is not read to its end.
func TestReadAll(t *testing.T) {
	if data, err := ReadAll(strings.NewReader("12345"), 5); err != nil || string(data) != "12345" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := ReadAll(strings.NewReader("123456"), 5); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	var e endless
	if _, err := ReadAll(&e, 1<<20); !errors.Is(err, ErrTooLarge) || e.given > 2<<20 {
		t.Errorf("%v after %d bytes", err, e.given)
	}
}

// TestReadRegular: a pipe, a folder and a file with a hole of 20 GB are errors at once.
func TestReadRegular(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	for _, err := range []error{syscall.Mkfifo(at("pipe"), 0o600), os.Mkdir(at("folder"), 0o700), os.WriteFile(at("hole"), []byte("x"), 0o600),
		os.Truncate(at("hole"), 20<<30), os.WriteFile(at("file"), []byte("12345"), 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"pipe", "folder", "hole", "none"} {
		if data, err := ReadRegular(at(name), 1<<20); err == nil || (name == "none") != errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
	}
	if data, err := ReadRegular(at("file"), 5); err != nil || string(data) != "12345" {
		t.Errorf("%q, %v", data, err)
	}
}
