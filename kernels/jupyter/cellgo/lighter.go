package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// lighterWork is the workspace of the session with a lighter GoNB in it.
const lighterWork = "cellgo.work"

// lighter writes that workspace, and returns what has go take it: package gonbui comes
// from the copy of GoNB that set-up has patched, if it lies beside the folder of this
// program, and links a tenth less into every cell.
func lighter() []string {
	program, err := os.Executable()
	if err != nil {
		return nil
	}
	return lighterBy(filepath.Join(filepath.Dir(filepath.Dir(program)), "gonb"))
}

func lighterBy(gonb string) []string {
	text, err := os.ReadFile("go.work")
	if err != nil {
		return nil
	}
	if _, err := os.Stat(filepath.Join(gonb, "go.mod")); err != nil {
		return nil
	}
	text = fmt.Appendf(text, "\nreplace github.com/janpfeifer/gonb => %q\n", gonb)
	sums, _ := os.ReadFile("go.work.sum") // there is none unless modules were got
	if os.WriteFile(lighterWork, text, 0o600) != nil || os.WriteFile(lighterWork+".sum", sums, 0o600) != nil {
		return nil
	}
	path, err := filepath.Abs(lighterWork)
	if err != nil {
		return nil
	}
	return []string{"GOWORK=" + path}
}
