package playground

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestDrawingEscapes: the page writes the names of classes into its pictures and tables by a
// function that escapes what HTML has a meaning for.
func TestDrawingEscapes(t *testing.T) {
	text, err := os.ReadFile("page/draw.js")
	if err != nil {
		t.Fatal(err)
	}
	source := string(text)
	if !strings.Contains(source, "const escaped = (s) => String(s).replace(/[&<>\"]/g, (c) => `&#${c.charCodeAt(0)};`);") {
		t.Error("escaped does not escape &, <, > and quotes")
	}
	names := regexp.MustCompile("[`>]\\$\\{([^}]*name[^}]*)\\}").FindAllStringSubmatch(source, -1)
	if len(names) < 3 {
		t.Errorf("only %d names were found", len(names))
	}
	for _, n := range names {
		own := n[1] == "name" || strings.HasPrefix(n[1], "fates.map(") || n[1] == "name} ${short(value)"
		label := strings.HasPrefix(n[1], "r.name") // in the label, which svg escapes
		if !strings.HasPrefix(n[1], "escaped(") && !own && !label {
			t.Errorf("%s is written as it is", n[0])
		}
	}
	if !strings.Contains(source, `aria-label="${escaped(label)}"`) {
		t.Error("labels are written as they are")
	}
}
