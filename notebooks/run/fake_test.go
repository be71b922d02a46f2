package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// put writes a file of a made-up checkout, with the directories above it.
func (at checkout) put(t *testing.T, name, text string) {
	t.Helper()
	path := at.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// fakeNotebook has a heading and code cells with the ids a, b, and so on; with
// outputs it looks executed.
func fakeNotebook(t *testing.T, title, output string, code ...string) string {
	t.Helper()
	cells := []map[string]any{{"cell_type": "markdown", "id": "title", "metadata": map[string]any{}, "source": "# " + title + "\n\nText."}}
	for i, source := range code {
		outputs := []any{}
		if output != "" {
			outputs = append(outputs, map[string]any{"output_type": "stream", "name": "stdout", "text": output})
		}
		cells = append(cells, map[string]any{"cell_type": "code", "id": string(rune('a' + i)), "metadata": map[string]any{},
			"source": strings.SplitAfter(source, "\n"), "outputs": outputs, "execution_count": i + 1})
	}
	text, err := json.Marshal(map[string]any{"cells": cells, "metadata": map[string]any{}, "nbformat": 4, "nbformat_minor": 5})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ran puts what a run of a notebook leaves, and its page.
func (at checkout) ran(t *testing.T, name, checks string, faults ...fault) {
	t.Helper()
	source, err := os.ReadFile(at.path("notebooks/" + name + ".ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	at.put(t, "build/notebooks/full/"+name+".ipynb", string(source))
	at.put(t, "build/notebooks/full/"+name+".checks.jsonl", checks)
	at.put(t, "build/report/"+name+".html", "<p>page</p>")
	s := stamp{Inputs: at.inputs(t, name), Effort: "full", Duration: 90 * time.Second, Faults: faults}
	if err := s.write(at.stamp(name, "full")); err != nil {
		t.Fatal(err)
	}
}

func (at checkout) inputs(t *testing.T, name string) string {
	t.Helper()
	nb, err := readNotebook(at.path("notebooks/" + name + ".ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := at.sourceKey()
	if err != nil {
		t.Fatal(err)
	}
	return nb.key(key, "full")
}

// fake is a checkout with a notebook that passed, one of which a comparison
// failed, one that was stopped, one that was not run, and one without labels.
func fake(t *testing.T) checkout {
	t.Helper()
	at := checkout(t.TempDir())
	at.put(t, "mjq/queue.go", "package mjq\n")
	for name, code := range map[string]string{
		"good":     "%%\nlist := check.Against(\"MJSRE\", \"Table 1\", \"Table 2\")\nlist.End()",
		"tutorial": "%%\nx()",
		"bad":      "%%\nlist := check.Against(\"Golovin\", \"Figure 1\")\nlist.End()",
		"late":     "%%\nlist := check.Against(\"Golovin\", \"Figure 2\")\nlist.End()",
		"idle":     "%%\nlist := check.Against(\"Golovin\", \"Figure 3\")\nlist.End()",
	} {
		at.put(t, "notebooks/"+name+".ipynb", fakeNotebook(t, "About "+name, "", code))
	}
	at.ran(t, "tutorial", `{"rows":[{"what":"own","allowed":"claim","ok":true}]}`+"\n")
	at.ran(t, "good", `{"paper":"MJSRE","items":["Table 1","Table 2"],"rows":[`+
		`{"what":"small","ours":"1.1","expected":"1","allowed":"± 1","share":0.1,"ok":true},`+
		`{"what":"large <b>","ours":"1.5","expected":"1","allowed":"± 1","share":0.5,"ok":true},`+
		`{"what":"claim","allowed":"claim","ok":true}]}`)
	at.ran(t, "bad", `{"paper":"Golovin","items":["Figure 1"],"rows":[{"what":"off","ours":"4","expected":"1","allowed":"± 1","share":3,"ok":false}]}`,
		fault{Cell: 2, Line: "list.End()", Text: "FAIL off"})
	at.ran(t, "late", `{"paper":"Golovin","items":["Figure 2"],"rows":[{"what":"in time","allowed":"claim","ok":true}]}`,
		fault{Text: "stopped: not < finished"})
	return at
}
