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
)

// from makes the bare root that stands for golang:VERSION-SUITE: Debian's
// smallest, and Go.
func (r *rehearsal) from(ctx context.Context, b base) error {
	version, suite, ok := strings.Cut(b.Tag, "-")
	if b.Image != "golang" || !ok {
		return fmt.Errorf("%s:%s: only golang:VERSION-SUITE is rehearsed", b.Image, b.Tag)
	}
	if err := os.MkdirAll(filepath.Dir(r.root), 0o755); err != nil {
		return err
	}
	var err error
	if r.bare != "" {
		err = shell(ctx, `cp -a "$1" "$2"`, r.bare, r.root)
	} else {
		err = shell(ctx, `debootstrap --variant=minbase "$1" "$2" http://deb.debian.org/debian >"$2.log" || { tail "$2.log"; exit 1; }`, suite, r.root)
	}
	if err != nil {
		return err
	}
	if err := r.addGo(ctx, version); err != nil {
		return err
	}
	if err := shell(ctx, `cp -L /etc/resolv.conf "$1/etc/resolv.conf"`, r.root); err != nil {
		return err
	}
	if r.certificates != "" {
		if err := shell(ctx, `mkdir -p "$2/etc/ssl" && cp -L "$1" "$2/etc/ssl/proxy.crt"`, r.certificates, r.root); err != nil {
			return err
		}
		for _, name := range []string{"SSL_CERT_FILE", "PIP_CERT"} {
			r.env[name] = "/etc/ssl/proxy.crt"
		}
	}
	return syscall.Mount("proc", r.at("/proc"), "proc", 0, "") // programs find themselves there
}

// addGo puts Go where the golang images have it, with their settings.
func (r *rehearsal) addGo(ctx context.Context, version string) error {
	goroot := exec.CommandContext(ctx, "go", "env", "GOROOT")
	goroot.Env = append(os.Environ(), "GOTOOLCHAIN=go"+version)
	out, err := goroot.Output()
	if err != nil {
		return fmt.Errorf("finding Go %s: %w", version, err)
	}
	err = shell(ctx, `mkdir -p "$2/usr/local" && cp -r --no-preserve=mode "$1" "$2/usr/local/go" &&
		chmod +x "$2"/usr/local/go/bin/* && find "$2/usr/local/go/pkg/tool" -type f -exec chmod +x {} +`,
		strings.TrimSpace(string(out)), r.root)
	r.env["GOTOOLCHAIN"] = "local"
	r.env["PATH"] = "/go/bin:/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	return err
}

// clear unmounts and, unless asked to keep it, removes the root. It removes
// nothing while something is mounted there.
func (r *rehearsal) clear() error {
	if err := syscall.Unmount(r.at("/proc"), 0); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOENT) {
		return fmt.Errorf("unmounting %s: %w", r.at("/proc"), err)
	}
	if r.keep {
		return nil
	}
	return os.RemoveAll(r.root)
}

// shell runs a line with arguments $1, $2, ....
func shell(ctx context.Context, line string, args ...string) error {
	cmd := exec.CommandContext(ctx, "/bin/bash", append([]string{"-o", "pipefail", "-c", line, "sh"}, args...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Fields(line)[0], err)
	}
	return nil
}
