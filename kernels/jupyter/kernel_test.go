package main

import (
	"fmt"
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

func TestCellCommand(t *testing.T) {
	cells, other := t.TempDir(), t.TempDir()
	link := filepath.Join(other, "link")
	if err := os.Symlink(cells, link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args       string
		dir, cells string
		want       string
	}{
		{"mod init gonb_1", cells, cells, "mod init"},
		{"mod init gonb_1", cells, link, "mod init"},
		{"mod init mine", other, cells, ""},
		{"mod init gonb_1", cells, "", ""},
		{"mod tidy", cells, cells, ""},
		{"get", cells, cells, "get"},
		{"get gonum.org/v1/gonum", cells, cells, ""},
		{"get", other, cells, ""},
		{"build -o x", cells, cells, "build"},
		{"build -o x", other, cells, ""},
		{"build ./...", cells, cells, ""},
		{"", cells, cells, ""},
	} {
		if got := cellCommand(strings.Fields(c.args), c.dir, c.cells); got != c.want {
			t.Errorf("go %s in %s, cells in %s: got %q, want %q", c.args, c.dir, c.cells, got, c.want)
		}
	}
}

// A "go get" is left out only when the last one resolved every import of now,
// for the requirements of now.
func TestNeedsGet(t *testing.T) {
	cells, checkout := t.TempDir(), t.TempDir()
	cell := func(imports string) { write(t, filepath.Join(cells, "main.go"), "package main\n\n"+imports) }
	expect := func(want bool, when string) {
		t.Helper()
		if got := needsGet(cells, checkout); got != want {
			t.Errorf("%s: got %v, want %v", when, got, want)
		}
	}
	write(t, filepath.Join(checkout, "go.mod"), "module "+module+"\n")
	write(t, filepath.Join(cells, "go.mod"), "module cells\n")
	cell("import (\n\t\"fmt\"\n\t\"example.org/a\"\n)\n")
	expect(true, "before the first")
	if err := recordGet(cells, checkout); err != nil {
		t.Fatal(err)
	}
	expect(false, "the same imports")
	cell("import m `example.org/a`\n")
	expect(false, "fewer imports")
	cell("import \"example.org/a/b\"\n")
	expect(true, "a new import")
	cell("import \"fmt\n")
	expect(true, "a file that does not parse")
	cell("import \"fmt\"\n")
	write(t, filepath.Join(checkout, "go.mod"), "module "+module+"\n\ngo 1.26\n")
	expect(true, "other requirements")
	if err := recordGet(cells, checkout); err != nil {
		t.Fatal(err)
	}
	expect(false, "after another get")
	write(t, filepath.Join(cells, "go.mod"), "module cells_after_reset\n")
	expect(true, "in a new module")
}

func TestLeanLeavesTheUsersFlags(t *testing.T) {
	args := strings.Fields("build -o x -ldflags=-w")
	if got := lean(args, "-mod=mod"); strings.Join(got, " ") != "build -ldflags=-s -o x -ldflags=-w" {
		t.Errorf("got %q", got)
	}
	if got := lean(args, "-ldflags=-X=main.a=b"); !slices.Equal(got, args) {
		t.Errorf("with GOFLAGS: got %q", got)
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

// BenchmarkCell times what GoNB does to run a cell that has changed, "go get" and
// "go build", as it asks for it and as this kernel does it. It needs the modules
// that this one requires.
func BenchmarkCell(b *testing.B) {
	checkout, err := filepath.Abs("../..")
	if err != nil {
		b.Fatal(err)
	}
	cells := b.TempDir()
	write(b, filepath.Join(cells, "go.mod"), "module cells\n\ngo 1.26\n")
	if err := showModule(cells, checkout); err != nil {
		b.Fatal(err)
	}
	command := func(args ...string) {
		cmd := exec.Command("go", args...)
		cmd.Dir = cells
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("go %v: %v\n%s", args, err, out)
		}
	}
	n := 0
	change := func() {
		n++
		write(b, filepath.Join(cells, "main.go"), fmt.Sprintf("package main\n\nimport \"%s/widgets\"\n\nfunc main() { widgets.Show(%d) }\n", module, n))
	}
	change()
	command("get")
	build := strings.Fields("build -o cell")
	b.Run("asked", func(b *testing.B) {
		for b.Loop() {
			change()
			command("get")
			command(build...)
		}
	})
	b.Run("done", func(b *testing.B) {
		for b.Loop() {
			change()
			command(lean(build, "")...)
		}
	})
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
