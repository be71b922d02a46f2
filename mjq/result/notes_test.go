package result

import (
	"strings"
	"testing"

	"github.com/mjqueue/mjq/internal/escape/nasty"
)

// TestNotesAreText: a note with a name of a file in it is text on a page, and one line of text.
func TestNotesAreText(t *testing.T) {
	for _, name := range nasty.Names() {
		if page := noteParagraphs([]string{name}); nasty.HTML(page) != nil || strings.Count(page, "<p>") != 1 {
			t.Errorf("%q: %s", name, page)
		}
		if text := noteLines([]string{name}); nasty.Terminal(text) != nil || strings.Count(text, "\n") != 1 {
			t.Errorf("%q: %q", name, text)
		}
	}
	note := []string{"<script>alert(1)</script>"}
	for _, page := range []string{(&Result{Notes: note}).HTML(), (&Sizing{Notes: note}).HTML(), (&Stability{Notes: note}).HTML(), (&Comparison{Notes: note}).HTML()} {
		if !strings.Contains(page, "&lt;script&gt;") || strings.Contains(page, "<script") {
			t.Error(page)
		}
	}
}
