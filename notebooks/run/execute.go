package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// checkout is the root directory of this module.
type checkout string

// findCheckout looks for it upwards from the working directory.
func findCheckout() (checkout, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "docker", "jupyter.sh")); err == nil {
			return checkout(dir), nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("start me inside the checkout")
		}
		dir = parent
	}
}

func (at checkout) executed() string { return filepath.Join(string(at), "build", "notebooks") }
func (at checkout) report() string   { return filepath.Join(string(at), "build", "report") }

// execute runs all cells of a notebook in a fresh kernel, writes the copies and
// returns the cells that failed.
func (at checkout) execute(ctx context.Context, path string, opt options) ([]fault, error) {
	limited, cancel := context.WithTimeoutCause(ctx, opt.timeout,
		fmt.Errorf("stopped: not finished after %v", opt.timeout))
	defer cancel()

	err := at.nbconvert(limited, "MJQ_EFFORT="+opt.effort,
		"--to", "notebook", "--execute", "--allow-errors",
		"--ExecutePreprocessor.kernel_name=mjq",
		"--ExecutePreprocessor.coalesce_streams=True",
		"--output-dir", at.executed(), path)
	if err != nil {
		return nil, err
	}
	executed := filepath.Join(at.executed(), filepath.Base(path))
	nb, err := readNotebook(executed)
	if err != nil {
		return nil, err
	}
	nb.clean()
	if err := nb.write(executed); err != nil {
		return nil, err
	}
	faults := nb.faults()
	if opt.inPlace && len(faults) == 0 {
		if err := nb.write(path); err != nil {
			return faults, err
		}
	}
	if opt.html {
		err = at.nbconvert(ctx, "", "--to", "html", "--output-dir", at.report(), executed)
	}
	return faults, err
}

// nbconvert runs Jupyter's converter, which also executes notebooks. Its log is
// shown only when it fails.
func (at checkout) nbconvert(ctx context.Context, env string, args ...string) error {
	script := filepath.Join(string(at), "docker", "jupyter.sh")
	cmd := exec.CommandContext(ctx, script, append([]string{"nbconvert"}, args...)...)
	if env != "" {
		cmd.Env = append(os.Environ(), env)
	}
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	// On an interrupt, and only then, Jupyter ends the kernel and the cell's
	// program too. It must get exactly one, hence a process group apart from the
	// terminal's.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 15 * time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, lastLines(log.String(), 20))
	}
	return nil
}

// lastLines is the end of a text, where programs say what went wrong.
func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	return strings.Join(lines, "\n")
}
