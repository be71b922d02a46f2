package prose

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// notebook returns the passages of the Markdown cells, numbered by cell.
func notebook(t *testing.T, file string) []passage {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var book struct {
		Cells []struct {
			Type   string          `json:"cell_type"`
			Source json.RawMessage `json:"source"`
		}
	}
	if err := json.Unmarshal(text, &book); err != nil {
		t.Fatal(err)
	}
	var all []passage
	for n, cell := range book.Cells {
		if cell.Type != "markdown" {
			continue
		}
		for _, p := range markdown(file, source(t, cell.Source)) {
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
