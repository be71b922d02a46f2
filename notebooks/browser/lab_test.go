// Package browser tests the notebooks in JupyterLab, in a real browser: make widgets.
package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// here is the folder of this package, where its tests begin.
var here, _ = os.Getwd()

// checkout is the root directory of this module.
func checkout() string { return filepath.Dir(filepath.Dir(here)) }

// folder is a fresh folder below build/browser, with copies of notebooks. The tests need
// what set-up installs, so they run only when asked for: make widgets.
func folder(t *testing.T, names ...string) string {
	t.Helper()
	if os.Getenv("MJQ_BROWSER") == "" {
		t.Skip("no browser asked for: make widgets")
	}
	dir := filepath.Join(checkout(), "build", "browser", t.Name())
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(checkout(), "notebooks", name+".ipynb"))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name+".ipynb"), data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// token lets the test and nobody else into the server.
const token = "mjq-browser-test"

// startJupyter starts a server on loopback, with the set-up's own settings, on a folder of
// notebooks. It returns its address and ends with the test.
func startJupyter(t *testing.T, dir string) string {
	t.Helper()
	port := freePort(t)
	args := []string{"jupyterlab", "--no-browser", "--ServerApp.ip=127.0.0.1", fmt.Sprintf("--ServerApp.port=%d", port),
		"--ServerApp.port_retries=0", "--IdentityProvider.token=" + token, "--ServerApp.root_dir=" + dir,
		"--LabApp.expose_app_in_browser=True", "--JupyterNotebookApp.expose_app_in_browser=True"}
	if os.Getuid() == 0 {
		args = append(args, "--allow-root")
	}
	cmd := exec.Command(filepath.Join(checkout(), "docker", "jupyter.sh"), args...)
	cmd.Env = append(os.Environ(), "JUPYTERLAB_WORKSPACES_DIR="+t.TempDir()) // or it opens what an earlier test left open
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	// A process group of its own, so that kernels end with the server.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop(cmd)
		if t.Failed() {
			t.Logf("Jupyter's log:\n%s", log.String())
		}
	})
	base := fmt.Sprintf("http://127.0.0.1:%d", port)
	until(t, time.Minute, "Jupyter answers", func() bool {
		resp, err := http.Get(base + "/api/status?token=" + token)
		if err != nil {
			return false
		}
		resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
	return base
}

// kernelState is what the server knows of the kernel of a notebook: starting,
// idle or busy.
func kernelState(base, file string) string {
	resp, err := http.Get(base + "/api/sessions?token=" + token)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	var sessions []struct {
		Path   string `json:"path"`
		Kernel struct {
			State string `json:"execution_state"`
		} `json:"kernel"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&sessions); err != nil {
		return err.Error()
	}
	for _, s := range sessions {
		if s.Path == file {
			return s.Kernel.State
		}
	}
	return "no kernel"
}

// stop asks the server to end, and its kernels with it, and then makes it.
func stop(cmd *exec.Cmd) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		cmd.Wait()
	}()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		syscall.Kill(-cmd.Process.Pid, signal)
		select {
		case <-ended:
			return
		case <-time.After(10 * time.Second):
		}
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// until waits for a condition, and fails the test when it does not come.
func until(t *testing.T, limit time.Duration, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	started := time.Now()
	for !holds() {
		select {
		case <-ctx.Done():
			t.Fatalf("after %v still not: %s", limit, what)
		case <-time.After(20 * time.Millisecond):
		}
	}
	if what != "" {
		t.Logf("%6.2f s  %s", time.Since(started).Seconds(), what)
	}
}
