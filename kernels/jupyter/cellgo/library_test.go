package main

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const across = `package other

import (
	"errors"
	"fmt"
)

type Pair[K comparable, V any] struct {
	Key   K
	Value V
}

type Fault struct{ Code int }

func (f *Fault) Error() string { return fmt.Sprint("fault ", f.Code) }

type Node struct {
	Next *Node
	Name string
}

var Count = 1

// What says which of these types x is, and has its own copies of them.
func What(x any) string {
	switch x := x.(type) {
	case map[string][]int:
		return "map"
	case Pair[string, float64]:
		return "pair " + x.Key
	case *Node:
		return "node " + x.Name
	case interface{ Twice(int) int }:
		return fmt.Sprint("twice ", x.Twice(21))
	case error:
		var f *Fault
		return fmt.Sprint(errors.As(x, &f))
	}
	return fmt.Sprintf("%T", x)
}

func Text() string { return "old" }
`

// users uses the package in all ways in which a program and a library can differ about a
// symbol: types made by both, generic code, methods, tables of methods, embedded values,
// large arrays of pointers, which the linker looks into, maps, goroutines and panics.
const users = `package main

import (
	"fmt"
	"os"
	"strings"

	"example.org/other"
)

type doubler struct{ other.Node }

func (doubler) Twice(n int) int { return 2 * n }

var many [50000]*other.Node
var table = map[string]other.Pair[string, float64]{"a": {"k", 2}}
var nodes = []other.Node{{Name: "first"}, {Name: "second"}}

func sum[T int | float64](all ...T) (s T) {
	for _, a := range all {
		s += a
	}
	return s
}

func main() {
	other.Count += 2
	for i := range many {
		many[i] = &other.Node{Name: strings.Repeat("x", i%9)}
	}
	done := make(chan any)
	go func() {
		defer func() { done <- recover() }()
		panic(&other.Fault{Code: other.Count})
	}()
	fault := (<-done).(error)
	_, err := os.Open("/nowhere/at/all")
	fmt.Println(other.What(map[string][]int{"a": nil}), other.What(table["a"]), other.What(&nodes[1]), other.What(doubler{}),
		other.What(fmt.Errorf("in: %w", fault)), other.What(err), other.What(other.Pair[int, doubler]{}), sum(1, 2, 3), sum(.5, 1), fault, os.IsNotExist(err), len(many[17].Name))
}
`

const usersSay = "map pair k node second twice 42 true false other.Pair[int,main.doubler] 6 1.5 fault 3 true 8\n"

// TestLibrary goes through a session in which there is no library at first, then one, then
// one of older code, and at last one that is damaged: cells say the same by all.
func TestLibrary(t *testing.T) {
	if os.Getenv("MJQ_LONG") == "" {
		t.Skip("runs with MJQ_LONG=1: it compiles the standard library once more, and needs a C compiler")
	}
	other := session(t)
	folder := filepath.Join(t.TempDir(), "cells")
	t.Setenv("MJQ_LIBRARY", folder)
	write(t, filepath.Join(other, "other.go"), across)
	write(t, source, users)
	make := func() {
		t.Helper()
		if err := makeLibrary(folder, other, []string{"errors", "fmt", "os", "strings", "example.org/other"}); err != nil {
			t.Fatal(err)
		}
	}
	with := func(want bool) {
		t.Helper()
		f, err := elf.Open("cell")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if libraries, _ := f.ImportedLibraries(); slices.Contains(libraries, libraryFile) != want {
			t.Errorf("the cell is linked with %q; want it linked with a library: %v", libraries, want)
		}
	}
	for _, step := range []struct {
		what    string
		do      func()
		known   bool
		library bool
	}{
		{"no library", func() {}, false, false},
		{"a library", make, true, true},
		{"the library again", make, true, true},
		{"a library of older code", func() {
			write(t, filepath.Join(other, "other.go"), strings.Replace(across, `"old"`, `"young"`, 1))
		}, false, false},
		{"a library of that code too", make, true, true},
		{"a damaged library", func() {
			files, _ := filepath.Glob(filepath.Join(folder, "*", libraryFile))
			if len(files) != 2 {
				t.Errorf("there are %q", files)
			}
			for _, f := range files {
				if err := os.Truncate(f, 5000); err != nil {
					t.Fatal(err)
				}
			}
		}, true, false},
		{"a library made again", make, true, true},
	} {
		step.do()
		if got := printed(t, step.known); got != usersSay {
			t.Errorf("with %s a cell prints %q, want %q", step.what, got, usersSay)
		}
		with(step.library)
	}
}

// TestNoLibraryWithoutCompiler: where there is no C compiler cells are linked whole, and
// nobody tries again for the same code.
func TestNoLibraryWithoutCompiler(t *testing.T) {
	other := session(t)
	folder := filepath.Join(t.TempDir(), "cells")
	t.Setenv("MJQ_LIBRARY", folder)
	t.Setenv("CC", "/nowhere/gcc")
	write(t, source, program)
	roots := []string{"example.org/other"}
	if err := makeLibrary(folder, other, roots); err == nil {
		t.Error("a library by a compiler that is not there")
	}
	if err := makeLibrary(folder, other, roots); err != nil {
		t.Errorf("tried again: %v", err)
	}
	if got := printed(t, false); got != "oldold 1\n" {
		t.Errorf("a cell prints %q", got)
	}
}

// TestOldLibrariesGo: three are kept, the newest, and none that is not finished.
func TestOldLibrariesGo(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a", "b", "c", "d"} {
		write(t, filepath.Join(folder, name, describedBy), "{}")
	}
	if err := os.Chtimes(filepath.Join(folder, "b", describedBy), time.Time{}, time.Now().Add(-2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "e", libraryFile), "half of one")
	prune(folder)
	if left, _ := filepath.Glob(filepath.Join(folder, "?")); len(left) != 3 || slices.Contains(left, filepath.Join(folder, "b")) {
		t.Errorf("%q are left", left)
	}
}

// TestSymbolNames: names of another format are an error, not nonsense.
func TestSymbolNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "main.a")
	for _, text := range []string{"", "!<arch>\n", magic, magic + strings.Repeat("\xff", 200), magic + strings.Repeat("\x00", 12) + strings.Repeat("\x50\x00\x00\x00", 30)} {
		write(t, path, text)
		if names, err := symbolNames(path); err == nil && len(names) > 0 {
			t.Errorf("%q has names %q", text, names)
		}
	}
}

// TestTheLinkerIsKnown fails with a new version of Go, whose linker may have other habits.
func TestTheLinkerIsKnown(t *testing.T) {
	version, err := exec.Command("go", "env", "GOVERSION").Output()
	if err != nil {
		t.Fatal(err)
	}
	if v := string(version); !strings.HasPrefix(v, knownLinker+".") && strings.TrimSpace(v) != knownLinker {
		t.Fatalf("cells are linked whole, .3 s slower: their library is known to work with %s, and this is %s.\n"+
			"Follow the steps of kernels/jupyter/cellgo/LIBRARY.md, or set MJQ_LIBRARY=off.", knownLinker, v)
	}
}
