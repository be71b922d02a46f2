package escape

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mjqueue/mjq/internal/escape/nasty"
)

// TestNastyNames: whatever a name is, each form holds it as text.
func TestNastyNames(t *testing.T) {
	for _, name := range nasty.Names() {
		line := Line(name)
		if err := nasty.Terminal(line); err != nil || strings.Contains(line, "\n") || Line(line) != line {
			t.Errorf("Line(%q) = %q: %v", name, line, err)
		}
		if name == strings.ToValidUTF8(name, "") && !strings.ContainsFunc(name, unseen) && line != name {
			t.Errorf("Line(%q) = %q", name, line)
		}
		if got := Lines(name + "\nx"); got != Lines(name)+"\nx" || nasty.Terminal(got) != nil {
			t.Errorf("Lines(%q) = %q", name, got)
		}
		markup := `<svg xmlns="http://www.w3.org/2000/svg" aria-label="` + HTML(name) + `"><text>` + HTML(name) + `</text></svg>`
		var svg struct {
			Label string `xml:"aria-label,attr"`
			Text  string `xml:"text"`
		}
		if err := xml.Unmarshal([]byte(markup), &svg); err != nil || svg.Label != line || svg.Text != line || nasty.SVG(markup) != nil || nasty.HTML(markup) != nil {
			t.Errorf("%s: %+v, %v, %v", markup, svg, err, nasty.HTML(markup))
		}
		row := CSV([][]string{{name, "1"}, {"a", "b"}})
		cells, err := csv.NewReader(strings.NewReader(row)).ReadAll()
		if err != nil || nasty.CSV(row) != nil || strings.TrimPrefix(cells[0][0], "'") != strings.TrimPrefix(line, "'") {
			t.Errorf("CSV(%q) = %q: %v, %v", name, row, err, nasty.CSV(row))
		}
		written, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		var read string
		text := JSON(written)
		if err := json.Unmarshal(text, &read); err != nil || read != strings.ToValidUTF8(name, "\ufffd") && utf8.ValidString(name) || nasty.Terminal(string(text)) != nil {
			t.Errorf("JSON(%s) = %s, read as %q: %v", written, text, read, err)
		}
		if strings.Contains(name, "\x00") {
			continue // no argument of a program has one
		}
		out, err := exec.Command("sh", "-c", "printf %s "+Shell(name)+" x").Output()
		if err != nil || string(out) != name+"x" {
			t.Errorf("Shell(%q) = %s, printed as %q: %v", name, Shell(name), out, err)
		}
	}
}

// TestNumbersInCSV: numbers stay numbers.
func TestNumbersInCSV(t *testing.T) {
	for _, cell := range []string{"-1", "-1.5e-07", "-inf", "1", "", "a-b", "NaN"} {
		if got := CSV([][]string{{cell, "1"}}); got != cell+",1\n" {
			t.Errorf("CSV(%q) = %q", cell, got)
		}
	}
	for _, cell := range []string{"-", "--1", "+1", "-+1", "=1", "@x", "- x"} {
		if got := CSV([][]string{{cell}}); got != "'"+cell+"\n" {
			t.Errorf("CSV(%q) = %q", cell, got)
		}
	}
}
