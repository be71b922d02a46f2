// Command jupyter is the Jupyter kernel "Go (mjq)": the GoNB kernel with this
// module already visible, so that a notebook's first cell is its imports.
//
// GoNB compiles every cell in a temporary module of its own, which knows no
// unpublished module. One binary closes that gap under two names:
//
//	mjq-kernel CONNECTION_FILE   becomes GoNB, with the name below first on PATH
//	go ...                       becomes the real go, and after GoNB's "go mod init"
//	                             points the new go.mod at this checkout; GoNB's
//	                             "go get" and "go build" of cells are made quicker
//
// A third form writes the kernel specification that Jupyter reads:
//
//	mjq-kernel -install DIR
//
// The binary finds everything from where it lies, CHECKOUT/.mjq/bin.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	var err error
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if name == "go" {
		err = goCommand(os.Args[1:])
	} else {
		err = kernelCommand(os.Args[1:])
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "mjq-kernel: %v\n", err)
		os.Exit(1)
	}
}

// kernelCommand reads the command line of mjq-kernel.
func kernelCommand(args []string) error {
	flags := flag.NewFlagSet("mjq-kernel", flag.ExitOnError)
	install := flags.String("install", "", "write the kernel specification to this `directory`")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: mjq-kernel CONNECTION_FILE | mjq-kernel -install DIR")
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	at := placesFrom(self)
	switch {
	case *install != "" && flags.NArg() == 0:
		return at.install(*install)
	case *install == "" && flags.NArg() == 1:
		return at.launch(flags.Arg(0))
	}
	flags.Usage()
	os.Exit(2)
	return nil
}

// places are the paths the kernel works with.
type places struct {
	checkout string // the root of this module
	kernel   string // this binary under the name mjq-kernel
	tools    string // gonb and goimports
	shim     string // the directory that holds nothing but "go"
}

// placesFrom derives them from the path of the binary, CHECKOUT/.mjq/bin/mjq-kernel.
func placesFrom(kernel string) places {
	tools := filepath.Dir(kernel)
	private := filepath.Dir(tools)
	return places{
		checkout: filepath.Dir(private),
		kernel:   kernel,
		tools:    tools,
		shim:     filepath.Join(private, "shim"),
	}
}
