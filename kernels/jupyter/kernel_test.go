package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPlacesFollowTheBinary(t *testing.T) {
	root := filepath.Join(t.TempDir(), "a check out")
	at := placesFrom(filepath.Join(root, ".mjq", "bin", "mjq-kernel"))
	if at.checkout != root {
		t.Errorf("checkout %q, want %q", at.checkout, root)
	}
	if want := filepath.Join(root, ".mjq", "shim"); at.shim != want {
		t.Errorf("shim %q, want %q", at.shim, want)
	}
}

func TestEnvironPutsTheShimFirst(t *testing.T) {
	at := placesFrom("/c/.mjq/bin/mjq-kernel")
	env := at.environ([]string{"HOME=/h", "PATH=/usr/bin", "MJQ_GO=/old", "MJQ_EFFORT=full"}, "/sdk/bin/go")
	want := []string{
		"HOME=/h", "MJQ_EFFORT=full", "PATH=/c/.mjq/shim:/c/.mjq/bin:/usr/bin:/sdk/bin",
		"MJQ_GO=/sdk/bin/go", "MJQ_CHECKOUT=/c",
	}
	if !slices.Equal(env, want) {
		t.Errorf("got %q, want %q", env, want)
	}
}

func TestIsCellModuleInit(t *testing.T) {
	cells, other := t.TempDir(), t.TempDir()
	link := filepath.Join(other, "link")
	if err := os.Symlink(cells, link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args       string
		dir, cells string
		want       bool
	}{
		{"mod init gonb_1", cells, cells, true},
		{"mod init gonb_1", cells, link, true},
		{"mod init mine", other, cells, false},
		{"mod init gonb_1", cells, "", false},
		{"mod tidy", cells, cells, false},
		{"build -o x", cells, cells, false},
		{"", cells, cells, false},
	} {
		if got := isCellModuleInit(strings.Fields(c.args), c.dir, c.cells); got != c.want {
			t.Errorf("go %s in %s, cells in %s: got %v", c.args, c.dir, c.cells, got)
		}
	}
}

// The real go must read what the shim appends, whatever the path looks like.
func TestShowModule(t *testing.T) {
	for _, name := range []string{"plain", "with blank", "a, (b) [c] 'd'"} {
		t.Run(name, func(t *testing.T) {
			checkout := filepath.Join(t.TempDir(), name)
			write(t, filepath.Join(checkout, "go.mod"), "module "+module+"\n\ngo 1.26\n")
			write(t, filepath.Join(checkout, "go.sum"), "")
			write(t, filepath.Join(checkout, "mjq.go"), "package mjq\n")
			cells := t.TempDir()
			write(t, filepath.Join(cells, "go.mod"), "module cells\n\ngo 1.26\n")
			if err := showModule(cells, checkout); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("go", "list", "-f", "{{.Dir}}", module)
			cmd.Dir = cells
			cmd.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off", "GOFLAGS=-mod=mod")
			out, err := cmd.CombinedOutput()
			if got := strings.TrimSpace(string(out)); err != nil || got != checkout {
				t.Errorf("go list: %q, %v; want %q", got, err, checkout)
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
