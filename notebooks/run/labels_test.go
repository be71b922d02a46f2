package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestDeclarations(t *testing.T) {
	at := checkout(t.TempDir())
	at.put(t, "n.ipynb", fakeNotebook(t, "check.Against(1)", "",
		"list := check.Against(\"MJSRE\",\n\t\"Table 1\", \"Figure 2(a)\")\nother := check.Against(\"Golovin\", \"Figure 5\")",
		"var list check.List",
		"check.Against(\"Golovin\", \"Figure 6\")",
		"check.Against(\"Golovin\", item)",
		"check.Against(\"Golovin\")"))
	got, faults := at.open(t, "n.ipynb").declarations()
	if len(got) != 3 || got[0].Cell != 2 || !slices.Equal(got[0].Items, []string{"Table 1", "Figure 2(a)"}) || got[1].Paper != "Golovin" {
		t.Errorf("declared: %+v", got)
	}
	want := []string{"cell 4: no \"Figure 6\"", "cell 5: check.Against wants", "cell 6: check.Against wants"}
	if len(faults) != len(want) {
		t.Fatalf("faults: %q", faults)
	}
	for i, w := range want {
		if !strings.HasPrefix(faults[i], w) {
			t.Errorf("fault %q, want %q", faults[i], w)
		}
	}
}

// The notebooks of this repository name only papers and items that there are.
func TestLabelsOfTheNotebooks(t *testing.T) {
	at, err := findCheckout()
	if err != nil {
		t.Fatal(err)
	}
	paths, err := at.notebooks()
	if err != nil {
		t.Fatal(err)
	}
	declared := 0
	for _, path := range paths {
		nb, err := readNotebook(path)
		if err != nil {
			t.Fatal(err)
		}
		all, faults := nb.declarations()
		declared += len(all)
		for _, f := range faults {
			t.Errorf("%s: %s", nameOf(path), f)
		}
	}
	if declared == 0 {
		t.Error("no notebook reproduces anything")
	}
}

// README.md may have old numbers, but not names of what is not there.
func TestReadme(t *testing.T) {
	at, err := findCheckout()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(at.path("README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, begun := strings.Cut(string(text), sectionBegin)
	body, _, ended := strings.Cut(rest, sectionEnd)
	if !begun || !ended {
		t.Fatal("README.md lacks the markers of the section")
	}
	for _, f := range at.strays(body) {
		t.Error(f)
	}
	if len(at.strays("[x](notebooks/no-such.ipynb)\n\n**MJSRE** (x)\n\n| Table 9 | | open |\n**Nobody** (x)\n")) != 3 {
		t.Error("made-up names pass")
	}
}

var (
	notebookLink = regexp.MustCompile(`\]\((notebooks/[^)]*)\)`)
	paperHeading = regexp.MustCompile(`^\*\*([^*]+)\*\* \(`)
	itemRow      = regexp.MustCompile(`^\| ((?:Figure|Table|Section|Theorem) [^|]+) \|`)
)

// strays are the names in a section of which there is no notebook or item.
func (at checkout) strays(section string) (faults []string) {
	for _, match := range notebookLink.FindAllStringSubmatch(section, -1) {
		if _, err := os.Stat(at.path(match[1])); err != nil {
			faults = append(faults, fmt.Sprintf("README.md leads to %s, which is not there; make matrix", match[1]))
		}
	}
	paper := ""
	for text := range strings.Lines(section) {
		if match := paperHeading.FindStringSubmatch(text); match != nil {
			paper = match[1]
			if len(itemsOf(paper)) == 0 {
				faults = append(faults, fmt.Sprintf("README.md names the paper %q; make matrix", paper))
			}
		} else if match := itemRow.FindStringSubmatch(text); match != nil && !known(paper, match[1]) {
			faults = append(faults, fmt.Sprintf("README.md names %q of %q; make matrix", match[1], paper))
		}
	}
	return faults
}

func itemsOf(name string) []string {
	for _, p := range library {
		if p.Name == name {
			return p.Items
		}
	}
	return nil
}
