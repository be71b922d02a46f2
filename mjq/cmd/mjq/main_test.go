package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the outputs in README.md anew")

// asCommand makes this test binary the command itself, for tests that need a process.
const asCommand = "MJQ_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// inFolder goes to a fresh folder with the files of testdata.
func inFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	return folder
}

// command runs the command in this process.
func command(args ...string) (out, notes string, code int) {
	var o, n bytes.Buffer
	code = run(context.Background(), args, streams{in: strings.NewReader(""), out: &o, notes: &n})
	return o.String(), n.String(), code
}

// answered is the output of a command that must succeed.
func answered(t *testing.T, args ...string) string {
	t.Helper()
	out, notes, code := command(args...)
	if code != 0 || notes != "" {
		t.Fatalf("mjq %s: exit code %d, %s", strings.Join(args, " "), code, notes)
	}
	return out
}

// shell makes a command line that finds mjq on its path.
func shell(t *testing.T, line string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "mjq")); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", "-c", line)
	c.Env = append(os.Environ(), asCommand+"=1", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return c
}
