package main

import (
	"cmp"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// detached is for a process that outlives the kernel.
var detached = &syscall.SysProcAttr{Setsid: true}

// usual are the packages that cells import, with all that those need. Of other modules
// they are what mjq needs; a cell that imports more is linked without a library.
var usual = []string{module + "mjq", module + "mjq/arrival", module + "mjq/figure", module + "mjq/law", module + "mjq/mam", module + "mjq/plots",
	module + "mjq/policy", module + "mjq/result", module + "mjq/spec", module + "mjq/special", module + "mjq/trace", module + "mjq/trace/foreign", module + "mjq/workload",
	module + "notebooks/check", module + "notebooks/papers", module + "widgets", module + "widgets/explorer",
	"bufio", "bytes", "cmp", "context", "encoding/csv", "encoding/json", "errors", "flag", "fmt", "io", "iter", "maps", "math", "math/bits",
	"math/cmplx", "math/rand", "math/rand/v2", "os", "path/filepath", "regexp", "slices", "sort", "strconv", "strings", "sync",
	"sync/atomic", "text/tabwriter", "time", "unicode", "unicode/utf8"}

// layout changes when libraries are made in another way.
const layout = "2 "

// kept is how many libraries are kept: those of two versions of the code, and one more for
// a session that has not noticed.
const kept = 3

// makeLibrary makes the library of the code in the checkout in the folder of libraries,
// unless there is one, or one is being made, or that was tried and failed.
func makeLibrary(folder, checkout string, roots []string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	lock, err := os.Create(filepath.Join(folder, "lock"))
	if err != nil {
		return err
	}
	defer lock.Close()
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return nil // another one is making it
	}
	session, err := os.MkdirTemp("", "mjq-library-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(session)
	if back, err := os.Getwd(); err == nil {
		defer os.Chdir(back)
	}
	if err := os.Chdir(session); err != nil {
		return err
	}
	for _, args := range [][]string{{"mod", "init", "cells"}, {"work", "init", ".", checkout}} {
		if text, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("go %s: %w: %s", args[0], err, text)
		}
	}
	cell := &cell{imports: roots}
	p := cell.plan()
	if p == nil {
		return errors.New("go cannot list the packages of cells")
	}
	if p.Language != knownLinker {
		return fmt.Errorf("the library is for %s, and this is %s: see kernels/jupyter/cellgo/LIBRARY.md", knownLinker, p.Language)
	}
	l := &library{Folder: filepath.Join(folder, fingerprint([]byte(layout + p.Root + p.Packages))[:16]), Layout: layout, Packages: map[string]string{}}
	for _, name := range []string{describedBy, failedBy} {
		if _, err := os.Stat(filepath.Join(l.Folder, name)); err == nil {
			return nil
		}
	}
	if err := errors.Join(os.RemoveAll(l.Folder), os.MkdirAll(l.Folder, 0o755)); err != nil { // of one that was ended
		return err
	}
	if err := l.make(cell, p); err != nil {
		os.RemoveAll(l.Folder)
		if !errors.Is(err, errChanged) && os.Mkdir(l.Folder, 0o755) == nil {
			os.WriteFile(filepath.Join(l.Folder, failedBy), []byte(err.Error()+"\n"), 0o600)
		}
		return err
	}
	data, err := json.Marshal(l)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(l.Folder, describedBy), data, 0o600); err != nil {
		return err
	}
	prune(folder)
	return os.Chtimes(folder, time.Time{}, time.Now()) // cells see by that that there is a new one
}

// make makes the library of a plan and tries it.
func (l *library) make(c *cell, p *plan) error {
	for line := range strings.Lines(p.Packages) {
		path, file, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "packagefile ")), "=")
		l.Packages[path] = file
	}
	if err := l.system(); err != nil {
		return err
	}
	// Position-independent code, and package net without C, as cells have it.
	work := append(lighter(), "CGO_ENABLED=1", "GOFLAGS=-tags=netgo,osusergo")
	all, err := listWith(librarySources, append([]string{"runtime/cgo"}, c.imports...), work...)
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	var config, exports strings.Builder
	args := slices.Concat([]string{"-o", filepath.Join(l.Folder, libraryFile)}, libraryLink, []string{"-extld=" + compiler(), "-extldflags=-Wl,--hash-style=gnu", "-importcfg", "librarycfg"})
	for i, a := range all {
		if a.Export == "" {
			continue
		}
		to := filepath.Join(l.Folder, fmt.Sprint(i, ".a"))
		if err := copyExport(a.Export, to); err != nil {
			return err
		}
		fmt.Fprintf(&config, "packagefile %s=%s\n", a.ImportPath, a.Export)
		fmt.Fprintf(&exports, "packagefile %s=%s\n", a.ImportPath, to)
		args = append(args, a.ImportPath+"="+a.Export)
	}
	if err := errors.Join(os.WriteFile("librarycfg", []byte(config.String()), 0o600), os.WriteFile(filepath.Join(l.Folder, exportsFile), []byte(exports.String()), 0o600)); err != nil {
		return err
	}
	link := exec.Command(filepath.Join(p.Tools, "link"), args...)
	link.Env = append(os.Environ(), "GOROOT="+p.Root)
	if text, err := link.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	linked, err := openShared(args[1], "")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(l.Folder, pointersFile), pointersOf(linked), 0o600); err != nil {
		return err
	}
	if err := l.first(p); err != nil {
		return err
	}
	if again := c.plan(); again == nil || again.Packages != p.Packages {
		return errChanged
	}
	return l.try(p)
}

