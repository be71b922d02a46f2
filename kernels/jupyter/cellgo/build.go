package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// errRejected is that the compiler has found something wrong with the cell, and said so.
var errRejected = errors.New("the cell does not compile")

// build compiles the cell and links it to a file, with a library of packages if there is
// one, and without one if that fails.
func (c *cell) build(p *plan, to string) error {
	folder, err := os.MkdirTemp(".", "cellgo")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if p.Library != nil {
		object, err := c.compile(p, folder, filepath.Base(filepath.Dir(to)))
		if err == nil {
			err = p.Library.link(p, folder, object, to)
		}
		if err == nil || errors.Is(err, errRejected) {
			return err
		}
		if errors.Is(err, errLibrary) || errors.Is(err, fs.ErrNotExist) {
			os.RemoveAll(p.Library.Folder) // to be made again
		}
		p.Library = nil
		p.keep()
	}
	object, err := c.compile(p, folder, filepath.Base(filepath.Dir(to)))
	if err != nil {
		return err
	}
	link := exec.Command(filepath.Join(p.Tools, "link"), "-o", to, "-importcfg", filepath.Join(folder, "importcfg"), "-buildmode=exe", "-s", object)
	// The linker ends before its garbage is worth collecting.
	link.Env = append(os.Environ(), "GOROOT="+p.Root, "GOGC=off", "GOMAXPROCS=1")
	return link.Run()
}

// compile compiles the cell in a folder for the files of it, for a library if the plan has
// one, and returns where its object is.
func (c *cell) compile(p *plan, folder, name string) (object string, err error) {
	config, object := filepath.Join(folder, "importcfg"), filepath.Join(folder, "main.a")
	if err := os.WriteFile(config, []byte(p.Packages), 0o600); err != nil {
		return "", err
	}
	args := []string{"-o", object, "-p", "main", "-lang", p.Language, "-complete", "-pack", "-importcfg", config}
	if p.Library != nil {
		args = append(append(args[:len(args)-1], filepath.Join(p.Library.Folder, exportsFile)), libraryObjects...)
		first := filepath.Join(folder, "first.go")
		if err := os.WriteFile(first, fmt.Appendf(nil, "package main\n\nimport %q\n\nvar _ = first.First()\n", firstPackage), 0o600); err != nil {
			return "", err
		}
		args = append(args, first)
	}
	if strings.Contains(p.Packages, "packagefile "+answers+"=") {
		identity := filepath.Join(folder, "identity.go")
		if err := os.WriteFile(identity, fmt.Appendf(nil, says, answers, p.Code, c.declarations), 0o600); err != nil {
			return "", err
		}
		args = append(args, identity) // first, so that it is said before the cell computes
	}
	compile := func() ([]byte, error) {
		return exec.Command(filepath.Join(p.Tools, "compile"), append(args, "./"+source)...).CombinedOutput()
	}
	text, err := compile()
	for range 3 { // for each of these complaints may hide the other
		if err == nil || !amended(text) {
			break
		}
		text, err = compile()
	}
	if err != nil {
		if failed := (*exec.ExitError)(nil); !errors.As(err, &failed) || failed.ExitCode() != 2 {
			return "", err
		}
		fmt.Fprintf(os.Stderr, "# %s\n%s", name, text)
		return "", errRejected
	}
	return object, nil
}

const answers = module + "mjq/internal/cache"

// says is a file of the cell that tells package cache which code is in the program.
const says = `package main

import cellgoRemember %q

var _ = cellgoRemember.Linked(%q, %q)
`
