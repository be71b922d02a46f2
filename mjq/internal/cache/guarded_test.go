//go:build unix

package cache

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestFolderIsPrivate: nobody else reads the answers, whatever the umask is.
func TestFolderIsPrivate(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	s := New(filepath.Join(t.TempDir(), "answers"), DefaultBytes)
	s.Put(key(1), answer{Name: "x"})
	for _, path := range []string{s.folder, s.path(key(1))} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
}

// TestStoreTakesNoPipe: a pipe, a folder and a file larger than the store under the name of an
// answer are no answers, and nobody waits for them.
func TestStoreTakesNoPipe(t *testing.T) {
	s := New(t.TempDir(), DefaultBytes)
	for _, err := range []error{syscall.Mkfifo(s.path(key(1)), 0o600), os.Mkdir(s.path(key(2)), 0o700),
		os.WriteFile(s.path(key(3)), []byte(head), 0o600), os.Truncate(s.path(key(3)), 20<<30)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var got answer
	for k := range uint64(4) {
		if _, ok := s.Get(key(k), &got); ok {
			t.Errorf("%d: %v", k, got)
		}
	}
	if err := os.Remove(s.path(key(3))); err != nil { // or it has the others removed
		t.Fatal(err)
	}
	s.Put(key(1), answer{Name: "in place of the pipe"})
	if _, ok := s.Get(key(1), &got); !ok || got.Name != "in place of the pipe" {
		t.Errorf("%v, %v", got, ok)
	}
}
