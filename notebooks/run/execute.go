package main

import (
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

// path is a file of the checkout by its name with slashes.
func (at checkout) path(name string) string {
	return filepath.Join(string(at), filepath.FromSlash(name))
}

// What a run of a notebook leaves, by the notebook's name: the executed copy,
// its comparisons, its stamp, and the page for readers.
func (at checkout) executed(name, effort string) string {
	return at.path("build/notebooks/" + effort + "/" + name + ".ipynb")
}

func (at checkout) checks(name, effort string) string {
	return at.path("build/notebooks/" + effort + "/" + name + ".checks.jsonl")
}

func (at checkout) stamp(name, effort string) string {
	return at.path("build/notebooks/" + effort + "/" + name + ".run.json")
}

func (at checkout) page(name, effort string) string {
	return filepath.Join(at.report(effort), name+".html")
}

// report is the directory of pages and index. The full report has the plain
// name, and a quick one does not overwrite it.
func (at checkout) report(effort string) string {
	if effort == "full" {
		return at.path("build/report")
	}
	return at.path("build/report/" + effort)
}

// execute runs all cells of a notebook in a fresh kernel, writes the copy and
// returns the cells that failed.
func (at checkout) execute(ctx context.Context, path string, opt options, tell *progress) ([]fault, error) {
	limited, cancel := context.WithTimeoutCause(ctx, opt.timeout,
		fmt.Errorf("stopped: not finished after %v", opt.timeout))
	defer cancel()

	name := nameOf(path)
	executed, checks := at.executed(name, opt.effort), at.checks(name, opt.effort)
	for _, old := range []string{executed, checks, at.stamp(name, opt.effort), at.page(name, opt.effort)} {
		if err := os.Remove(old); err != nil && !os.IsNotExist(err) {
			return nil, err
		}
	}
	env := []string{"MJQ_EFFORT=" + opt.effort, "MJQ_CHECKS=" + checks}
	err := at.nbconvert(limited, env, tell.at,
		"--to", "notebook", "--execute", "--allow-errors",
		"--config", at.path("notebooks/run/progress.py"),
		"--ExecutePreprocessor.kernel_name=mjq",
		"--ExecutePreprocessor.coalesce_streams=True",
		"--output-dir", filepath.Dir(executed), path)
	if err != nil {
		return nil, err
	}
	nb, err := readNotebook(executed)
	if err != nil {
		return nil, err
	}
	nb.clean()
	return nb.faults(), nb.write(executed)
}

// render makes the page for readers unless it is there.
func (at checkout) render(ctx context.Context, name, effort string) error {
	if _, err := os.Stat(at.page(name, effort)); err == nil {
		return nil
	}
	err := at.nbconvert(ctx, nil, nil, "--to", "html",
		"--output-dir", filepath.Dir(at.page(name, effort)), at.executed(name, effort))
	if err != nil {
		return err
	}
	return dressFile(at.page(name, effort))
}

// nbconvert runs Jupyter's converter, which also executes notebooks and then
// tells each cell that starts. Its log is shown only when it fails.
func (at checkout) nbconvert(ctx context.Context, env []string, cell func(int), args ...string) error {
	cmd := exec.CommandContext(ctx, at.path("docker/jupyter.sh"), append([]string{"nbconvert"}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	log := &listener{cell: cell}
	cmd.Stdout, cmd.Stderr = log, log
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
