package main

import (
	"os"
	"strings"
	"testing"
)

func TestSourceKey(t *testing.T) {
	at := checkout(t.TempDir())
	at.put(t, "mjq/a.go", "package mjq\n")
	key := func() string {
		t.Helper()
		k, err := at.sourceKey()
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	before := key()
	at.put(t, "mjq/a_test.go", "package mjq\n")
	at.put(t, "mjq/testdata/a.json", "1")
	at.put(t, "mjq/README.md", "text")
	at.put(t, "notebooks/run/main.go", "package main\n")
	if key() != before {
		t.Error("tests, their data, pages and the runner change the key")
	}
	for name, text := range map[string]string{"mjq/a.go": "package mjq // two\n", "mjq/law/b.go": "package law\n",
		"notebooks/papers/t.csv": "1", "kernels/cuda/k.cu": "1", "go.sum": "1"} {
		before = key()
		at.put(t, name, text)
		if key() == before {
			t.Errorf("%s does not change the key", name)
		}
	}
	before = key()
	if err := os.Rename(at.path("mjq/a.go"), at.path("mjq/c.go")); err != nil {
		t.Fatal(err)
	}
	if key() == before {
		t.Error("a new name does not change the key")
	}
}

// open reads a notebook of the fake checkout.
func (at checkout) open(t *testing.T, name string) notebook {
	t.Helper()
	nb, err := readNotebook(at.path(name))
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

func TestNotebookKey(t *testing.T) {
	at := checkout(t.TempDir())
	key := func(title, output, effort string, code ...string) string {
		at.put(t, "n.ipynb", fakeNotebook(t, title, output, code...))
		return at.open(t, "n.ipynb").key("sources", effort)
	}
	same := key("A title", "", "full", "x()", "y()")
	if key("Another", "12", "full", "x()", "y()") != same {
		t.Error("prose or outputs change the key")
	}
	for what, other := range map[string]string{
		"code": key("A title", "", "full", "x()", "z()"), "order": key("A title", "", "full", "y()", "x()"),
		"cell division": key("A title", "", "full", "x()y()", ""), "effort": key("A title", "", "quick", "x()", "y()"),
	} {
		if other == same {
			t.Errorf("%s does not change the key", what)
		}
	}
}

func TestKept(t *testing.T) {
	full := options{effort: "full"}
	kept := func(at checkout, name string, opt options) bool {
		t.Helper()
		_, ok := at.kept(at.open(t, "notebooks/"+name+".ipynb"), name, at.inputs(t, name), opt)
		return ok
	}
	at := fake(t)
	for name, want := range map[string]bool{"good": true, "tutorial": true, "bad": false, "late": false, "idle": false} {
		if kept(at, name, full) != want {
			t.Errorf("%s: want kept %v", name, want)
		}
	}
	if kept(at, "good", options{effort: "full", fresh: true}) || kept(at, "good", options{effort: "quick"}) {
		t.Error("kept in spite of -fresh or with another effort")
	}
	at.put(t, "build/notebooks/full/tutorial.run.json", `{"Inputs": "cut`)
	if err := os.Remove(at.executed("good", "full")); err != nil {
		t.Fatal(err)
	}
	if kept(at, "tutorial", full) || kept(at, "good", full) {
		t.Error("kept with a damaged stamp or without a copy")
	}
	at = fake(t)
	at.put(t, "mjq/queue.go", "package mjq // changed\n")
	if kept(at, "good", full) {
		t.Error("kept although the module has changed")
	}
}

// The copy of a notebook whose prose has changed gets the new prose and keeps
// its outputs; the page made of it is not up to date any more.
func TestKeptWithNewProse(t *testing.T) {
	at := checkout(t.TempDir())
	at.put(t, "notebooks/n.ipynb", fakeNotebook(t, "Old", "42", "%%\nx()"))
	at.ran(t, "n", "")
	at.put(t, "notebooks/n.ipynb", fakeNotebook(t, "New", "", "%%\nx()"))
	if _, ok := at.kept(at.open(t, "notebooks/n.ipynb"), "n", at.inputs(t, "n"), options{effort: "full"}); !ok {
		t.Fatal("not kept")
	}
	copied := at.open(t, "build/notebooks/full/n.ipynb")
	if copied.title() != "New" || joined(objects(copied.cells()[1]["outputs"])[0]["text"]) != "42" {
		t.Errorf("copy: %v", copied)
	}
	if _, err := os.Stat(at.page("n", "full")); !os.IsNotExist(err) {
		t.Errorf("the old page is still there: %v", err)
	}
}

func TestListener(t *testing.T) {
	var cells []int
	l := &listener{cell: func(i int) { cells = append(cells, i) }}
	for _, text := range []string{"warning\nmjq-", "cell 3\nmjq-cell 12\n", "the ", "end"} {
		if n, err := l.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatal(n, err)
		}
	}
	if len(cells) != 2 || cells[0] != 3 || cells[1] != 12 || l.String() != "warning\nthe end" {
		t.Errorf("cells %v, log %q", cells, l)
	}
}

func TestProgress(t *testing.T) {
	var out strings.Builder
	p := &progress{out: &out}
	end := p.begin("2/7 capacity", 40)
	p.at(12)
	p.tell(p.since.Add(90e9))
	end()
	for _, want := range []string{"2/7 capacity", "cell 12 of 40", "1m30s"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q lacks %q", out.String(), want)
		}
	}
}
