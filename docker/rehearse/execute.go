package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// rehearsal is a Dockerfile being carried out in a root of its own.
type rehearsal struct {
	root, bare, certificates string
	keep                     bool

	env  map[string]string
	dir  string // WORKDIR
	user string
}

func (r *rehearsal) build(ctx context.Context, list []instruction) (err error) {
	if os.Geteuid() != 0 {
		return errors.New("a chroot needs root")
	}
	if _, err := os.Stat(r.root); err == nil {
		return fmt.Errorf("-root %s is there already; remove it or name another", r.root)
	}
	if r.root, err = filepath.Abs(r.root); err != nil {
		return err
	}
	r.env = map[string]string{"HOME": "/root"}
	r.dir, r.user = "/", "root"
	defer func() { err = errors.Join(err, r.clear()) }()
	var check, command []string
	for _, in := range list {
		started := time.Now()
		fmt.Printf("== line %d: %s %s\n", in.Line, in.Name, in.Args)
		switch in.Name {
		case "CMD":
			err = json.Unmarshal([]byte(in.Args), &command)
		case "HEALTHCHECK":
			err = json.Unmarshal([]byte(strings.TrimPrefix(in.Args, "CMD ")), &check)
		default:
			err = r.carryOut(ctx, in)
		}
		if err != nil {
			return fmt.Errorf("line %d: %s: %w", in.Line, in.Name, err)
		}
		if took := time.Since(started); took > time.Second {
			fmt.Printf("   %.1f s\n", took.Seconds())
		}
	}
	return r.serve(ctx, command, check)
}

func (r *rehearsal) carryOut(ctx context.Context, in instruction) error {
	switch in.Name {
	case "FROM":
		return r.from(ctx, in.base())
	case "ARG", "ENV":
		for key, value := range in.assignments(r.env) {
			r.env[key] = value
		}
	case "WORKDIR":
		r.dir = in.Args
		return os.MkdirAll(r.at(r.dir), 0o755)
	case "USER":
		r.user = in.Args
	case "COPY":
		return r.copy(ctx, in)
	case "RUN":
		return r.command(ctx, "/bin/sh", "-c", in.Args).Run()
	}
	return nil
}

// at is where a path of the image lies.
func (r *rehearsal) at(name string) string {
	if !path.IsAbs(name) {
		name = path.Join(r.dir, name)
	}
	return filepath.Join(r.root, name)
}

// copy is COPY from the checkout, of what a clone would have.
func (r *rehearsal) copy(ctx context.Context, in instruction) error {
	words := strings.Fields(in.Args)
	target := r.at(words[len(words)-1])
	for _, source := range words[:len(words)-1] {
		line := `git ls-files -coz --exclude-standard -- "$1" | tar --null -T - -c | tar -x --no-same-owner -C "$2"`
		to := target
		if source != "." { // tar keeps the path, which is what our COPYs name twice
			if words[len(words)-1] != source {
				return fmt.Errorf("%s to another name is not rehearsed", source)
			}
			to = r.at(".")
		}
		if err := shell(ctx, line, source, to); err != nil {
			return err
		}
	}
	if owner := in.Flags["chown"]; owner != "" {
		return r.asRoot(ctx, "chown", "-R", owner, path.Join(r.dir, words[len(words)-1]))
	}
	return nil
}

// command runs in the root as the user, seeing only the environment so far.
func (r *rehearsal) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "/usr/sbin/chroot", append([]string{"--userspec=" + r.user, r.root,
		"/bin/sh", "-c", `cd "$0" && exec "$@"`, r.dir, name}, args...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = []string{}
	for key, value := range r.env {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	// Whatever it has started ends with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

func (r *rehearsal) asRoot(ctx context.Context, name string, args ...string) error {
	root := *r
	root.user = "root"
	return root.command(ctx, name, args...).Run()
}

// serve starts CMD and waits until HEALTHCHECK passes.
func (r *rehearsal) serve(ctx context.Context, command, check []string) error {
	fmt.Println("== CMD, until HEALTHCHECK passes")
	serving, stop := context.WithCancel(ctx)
	server := r.command(serving, command[0], command[1:]...)
	if err := server.Start(); err != nil {
		stop()
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	defer func() { stop(); <-ended }()
	started := time.Now()
	for time.Since(started) < time.Minute {
		select {
		case err := <-ended:
			ended <- err
			return fmt.Errorf("CMD ended: %v", err)
		case <-time.After(time.Second):
		}
		probe := r.command(ctx, check[0], check[1:]...)
		probe.Stderr = nil
		if probe.Run() == nil {
			fmt.Printf("   healthy after %.1f s\n", time.Since(started).Seconds())
			return nil
		}
	}
	return errors.New("HEALTHCHECK did not pass within a minute")
}
