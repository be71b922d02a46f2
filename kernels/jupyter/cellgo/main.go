// Command cellgo is what the kernel calls in the place of go to get the modules of a cell
// and to compile it. Of the time of go, most went into finding out for every cell that 280
// packages have not changed. Cellgo asks go once for each set of imports and then looks
// whether the sources in the workspace are as they were, a millisecond, and calls compiler
// and linker itself.
//
//	cellgo get            the packages that the cell imports, with go get if one is missing
//	cellgo build -o FILE  the cell in this folder, as go build does
//	cellgo mod init X     and work init, work use: the two files of a new session
//	cellgo library        makes the library with which cells are linked
//
// Most of the rest went into linking the same 300 packages with every cell. Those that cells
// usually import are linked once, to a shared library, in the background of the first
// cells after they have changed, and then only the cell is linked. Where that is not
// possible, such as without a C compiler, cells are linked whole.
//
// Whatever is not as in a plain cell, such as flags, tags, cgo, tests or another system, is
// left to go, and so is all else that it is called with.
//
// It also tells the program which code is in it (package cache), by the contents of the
// packages that are linked, so that results of older code are not taken for its own.
package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/mjqueue/mjq/kernels/jupyter/cells"
)

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	if len(args) == 1 && args[0] == "library" {
		return makeLibraryOf(usual)
	}
	if start(args) {
		return 0
	}
	c, plain := readCell(args)
	if !plain {
		return leave(args)
	}
	p := c.known()
	if p == nil {
		if p = c.plan(); p == nil {
			return leave(args)
		}
		p.keep()
	}
	if args[0] == "get" {
		return 0
	}
	failure := c.build(p, args[2])
	if failure == nil {
		p.order()
		return 0
	}
	if errors.Is(failure, errRejected) {
		return 1
	}
	os.Remove(planFile(c.imports)) // such as files that are gone from the cache
	return leave(args)
}

// shows is the function with which the front has the last expression of a cell shown.
const shows = "widgets.Last"

// amended changes the cell where the compiler complains that the argument of that function gives
// nothing, or of an import that an earlier cell needs, and reports whether it may be compiled again.
func amended(complaint []byte) bool {
	text, err := os.ReadFile(source)
	if err != nil {
		return false
	}
	better, unshown := cells.Unshown(string(text), string(complaint), shows)
	if !unshown {
		better = string(text)
	}
	better, blank := cells.Blanked(better, string(complaint))
	return (unshown || blank) && os.WriteFile(source, []byte(better), 0o600) == nil
}

// makeLibraryOf says why there is no library if there is none afterwards.
func makeLibraryOf(roots []string) int {
	// Others go first; a failure to say so costs them time only.
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, 19)
	program, err := os.Executable()
	if folder := libraries(); err == nil && folder != "" {
		err = makeLibrary(folder, filepath.Dir(filepath.Dir(filepath.Dir(program))), roots)
	}
	if err != nil {
		os.Stderr.WriteString("cellgo: cells are linked whole: " + err.Error() + "\n")
		return 1
	}
	return 0
}

// leave has go do it.
func leave(args []string) int {
	path, err := exec.LookPath("go")
	if err == nil && len(args) > 0 && (args[0] == "build" || args[0] == "test") {
		text, failure := exec.Command(path, args...).CombinedOutput()
		if failure == nil || !amended(text) {
			os.Stderr.Write(text)
			if failure != nil {
				return 1
			}
			return 0
		}
	}
	if err == nil {
		err = syscall.Exec(path, append([]string{"go"}, args...), os.Environ())
	}
	os.Stderr.WriteString("cellgo: " + err.Error() + "\n")
	return 1
}