// first compiles a package that all cells import and that is linked before them, not from
// the library: the linker gives no name to the first function of a program, and traces of
// panics leave out what has none, which was the initialization of the cell.
func (l *library) first(p *plan) error {
	const text = "package first\n\n//go:noinline\nfunc First() bool { return true }\n"
	to, config := filepath.Join(l.Folder, firstFile), filepath.Join(l.Folder, exportsFile)
	if err := os.WriteFile("first.go", []byte(text), 0o600); err != nil {
		return err
	}
	args := slices.Concat([]string{"-o", to, "-p", firstPackage, "-lang", p.Language, "-complete", "-pack", "-importcfg", config}, libraryObjects, []string{"first.go"})
	if text, err := exec.Command(filepath.Join(p.Tools, "compile"), args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	exports, err := os.ReadFile(config)
	if err != nil {
		return err
	}
	return os.WriteFile(config, fmt.Appendf(exports, "packagefile %s=%s\n", firstPackage, to), 0o600)
}

// copyExport copies what the compiler reads of a compiled package, which is the first file
// of an archive. The packages themselves go does not keep for ever.
func copyExport(from, to string) error {
	const start, header = len("!<arch>\n"), 60
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if len(text) < start+header {
		return errFormat
	}
	size, err := strconv.Atoi(strings.TrimSpace(string(text[start+48 : start+58])))
	if err != nil || start+header+size > len(text) {
		return errFormat
	}
	return os.WriteFile(to, text[:start+header+size], 0o600)
}

var errChanged = errors.New("sources have changed meanwhile")

// compiler is the C compiler.
func compiler() string {
	if name := os.Getenv("CC"); name != "" {
		return name
	}
	return "gcc"
}

// system finds what the C compiler would have the system's linker do for a program.
func (l *library) system() error {
	if err := os.WriteFile("main.c", []byte("int main(void) { return 0; }\n"), 0o600); err != nil {
		return err
	}
	if text, err := exec.Command(compiler(), "-pie", "-fPIE", "-o", "main", "main.c").CombinedOutput(); err != nil {
		return fmt.Errorf("the C compiler: %w: %s", err, text)
	}
	program, err := elf.Open("main")
	if err != nil {
		return err
	}
	defer program.Close()
	interpreter := program.Section(".interp")
	if interpreter == nil {
		return errors.New("the C compiler makes static programs")
	}
	dynamic, err := interpreter.Data()
	if err != nil {
		return err
	}
	files := map[string]string{}
	for _, name := range []string{"Scrt1.o", "crti.o", "crtn.o", "libc.so.6"} {
		out, err := exec.Command(compiler(), "-print-file-name="+name).Output()
		path := strings.TrimSpace(string(out))
		if err != nil || !filepath.IsAbs(path) {
			return fmt.Errorf("the C compiler knows no %s", name)
		}
		files[name] = path
	}
	linker, err := exec.LookPath("ld")
	if err != nil {
		return err
	}
	l.Linker = []string{linker, "-pie", "-s", "-z", "now", "-z", "nocopyreloc", "-z", "noexecstack", "--export-dynamic", "--hash-style=gnu", "--allow-shlib-undefined",
		"-dynamic-linker", strings.TrimRight(string(dynamic), "\x00"), files["Scrt1.o"], files["crti.o"]}
	l.End = []string{files["libc.so.6"], files["crtn.o"]}
	return nil
}

// try links a cell with the new library and runs it.
func (l *library) try(p *plan) error {
	const text = `package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

type own struct{ error }

var name = func() string { return caller() }()

//go:noinline
func caller() string {
	at, _, _, _ := runtime.Caller(2)
	return runtime.FuncForPC(at).Name()
}

func main() {
	var who any = map[string]int{"a": 1}
	_, same := who.(map[string]int)
	var path *os.PathError
	_, err := os.Open("/nowhere/at/all")
	done := make(chan error)
	go func() { defer func() { done <- fmt.Errorf("%v: %w", recover(), own{err}) }(); var none []int; _ = none[len(os.Args)] }()
	fmt.Println(same, errors.As((<-done).(interface{ Unwrap() error }).Unwrap().(own).error, &path), name)
}
`
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		return err
	}
	with := *p
	with.Library = l
	c := &cell{}
	folder, err := os.MkdirTemp(".", "cellgo")
	if err != nil {
		return err
	}
	object, err := c.compile(&with, folder, "trial")
	if err != nil {
		return err
	}
	to, err := filepath.Abs("trial")
	if err != nil {
		return err
	}
	if err := l.link(&with, folder, object, to); err != nil {
		return fmt.Errorf("a cell cannot be linked: %w", err)
	}
	if out, err := exec.Command(to).CombinedOutput(); err != nil || string(out) != "true true main.init\n" {
		return fmt.Errorf("a cell says %q, %v", out, err)
	}
	return nil
}

// prune removes the oldest libraries and those that were never finished. A program that
// runs keeps its own.
func prune(folder string) {
	all, _ := filepath.Glob(filepath.Join(folder, "*", "*")) // none if the folder cannot be read
	finished := map[string]int64{}
	for _, path := range all {
		at := filepath.Dir(path)
		if name := filepath.Base(path); name == describedBy || name == failedBy {
			finished[at] = stampOf(path).Modified
		} else {
			finished[at] = max(finished[at], 0)
		}
	}
	folders := slices.SortedFunc(maps.Keys(finished), func(a, b string) int { return cmp.Compare(finished[b], finished[a]) })
	for i, at := range folders {
		if i >= kept || finished[at] == 0 {
			os.RemoveAll(at)
		}
	}
}
