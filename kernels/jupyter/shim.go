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

// goCommand is what "go" means inside the kernel: the real go, except in the
// directory where GoNB keeps the cells. There, "go mod init", which GoNB runs at
// the start and at every %reset, leaves a module that sees this checkout; "go
// get", which it runs before every build, is passed over when there is nothing
// new to get; and "go build" leaves out the symbol table.
func goCommand(args []string) error {
	goPath, checkout := os.Getenv(envGo), os.Getenv(envCheckout)
	if goPath == "" || checkout == "" {
		return fmt.Errorf("this go belongs to the kernel: %s or %s is not set", envGo, envCheckout)
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	switch cellCommand(args, dir, os.Getenv("GONB_TMP_DIR")) {
	case "mod init":
		if err := child(goPath, args); err != nil {
			return err
		}
		return showModule(dir, checkout)
	case "get":
		if !needsGet(dir, checkout) {
			return nil
		}
		if err := child(goPath, args); err != nil {
			return err
		}
		return recordGet(dir, checkout)
	case "build":
		args = lean(args, os.Getenv("GOFLAGS"))
	}
	return replace(goPath, args, os.Environ())
}

// cellCommand names the command if it is one that GoNB gives for the cells, and
// not one that the user gives from a cell for something else.
func cellCommand(args []string, dir, cells string) string {
	if cells == "" || !sameDir(dir, cells) {
		return ""
	}
	switch {
	case len(args) >= 2 && args[0] == "mod" && args[1] == "init":
		return "mod init"
	case len(args) == 1 && args[0] == "get":
		return "get"
	case len(args) >= 2 && args[0] == "build" && args[1] == "-o":
		return "build"
	}
	return ""
}

// child runs the real go, and ends this process as that one fails.
func child(goPath string, args []string) error {
	cmd := exec.Command(goPath, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		os.Exit(exit.ExitCode())
	}
	return err
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
