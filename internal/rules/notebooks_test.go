package rules

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestLinesOfCells: JupyterLab cuts off code of more than 92 characters in a window of 1280
// pixels, with tabs of four.
func TestLinesOfCells(t *testing.T) {
	const longest = 92
	books, err := filepath.Glob("../notebooks/*.ipynb")
	if err != nil || len(books) == 0 {
		t.Fatalf("%d notebooks, %v", len(books), err)
	}
	cells, where := 0, ""
	for _, file := range books {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var book struct {
			Cells []struct {
				Type   string   `json:"cell_type"`
				Source []string `json:"source"`
			} `json:"cells"`
		}
		if err := json.Unmarshal(text, &book); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for i, cell := range book.Cells {
			if cell.Type != "code" {
				continue
			}
			for _, line := range cell.Source {
				line = strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    ")
				if utf8.RuneCountInString(line) > longest {
					cells++
					where += fmt.Sprintf("\n%s, cell %d: %s", filepath.Base(file), i, line)
					break
				}
			}
		}
	}
	if cells > 0 {
		t.Errorf("%d cells have lines of more than %d characters; break them:%s", cells, longest, where)
	}
}
