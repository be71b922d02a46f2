// Command rehearse checks the Dockerfiles of this checkout, and carries one out
// without Docker in a bare Debian root.
//
//	go run ./docker/rehearse                                  # lint docker/Dockerfile*
//	go run ./docker/rehearse -build docker/Dockerfile [flags] # as root, needs debootstrap
//
// The rehearsal interprets the file's own lines. Its base is what debootstrap
// makes of the Debian release in FROM's tag, without the compilers, git and
// make of the golang images, and Go of the tag's version from the module proxy.
// COPY takes what git would put into a clone, RUN is a chroot as the file's
// user with the file's environment, an empty home and nothing else; at the end
// CMD is started and HEALTHCHECK has to pass. What is not rehearsed: the base
// image itself, its digest, layers, and the isolation that Docker adds.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	var r rehearsal
	var build string
	flag.StringVar(&build, "build", "", "Dockerfile to carry out; none: only lint")
	flag.StringVar(&r.root, "root", "build/rehearsal", "folder for the root; must not exist")
	flag.StringVar(&r.bare, "bare", "", "bare Debian root to copy instead of running debootstrap")
	flag.StringVar(&r.certificates, "certificates", "", "certificates to trust, where a proxy has its own")
	flag.BoolVar(&r.keep, "keep", false, "keep the root")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, build, &r); err != nil {
		fmt.Fprintln(os.Stderr, "rehearse:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, build string, r *rehearsal) error {
	files, err := filepath.Glob("docker/Dockerfile*")
	if err != nil {
		return err
	}
	faults := 0
	for _, file := range files {
		if filepath.Ext(file) == ".dockerignore" {
			continue
		}
		list, err := parseFile(file)
		if err != nil {
			return err
		}
		for _, text := range lint(".", list) {
			fmt.Fprintf(os.Stderr, "%s: %s\n", file, text)
			faults++
		}
	}
	switch {
	case len(files) == 0:
		return fmt.Errorf("no docker/Dockerfile here; run from the checkout")
	case faults > 0:
		return fmt.Errorf("%d faults", faults)
	case build == "":
		return nil
	}
	list, err := parseFile(build)
	if err != nil {
		return err
	}
	return r.build(ctx, list)
}
