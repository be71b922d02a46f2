//go:build unix

package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestOutputFile: --output keeps to the umask, to the permissions of a file that is there and to
// symbolic links, leaves a read-only file alone, and nothing beside it.
func TestOutputFile(t *testing.T) {
	inFolder(t)
	defer syscall.Umask(syscall.Umask(0o077))
	if err := os.Mkdir("d", 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir("d")
	for _, err := range []error{os.WriteFile("private", nil, 0o600), os.WriteFile("shared", nil, 0o600), os.Chmod("shared", 0o664), os.WriteFile("locked", []byte("old"), 0o400), os.Symlink("behind", "link")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, mode := range map[string]os.FileMode{"new": 0o600, "private": 0o600, "shared": 0o664, "link": 0o600} {
		answered(t, "stability", "../queue.json", "-o", name)
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != mode || info.Size() == 0 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if to, err := os.Readlink("link"); err != nil || to != "behind" {
		t.Errorf("the link is gone: %q, %v", to, err)
	}
	if _, notes, code := command("stability", "../queue.json", "-o", "locked"); code != failed || !strings.Contains(notes, "writing the answer: write locked: the file is read-only") {
		t.Errorf("exit code %d, %s", code, notes)
	}
	if list, err := os.ReadDir("."); err != nil || len(list) != 6 {
		t.Errorf("%v, %v", list, err)
	}
}
