package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// module is what notebooks import; the version only fills a place, since the
// module is replaced by a directory.
const (
	module        = "github.com/mjqueue/mjq"
	moduleVersion = "v0.0.0"
)

// goCommand is what "go" means inside the kernel: the real go, except that a
// "go mod init" in GoNB's directory leaves a module that sees this checkout.
// GoNB runs it at the start and at every %reset.
func goCommand(args []string) error {
	goPath, checkout := os.Getenv(envGo), os.Getenv(envCheckout)
	if goPath == "" || checkout == "" {
		return fmt.Errorf("this go belongs to the kernel: %s or %s is not set", envGo, envCheckout)
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	if !isCellModuleInit(args, dir, os.Getenv("GONB_TMP_DIR")) {
		return replace(goPath, args, os.Environ())
	}
	cmd := exec.Command(goPath, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			os.Exit(exit.ExitCode())
		}
		return err
	}
	return showModule(dir, checkout)
}

// isCellModuleInit reports whether the command creates the module of the cells,
// and not one that the user makes somewhere else from a cell.
func isCellModuleInit(args []string, dir, cells string) bool {
	return len(args) >= 2 && args[0] == "mod" && args[1] == "init" &&
		cells != "" && sameDir(dir, cells)
}

func sameDir(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// showModule makes the module in dir require this one from the checkout. It
// takes go.sum along, so that what this module needs is already vouched for and
// GoNB's "go get" finds it in the module cache without asking anyone.
func showModule(dir, checkout string) error {
	goMod, err := os.OpenFile(filepath.Join(dir, "go.mod"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer goMod.Close()
	if _, err := goMod.WriteString(directives(checkout)); err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(checkout, "go.sum"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600)
}

// directives are the lines of go.mod that point at the checkout.
func directives(checkout string) string {
	// GoNB follows changes only below an unquoted path.
	if strings.ContainsAny(checkout, " \t\"'`()[]{},\\") || strings.Contains(checkout, "//") {
		checkout = strconv.Quote(checkout)
	}
	return fmt.Sprintf("\nrequire %[1]s %[2]s\n\nreplace %[1]s => %[3]s\n", module, moduleVersion, checkout)
}
