package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGallery writes the page of pictures that cost nothing: question, text, picture, caption, code
// with what it calls.
func TestGallery(t *testing.T) {
	folder := t.TempDir()
	some := []part{{"Why?", []entry{{"changes", changes}, {"gantt", gantt}, {"noWaitByTime", noWaitByTime}}}}
	if err := write(context.Background(), ".", folder, some); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(folder, "gallery.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"## Why?", `<a href="#gantt"><img src="gallery/gantt.svg" alt=""><span>A job that needs`, "Draws rows of one's own",
		"*Left of the line jobs wait less long. Largest certain change: four more servers, -12.0 ± 3.0 min.",
		"    func day(ctx context.Context) *result.Transient {\n    \tqueue := ", "\n    plots.NoWaitByTime(day(ctx))\n",
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	for _, name := range []string{"changes", "gantt", "noWaitByTime"} {
		if svg, err := os.ReadFile(filepath.Join(folder, "gallery", name+".svg")); err != nil || !strings.Contains(string(svg), "<svg") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEveryKind: each function of package plots that draws is in the gallery, and each picture has
// a text and code without what only this command needs.
func TestEveryKind(t *testing.T) {
	code, err := bodies(".")
	if err != nil {
		t.Fatal(err)
	}
	all, seen := "", map[string]bool{}
	for _, p := range parts() {
		for _, e := range p.pictures {
			all += code[e.name].text
			if seen[e.name] || len(code[e.name].about) < 20 {
				t.Errorf("%s is there twice or says nothing of itself: %q", e.name, code[e.name].about)
			}
			seen[e.name] = true
		}
	}
	drawing := regexp.MustCompile(`(?m)^func ([A-Z]\w+)\(.*\) \*figure\.`)
	sources, err := filepath.Glob("../../mjq/plots/*.go")
	if err != nil || len(sources) == 0 {
		t.Fatal(sources, err)
	}
	for _, name := range sources {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range drawing.FindAllStringSubmatch(string(text), -1) {
			if !strings.Contains(all, "plots."+f[1]+"(") {
				t.Errorf("no picture shows plots.%s", f[1])
			}
		}
	}
}
