package main

import (
	"strings"
	"testing"
)

// TestDress: the style comes last in the head, where it overrules Jupyter's,
// and the way back first on the page; anything else than a page is refused.
func TestDress(t *testing.T) {
	got, err := dress([]byte("<html><head><style>pre{}</style></head><body><main>text</main></body></html>"))
	if err != nil {
		t.Fatal(err)
	}
	if page := string(got); !strings.HasPrefix(page, "<html><head><style>pre{}</style><style>") ||
		!strings.Contains(page, "</style>\n</head><body><main><p class=\"mjq-report\"><a href=\"index.html\">") || !strings.HasSuffix(page, "text</main></body></html>") {
		t.Errorf("%s", page)
	}
	for _, class := range []string{"mjq-panels", "mjq-panel ", "--mjq-columns", "--mjq-ratio", "--mjq-move"} {
		if !strings.Contains(pageStyle, class) {
			t.Errorf("the style lacks %s, which figures use", class)
		}
	}
	page := `<head></head><main><img alt="No description" src="data:image/svg+xml;base64,PHN2Zy8+"/><img class="x" alt="" src="data:image/svg+xml;base64,PHN2Zy8+"/>`
	if got, err = dress([]byte(page)); err != nil || strings.Count(string(got), "<svg/>") != 1 || strings.Count(string(got), "<img") != 1 {
		t.Errorf("%s, %v: want the figure in line, and it only", got, err)
	}
	if _, err := dress([]byte("not a page")); err == nil {
		t.Error("anything is taken for a page")
	}
}
