package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// start does what GoNB asks of go when a session starts, which are three commands of go for
// two small files: a module of the cells and a workspace of it and the checkout. It
// reports whether it has; anything else is for go.
func start(args []string) bool {
	program, err := os.Executable()
	if err != nil {
		return false
	}
	return startIn(filepath.Dir(filepath.Dir(filepath.Dir(program))), args)
}

func startIn(checkout string, args []string) bool {
	// Any go that compiles the checkout knows its version of the language.
	version := ""
	text, _ := os.ReadFile(filepath.Join(checkout, "go.mod"))
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "go ") {
			version = line
		}
	}
	if version == "" || strings.ContainsAny(checkout, "\"`\\ \t\n()[]{},;*'#") {
		return false
	}
	write := func(name, text string) bool {
		if _, err := os.Stat(name); err == nil {
			return false
		}
		return os.WriteFile(name, []byte(text), 0o600) == nil
	}
	switch {
	case len(args) == 3 && slices.Equal(args[:2], []string{"mod", "init"}):
		return write("go.mod", "module "+args[2]+"\n\n"+version)
	case slices.Equal(args, []string{"work", "init"}):
		return write("go.work", version)
	case slices.Equal(args, []string{"work", "use", checkout, "."}):
		if text, err := os.ReadFile("go.work"); err != nil || string(text) != version {
			return false
		}
		return os.WriteFile("go.work", fmt.Appendf(nil, "%s\nuse (\n\t.\n\t%s\n)\n", version, checkout), 0o600) == nil
	}
	return false
}
