// Package jupyter tests kernel.sh, the Jupyter kernel "Go (mjq)".
package jupyter

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// launch runs kernel.sh in a made-up checkout, with one variable more, and returns
// the arguments and the environment of its gonb. CHECKOUT stands for the checkout.
func launch(t *testing.T, variable string) map[string]string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	checkout := filepath.Join(root, "a (check) 'out'")
	script, err := os.ReadFile("kernel.sh")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"kernels/jupyter/kernel.sh": string(script),
		".mjq/bin/gonb":             "#!/bin/sh\necho \"args=$*\"\nenv\n",
		".mjq/bin/front":            "#!/bin/sh\n[ $1 = relay ] || echo inner.json\n",
		".mjq/cuda/lib/libcuda.a":   "",
		".mjq/bin/cellgo":           "",
	} {
		path := filepath.Join(checkout, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(filepath.Join(checkout, "kernels/jupyter/kernel.sh"), "file.json")
	cmd.Env = []string{"PATH=/usr/bin:/bin", "MJQ_GO=/sdk/bin/go", variable}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got := map[string]string{}
	for line := range strings.Lines(strings.ReplaceAll(string(out), checkout, "CHECKOUT")) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		got[key] = value
	}
	return got
}

func TestKernel(t *testing.T) {
	for _, c := range []struct{ variable, key, want string }{
		{"", "args", "-go_work=CHECKOUT -raw_error -kernel inner.json -logtostderr=false -stderrthreshold=FATAL -log_file=/dev/null"},
		{"MJQ_KERNEL_LOG=1", "args", "-go_work=CHECKOUT -raw_error -kernel inner.json"},
		{"", "PATH", "CHECKOUT/.mjq/bin:/usr/bin:/bin:/sdk/bin"},
		{"", "GOFLAGS", "-trimpath -ldflags=-s"},
		{"GOFLAGS=-mod=mod", "GOFLAGS", "-trimpath -ldflags=-s"},
		{"GOFLAGS=-ldflags=-w", "GOFLAGS", "-ldflags=-w"},
		{"GOWORK=off", "GOWORK", ""},
		{"", "GONB_GO", "CHECKOUT/.mjq/bin/cellgo"},
		{"", "MJQ_REMEMBER", "CHECKOUT/.mjq/remembered"},
		{"MJQ_REMEMBER=off", "MJQ_REMEMBER", "off"},
		{"", "CGO_CFLAGS", "-O2 '-ICHECKOUT/.mjq/cuda/include'"},
		{"", "CGO_LDFLAGS", "'-LCHECKOUT/.mjq/cuda/lib'"},
		{"CGO_LDFLAGS=-lm", "CGO_LDFLAGS", "-lm"},
		{"CGO_LDFLAGS=-lm", "CGO_CFLAGS", ""},
	} {
		if got := launch(t, c.variable)[c.key]; got != c.want {
			t.Errorf("with %q: %s is %q, want %q", c.variable, c.key, got, c.want)
		}
	}
}

// TestWaitingIsTold: what takes long says so again and again, and ends as it ends by itself.
func TestWaitingIsTold(t *testing.T) {
	said, err := os.Create(filepath.Join(t.TempDir(), "said"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	cmd := exec.Command("../../docker/patiently", "thinking", "sh", "-c", `until grep -q "2 s so far" "$0"; do sleep .1; done; exit 7`, said.Name())
	cmd.Env, cmd.Stderr = append(os.Environ(), "MJQ_EVERY=1"), said
	err = cmd.Run()
	if failed := (*exec.ExitError)(nil); !errors.As(err, &failed) || failed.ExitCode() != 7 {
		t.Errorf("it ends with %v", err)
	}
	text, err := os.ReadFile(said.Name())
	if !strings.HasPrefix(string(text), "setup: thinking, 1 s so far\nsetup: thinking, 2 s so far\n") {
		t.Errorf("it says %q, %v", text, err)
	}
	if out, err := exec.Command("../../docker/patiently", "thinking", "echo", "a b").CombinedOutput(); err != nil || string(out) != "a b\n" {
		t.Errorf("a quick command says %q, %v", out, err)
	}
}
