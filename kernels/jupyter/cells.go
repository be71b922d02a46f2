package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// gotFile, in the directory of the cells, says what the last "go get" resolved.
// Go passes over names that begin with a dot.
const gotFile = ".mjq-got"

// needsGet reports whether the cells in dir import anything that the last
// "go get" there did not resolve. In doubt the answer is yes. GoNB runs that
// command before every build; BenchmarkCell says what it costs without news.
func needsGet(dir, checkout string) bool {
	recorded, err := os.ReadFile(filepath.Join(dir, gotFile))
	if err != nil {
		return true
	}
	imports, err := importsIn(dir)
	if err != nil {
		return true
	}
	lines := strings.Split(string(recorded), "\n")
	if lines[0] != stateOf(dir, checkout) {
		return true
	}
	return slices.ContainsFunc(imports, func(path string) bool {
		_, found := slices.BinarySearch(lines[1:], path)
		return !found
	})
}

// recordGet notes what a "go get" that succeeded has resolved.
func recordGet(dir, checkout string) error {
	imports, err := importsIn(dir)
	if err != nil {
		return nil // the build, which comes next, says it better
	}
	lines := append([]string{stateOf(dir, checkout)}, imports...)
	return os.WriteFile(filepath.Join(dir, gotFile), []byte(strings.Join(lines, "\n")), 0o600)
}

// importsIn are the imports of all Go files in dir, sorted.
func importsIn(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return nil, err
		}
		for _, spec := range file.Imports {
			paths = append(paths, strings.Trim(spec.Path.Value, "`\""))
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// stateOf changes with the requirements of the cells and of the checkout.
func stateOf(dir, checkout string) string {
	state := ""
	for _, module := range []string{dir, checkout} {
		info, err := os.Stat(filepath.Join(module, "go.mod"))
		if err != nil {
			return err.Error()
		}
		state += fmt.Sprint(info.ModTime().UnixNano(), info.Size(), ";")
	}
	return state
}

// lean leaves the symbol table out of the program that "go build" makes of the
// cells; panics keep their lines. Flags of the user win.
func lean(args []string, goflags string) []string {
	if strings.Contains(goflags, "ldflags") {
		return args
	}
	return slices.Insert(slices.Clone(args), 1, "-ldflags=-s")
}
