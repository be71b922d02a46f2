//go:build unix

package files

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// content reads a file and its permissions.
func content(t *testing.T, file string) (string, os.FileMode) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), info.Mode().Perm()
}

// TestPermissions: a new file has what the umask leaves, an old one what it had.
func TestPermissions(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	file := filepath.Join(t.TempDir(), "f")
	if err := Write(file, []byte("1")); err != nil {
		t.Fatal(err)
	}
	if text, mode := content(t, file); text != "1" || mode != 0o640 {
		t.Errorf("%q, %o", text, mode)
	}
	for _, mode := range []os.FileMode{0o600, 0o666, 0o644, 0o400 | 0o200, 0o755} {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		if err := Write(file, []byte("2")); err != nil {
			t.Fatal(err)
		}
		if text, now := content(t, file); text != "2" || now != mode {
			t.Errorf("%q, %o in place of %o", text, now, mode)
		}
	}
}

// TestReadOnly: a read-only file stays, and nothing is left beside it.
func TestReadOnly(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "f")
	if err := os.WriteFile(file, []byte("old"), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := Write(file, []byte("new")); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Error(err)
	}
	if text, mode := content(t, file); text != "old" || mode != 0o444 {
		t.Errorf("%q, %o", text, mode)
	}
	if err := Write(filepath.Join(folder, "no", "f"), nil); err == nil || strings.Contains(err.Error(), ".mjq-") {
		t.Errorf("%v: of a file that nobody named", err)
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}

// TestLinks: what a link leads to is written, also through several, relative ones and one to
// nothing yet; the links stay.
func TestLinks(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	for _, err := range []error{os.MkdirAll("a/b", 0o700), os.Symlink("a/b", "short"), os.Symlink("../f", "a/b/up"),
		os.Symlink("short/up", "twice"), os.Symlink("loop", "loop"), os.Mkdir("folder", 0o700)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{"new", "again"} {
		if err := Write("twice", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, _ := content(t, "a/f"); got != text {
			t.Errorf("%q", got)
		}
	}
	for _, link := range []string{"twice", "a/b/up"} {
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v, %v", link, info, err)
		}
	}
	for _, wrong := range []string{"loop", "folder"} {
		if err := Write(wrong, nil); err == nil {
			t.Errorf("%s was written", wrong)
		}
	}
}

// TestWhole: who has opened the file before goes on to read the old content, and the new one is
// on the disk before it has the name.
func TestWhole(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	if err := Write(file, []byte("old content")); err != nil {
		t.Fatal(err)
	}
	reader, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	var when []string
	defer func() { toDisk = (*os.File).Sync }()
	toDisk = func(f *os.File) error {
		if info, err := f.Stat(); err != nil || info.IsDir() {
			return err
		}
		text, _ := content(t, file)
		aside, _ := content(t, f.Name())
		when = append(when, text, aside)
		return f.Sync()
	}
	if err := Write(file, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if len(when) != 2 || when[0] != "old content" || when[1] != "new" {
		t.Errorf("what was there, and what went to the disk: %q", when)
	}
	if old, err := io.ReadAll(reader); err != nil || string(old) != "old content" {
		t.Errorf("%q, %v", old, err)
	}
	if text, _ := content(t, file); text != "new" {
		t.Error(text)
	}
}

// TestPipe: a pipe gets the bytes.
func TestPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "p")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	got := make(chan string)
	go func() {
		text, _ := os.ReadFile(pipe)
		got <- string(text)
	}()
	if err := Write(pipe, []byte("through")); err != nil {
		t.Fatal(err)
	}
	if text := <-got; text != "through" {
		t.Error(text)
	}
}
