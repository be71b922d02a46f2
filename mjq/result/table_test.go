package result

import (
	"strings"
	"testing"
)

// TestTableOnAPage: the table scrolls by itself, symbols have their indices, and
// nothing of the text is taken for markup.
func TestTableOnAPage(t *testing.T) {
	page := NewTable("a < b").Text("what", "E[H_K]/K above 1/λ_c", "some_name, max_1 & μ_1").Numbers("λ_c", 1, 2).HTML()
	for _, want := range []string{`<div style="overflow-x:auto`, "a &lt; b", "E[H<sub>K</sub>]/K above 1/λ<sub>c</sub>",
		"some_name, max_1 &amp; μ<sub>1</sub>", ">λ<sub>c</sub></th>", "min-width:11em"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
	short := NewTable("").Text("law", "± 1.1e-08").HTML()
	if !strings.Contains(short, "text-align:left;white-space:nowrap") || strings.Contains(short, "min-width") {
		t.Errorf("a short cell may break: %s", short)
	}
}
