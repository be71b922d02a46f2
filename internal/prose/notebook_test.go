package prose

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// cell is a cell of a notebook, with texts as they are written: as a string or as its lines.
type cell struct {
	Type    string          `json:"cell_type"`
	Source  json.RawMessage `json:"source"`
	Outputs []struct {
		Data map[string]json.RawMessage `json:"data"`
	} `json:"outputs"`
}

// cells are those of a notebook.
func cells(t *testing.T, file string) []cell {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var book struct{ Cells []cell }
	if err := json.Unmarshal(text, &book); err != nil || len(book.Cells) == 0 {
		t.Fatalf("%s: %d cells, %v", file, len(book.Cells), err)
	}
	return book.Cells
}

// notebook returns the passages of the Markdown cells, numbered by cell.
func notebook(t *testing.T, file string) (all []passage) {
	t.Helper()
	for n, c := range cells(t, file) {
		if c.Type != "markdown" {
			continue
		}
		for _, p := range markdown(file, source(t, c.Source)) {
			p.line = n
			all = append(all, p)
		}
	}
	return all
}

// source is the text of a cell, which is written as a string or as its lines.
func source(t *testing.T, cell json.RawMessage) string {
	t.Helper()
	var text string
	var lines []string
	if bytes.HasPrefix(cell, []byte("[")) {
		if err := json.Unmarshal(cell, &lines); err != nil {
			t.Fatal(err)
		}
		return strings.Join(lines, "")
	}
	if err := json.Unmarshal(cell, &text); err != nil {
		t.Fatal(err)
	}
	return text
}
