package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mjqueue/mjq/kernels/jupyter/cells"
)

// export writes a notebook anew as plain GoNB runs it, with all that this kernel adds to its
// cells written out. Outputs stay as they are.
func export(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var notebook map[string]json.RawMessage
	var all []map[string]json.RawMessage
	if err := json.Unmarshal(data, &notebook); err != nil {
		return err
	}
	if err := json.Unmarshal(notebook["cells"], &all); err != nil {
		return err
	}
	book := cells.NewBook()
	for _, cell := range all {
		if string(cell["cell_type"]) != `"code"` {
			continue
		}
		c := rules.Read(sourceOf(cell["source"]), book)
		gives := c.Shown() == "" || givesSomething(book, c)
		book.Keep(c)
		cell["source"] = plainJSON(c.Program(gives))
	}
	notebook["cells"] = plainJSON(all)
	return os.WriteFile(to, append(plainJSON(notebook), '\n'), 0o644)
}

// sourceOf is the text of a cell, which notebooks keep whole or line by line.
func sourceOf(source json.RawMessage) string {
	var text string
	var lines []string
	if json.Unmarshal(source, &text) == nil {
		return text
	}
	_ = json.Unmarshal(source, &lines) // anything else is no cell of a notebook
	return strings.Join(lines, "")
}

// givesSomething asks the compiler whether the call that is last in a cell gives anything.
func givesSomething(book *cells.Book, c *cells.Cell) bool {
	folder, err := os.MkdirTemp(filepath.Join(checkout(), ".mjq"), "export")
	if err != nil {
		return true
	}
	defer os.RemoveAll(folder)
	at, kept, _ := book.Documents(c, atHand)
	args := []string{"build", "-gcflags=-e", "-o", os.DevNull}
	for name, text := range map[string]string{"cell.go": at, "kept.go": kept} {
		path := filepath.Join(folder, name)
		if os.WriteFile(path, []byte(text), 0o600) != nil {
			return true
		}
		args = append(args, path)
	}
	build := exec.Command("go", args...)
	build.Dir = checkout()
	complaint, _ := build.CombinedOutput() // it also complains of imports that are not used
	return !strings.Contains(string(complaint), "(no value) used as value")
}
