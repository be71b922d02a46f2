package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// errRejected is that the compiler has found something wrong with the cell, and said so.
var errRejected = errors.New("the cell does not compile")

// build compiles the cell and links it to a file.
func (c *cell) build(p *plan, to string) error {
	folder, err := os.MkdirTemp(".", "cellgo")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	config, object := filepath.Join(folder, "importcfg"), filepath.Join(folder, "main.a")
	if err := os.WriteFile(config, []byte(p.Packages), 0o600); err != nil {
		return err
	}
	compile := exec.Command(filepath.Join(p.Tools, "compile"), "-o", object, "-p", "main", "-lang", p.Language, "-complete",
		"-importcfg", config, "-pack", "./"+source)
	if text, err := compile.CombinedOutput(); err != nil {
		if failed := (*exec.ExitError)(nil); !errors.As(err, &failed) || failed.ExitCode() != 2 {
			return err
		}
		fmt.Fprintf(os.Stderr, "# %s\n%s", filepath.Base(filepath.Dir(to)), text)
		return errRejected
	}
	link := exec.Command(filepath.Join(p.Tools, "link"), "-o", to, "-importcfg", config, "-buildmode=exe", "-s",
		"-X", remember+".linkedCode="+p.Code, "-X", remember+".linkedCell="+c.declarations, object)
	link.Env = append(os.Environ(), "GOROOT="+p.Root)
	return link.Run()
}

const remember = module + "mjq/internal/remember"
