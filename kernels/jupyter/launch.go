package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// What the launcher tells the "go" it puts in front of the real one.
const (
	envGo       = "MJQ_GO"       // the real go command
	envCheckout = "MJQ_CHECKOUT" // the root of this module
)

// envLog, when not empty, shows GoNB's own log in Jupyter's terminal.
const envLog = "MJQ_KERNEL_LOG"

// launch replaces this process with GoNB. Replacing, and not starting a child,
// leaves one process for Jupyter to signal, and GoNB's parent is Jupyter itself,
// as GoNB expects when it looks for Jupyter's root directory.
func (at places) launch(connection string) error {
	goPath, err := realGo(os.Getenv(envGo))
	if err != nil {
		return err
	}
	args := []string{"--kernel", connection}
	if os.Getenv(envLog) == "" {
		args = append(args, quiet...)
	}
	gonb := filepath.Join(at.tools, "gonb")
	return replace(gonb, args, at.cuda(at.environ(os.Environ(), goPath)))
}

// quiet keeps GoNB's log of every cell out of Jupyter's terminal, fatal faults
// excepted. Without a log_file it would write files to the temporary directory.
var quiet = []string{"-logtostderr=false", "-stderrthreshold=FATAL", "-log_file=" + os.DevNull}

// realGo prefers the go that set-up used: Jupyter started from a desktop often
// has a PATH without any.
func realGo(recorded string) (string, error) {
	if recorded != "" {
		if _, err := os.Stat(recorded); err == nil {
			return recorded, nil
		}
	}
	found, err := exec.LookPath("go")
	if err != nil {
		return "", fmt.Errorf("no go command: %w", err)
	}
	return filepath.Abs(found)
}

// environ is the kernel's environment: the shim first, then the private tools,
// then what was there. The directory of the real go comes last, for cells
// that start gofmt.
func (at places) environ(base []string, goPath string) []string {
	const list = string(os.PathListSeparator)
	env := make([]string, 0, len(base)+3)
	path := ""
	for _, kv := range base {
		key, value, _ := strings.Cut(kv, "=")
		switch key {
		case "PATH":
			path = value
		case envGo, envCheckout:
		default:
			env = append(env, kv)
		}
	}
	path = strings.Join([]string{at.shim, at.tools, path, filepath.Dir(goPath)}, list)
	return append(env, "PATH="+path, envGo+"="+goPath, envCheckout+"="+at.checkout)
}

// cuda is what cells with %goflags -tags=cuda need to build, once set-up has
// prepared it; settings that are there already stay.
func (at places) cuda(env []string) []string {
	prepared := filepath.Join(at.checkout, ".mjq", "cuda")
	if _, err := os.Stat(filepath.Join(prepared, "lib", "libcuda.a")); err != nil || os.Getenv("CGO_LDFLAGS") != "" {
		return env
	}
	return append(env, "CGO_CFLAGS=-O2 '-I"+filepath.Join(prepared, "include")+"'", "CGO_LDFLAGS='-L"+filepath.Join(prepared, "lib")+"'")
}

// replace turns this process into another program; it returns only on failure.
func replace(program string, args, env []string) error {
	err := syscall.Exec(program, append([]string{program}, args...), env)
	return fmt.Errorf("%s: %w", program, err)
}
