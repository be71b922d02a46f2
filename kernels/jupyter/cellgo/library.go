package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A library holds all packages that cells usually import, linked once for all cells. Of a
// cell then only its own code is linked, a tenth of the work. Libraries are in folders
// beside the folder of this program, named by what is in them.
type library struct {
	Folder   string
	Layout   string
	Packages map[string]string `json:",omitempty"` // import paths, and the files that go list -export names
	Linker   []string          // the linker of the system, with what it links into any program
	End      []string          // and what comes last
}

const (
	libraryFile  = "libcells.so"
	exportsFile  = "importcfg" // for the compiler
	pointersFile = "pointers"  // see pointersOf
	firstFile    = "first.a"   // see library.first
	firstPackage = "cellgo/first"
	describedBy  = "library.json" // written last
	failedBy     = "failed"       // says why there is no library
)

// libraries is the folder of libraries, beside that of this program unless MJQ_LIBRARY names
// one. It is empty if cells are to be linked whole, which MJQ_LIBRARY=off asks for, and on
// other systems than Linux on amd64.
func libraries() string {
	folder := os.Getenv("MJQ_LIBRARY")
	if folder == "off" || runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return ""
	}
	if program, err := os.Executable(); err == nil && folder == "" {
		folder = filepath.Join(filepath.Dir(filepath.Dir(program)), "cells")
	}
	return folder
}

// seek finds a library with all packages of the plan, as they are.
func (p *plan) seek(folder string) {
	p.Library, p.Libraries, p.Ordered = nil, stampOf(folder), false
	if folder == "" {
		return
	}
	entries, _ := os.ReadDir(folder) // there may be none
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(folder, e.Name(), describedBy))
		var l library
		if err != nil || json.Unmarshal(data, &l) != nil || l.Layout != layout || !p.within(&l) {
			continue
		}
		l.Packages = nil
		p.Library = &l
		return
	}
}

// within reports whether the library has all packages of the plan.
func (p *plan) within(l *library) bool {
	for line := range strings.Lines(p.Packages) {
		path, file, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "packagefile ")), "=")
		if l.Packages[path] != file {
			return false
		}
	}
	return true
}

// order has a library made that the next cells may use, once for a plan, by another
// process, which outlives this one and lets everybody else go first.
func (p *plan) order() {
	program, err := os.Executable()
	if err != nil || p.Library != nil || p.Ordered || p.Libraries.Path == "" {
		return
	}
	p.Ordered = true
	p.keep()
	cmd := exec.Command(program, "library")
	cmd.SysProcAttr = detached
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GONB_PIPE") })
	if cmd.Start() == nil {
		yield(cmd.Process.Pid)
		cmd.Process.Release()
	}
}

// yield has all other sessions go first. Linux shares the processors between sessions before it
// looks at how nice the processes of each are. Elsewhere there is no such file.
func yield(leader int) {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/autogroup", leader), []byte("19"), 0)
}

// link links a compiled cell with the library: Go's linker makes an object file of it, with
// a stub for the library, and the system's a program.
func (l *library) link(p *plan, folder, object, to string) error {
	names, err := symbolNames(object)
	if err != nil {
		return err
	}
	all, err := openShared(filepath.Join(l.Folder, libraryFile), filepath.Join(l.Folder, pointersFile))
	if err != nil {
		return err
	}
	folder, err = filepath.Abs(folder)
	if err != nil {
		return err
	}
	stub, config := filepath.Join(folder, libraryFile), filepath.Join(folder, "linkcfg")
	if err := writeStub(all, names, stub); err != nil {
		return err
	}
	var text strings.Builder
	text.WriteString(p.Packages)
	for line := range strings.Lines(p.Packages) {
		path, _, _ := strings.Cut(strings.TrimPrefix(line, "packagefile "), "=")
		text.WriteString("packageshlib " + path + "=" + stub + "\n")
	}
	fmt.Fprintf(&text, "packagefile %s=%s\n", firstPackage, filepath.Join(l.Folder, firstFile))
	if err := os.WriteFile(config, []byte(text.String()), 0o600); err != nil {
		return err
	}
	// The linker of the system is asked below, without the C compiler in between.
	flags := slices.Concat([]string{"-o", to, "-importcfg", config}, cellLink, []string{"-tmpdir", folder, "-extld", "true", object})
	link := exec.Command(filepath.Join(p.Tools, "link"), flags...)
	link.Env = append(os.Environ(), "GOROOT="+p.Root)
	if text, err := link.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	args := slices.Concat(l.Linker[1:], []string{"-o", to, filepath.Join(folder, "go.o"), stub, "-rpath", l.Folder}, l.End)
	if text, err := exec.Command(l.Linker[0], args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	return nil
}
