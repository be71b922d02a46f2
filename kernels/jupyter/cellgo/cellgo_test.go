package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// session makes the folder of a session as GoNB does, with a workspace of the cells'
// module and one more, goes there, and returns the folder of the other module.
func session(t *testing.T) (other string) {
	t.Helper()
	root := t.TempDir()
	other = filepath.Join(root, "other")
	write(t, filepath.Join(other, "go.mod"), "module example.org/other\n\ngo 1.26\n")
	write(t, filepath.Join(other, "other.go"), "package other\n\nfunc Text() string { return \"old\" }\n")
	cells := filepath.Join(root, "gonb_1")
	write(t, filepath.Join(cells, "go.mod"), "module gonb_1\n\ngo 1.26\n")
	write(t, filepath.Join(cells, "go.work"), "go 1.26\n\nuse (\n\t.\n\t../other\n)\n")
	t.Chdir(cells)
	t.Setenv("GOFLAGS", "-trimpath") // as all else here is compiled
	for _, name := range []string{"GOWORK", "GOOS", "GOARCH", "CGO_ENABLED"} {
		t.Setenv(name, "")
	}
	return other
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

const program = `package main

import (
	"fmt"

	"example.org/other"
)

func twice(text string) string { return text + text }

func main() {
	fmt.Println(twice(other.Text()), 1)
}
`

// printed builds the cell with a known plan or a new one and returns what it prints.
func printed(t *testing.T, wantKnown bool) string {
	t.Helper()
	c, plain := readCell([]string{"build", "-o", "cell"})
	if !plain {
		t.Fatal("not a plain cell")
	}
	p := c.known()
	if (p != nil) != wantKnown {
		t.Errorf("the plan is known: %v, want %v", p != nil, wantKnown)
	}
	if p == nil {
		if p = c.plan(); p == nil {
			t.Fatal("no plan")
		}
		p.keep()
	}
	if err := c.build(p, "cell"); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("./cell").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if left, err := filepath.Glob("cellgo*[0-9]"); err != nil || len(left) > 0 {
		t.Errorf("%q are left, %v", left, err)
	}
	return string(out)
}

// TestCells goes through a session: a new cell of the same imports needs no plan, and an
// edited package of the workspace, another import or other settings do.
func TestCells(t *testing.T) {
	other := session(t)
	write(t, source, program)
	for _, step := range []struct {
		what  string
		do    func()
		known bool
		want  string
	}{
		{"the first cell", func() {}, false, "oldold 1\n"},
		{"another cell", func() { write(t, source, strings.ReplaceAll(program, " 1)", " 2)")) }, true, "oldold 2\n"},
		{"an edited package", func() {
			write(t, filepath.Join(other, "other.go"), "package other\n\nfunc Text() string { return \"young\" }\n")
		}, false, "youngyoung 2\n"},
		{"a new file", func() {
			write(t, filepath.Join(other, "init.go"), "package other\n\nfunc init() { println() }\n")
		}, false, "\nyoungyoung 2\n"},
		{"another import", func() {
			write(t, source, "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"x\") }\n")
		}, false, "x"},
		{"the imports before", func() { write(t, source, program) }, true, "\nyoungyoung 1\n"},
		{"and the others", func() {
			write(t, source, "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"y\") }\n")
		}, true, "y"},
		{"other settings", func() { t.Setenv("GOGC", "150") }, false, "y"},
		{"the same", func() {}, true, "y"},
	} {
		step.do()
		if got := printed(t, step.known); got != step.want {
			t.Errorf("%s prints %q, want %q", step.what, got, step.want)
		}
	}
}

// TestFaultsAreToldAsGoTellsThem compares the words of the compiler with those of go.
func TestFaultsAreToldAsGoTellsThem(t *testing.T) {
	session(t)
	write(t, source, strings.ReplaceAll(program, "other.Text()", "other.Txt()"))
	tool := filepath.Join(t.TempDir(), "cellgo")
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", tool, ".")
	build.Dir = home
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	to := filepath.Join(folder, "cell")
	ours, failure := exec.Command(tool, "build", "-o", to).CombinedOutput()
	theirs, err := exec.Command("go", "build", "-o", to).CombinedOutput()
	if failure == nil || err == nil || string(ours) != string(theirs) {
		t.Errorf("%v: %s\nand go, %v: %s", failure, ours, err, theirs)
	}
	if out, err := exec.Command(tool, "version").Output(); err != nil || !strings.HasPrefix(string(out), "go version") {
		t.Errorf("what is for go: %s, %v", out, err)
	}
}

// home is the folder of this package, from before any test leaves it.
var home, _ = os.Getwd()

// TestStart: the files of a new session are those that go takes, and whatever is not
// exactly the start of a session is left to go.
func TestStart(t *testing.T) {
	checkout := filepath.Join(t.TempDir(), "checkout")
	write(t, filepath.Join(checkout, "go.mod"), "module example.org/other\n\ngo 1.26.0\n")
	write(t, filepath.Join(checkout, "other.go"), "package other\n\nfunc Text() string { return \"old\" }\n")
	t.Chdir(t.TempDir())
	use := []string{"work", "use", checkout, "."}
	for _, args := range [][]string{{"mod", "init"}, {"mod", "tidy", "x"}, {"work", "use", "."}, {"work", "use", "/elsewhere", "."}, use} {
		if startIn(checkout, args) {
			t.Errorf("%q is not left to go", args)
		}
	}
	for _, args := range [][]string{{"mod", "init", "gonb_1"}, {"work", "init"}, use} {
		if !startIn(checkout, args) {
			t.Errorf("%q is left to go", args)
		}
		if startIn(checkout, args) {
			t.Errorf("%q is done again", args)
		}
	}
	write(t, source, program)
	if out, err := exec.Command("go", "run", ".").CombinedOutput(); err != nil || string(out) != "oldold 1\n" {
		t.Errorf("%v: %s", err, out)
	}
	if startIn(filepath.Join(checkout, "nowhere"), []string{"work", "init"}) {
		t.Error("a workspace of a checkout that is not there")
	}
}

// TestWhatIsForGo lists what cellgo leaves alone.
func TestWhatIsForGo(t *testing.T) {
	session(t)
	build := []string{"build", "-o", "cell"}
	for what, c := range map[string]struct {
		args          []string
		program       string
		name, setting string
	}{
		"tags":           {append(build, "-tags=cuda"), program, "", ""},
		"tests":          {[]string{"test", "-c", "-o", "cell"}, program, "", ""},
		"get of tests":   {[]string{"get", "-t"}, program, "", ""},
		"cgo":            {build, strings.Replace(program, `"fmt"`, `"C"`, 1), "", ""},
		"directives":     {build, strings.Replace(program, "func twice", "//go:noinline\nfunc twice", 1), "", ""},
		"no Go":          {build, "package main\n\nfunc main( {}\n", "", ""},
		"flags":          {build, program, "GOFLAGS", "-race"},
		"WebAssembly":    {build, program, "GOARCH", "wasm"},
		"another system": {build, program, "GOOS", "plan9"},
	} {
		t.Run(what, func(t *testing.T) {
			write(t, source, c.program)
			if c.name != "" {
				t.Setenv(c.name, c.setting)
			}
			if _, plain := readCell(c.args); plain {
				t.Error("taken for a plain cell")
			}
		})
	}
	write(t, source, program)
	write(t, "more.go", "package main\n")
	if _, plain := readCell(build); plain {
		t.Error("a second file is left out")
	}
}

// TestFingerprints: the cell of the moment is no part of the declarations, anything else
// is.
func TestFingerprints(t *testing.T) {
	session(t)
	of := func(text string) string {
		write(t, source, text)
		c, plain := readCell([]string{"get"})
		if !plain {
			t.Fatal("not a plain cell")
		}
		return c.declarations
	}
	first := of(program)
	if of(strings.ReplaceAll(program, " 1)", " 2)")) != first {
		t.Error("another cell has other declarations")
	}
	if of(strings.ReplaceAll(program, "text + text", "text")) == first {
		t.Error("an edited declaration goes unnoticed")
	}
	imports := "package main\n\nimport (\n\t\"fmt\"%s\n)\n\nvar text = fmt.Sprint(rand.Int())\n\nfunc main() {%s}\n"
	plainly := of(fmt.Sprintf(imports, "\n\t\"math/rand\"", ""))
	if of(fmt.Sprintf(imports, "\n\t\"math/rand\"\n\t\"os\"", " os.Exit(0) ")) != plainly {
		t.Error("what only the cell imports is taken for a declaration")
	}
	if of(fmt.Sprintf(imports, "\n\t\"math/rand/v2\"", "")) == plainly {
		t.Error("that a declaration takes another package goes unnoticed")
	}
	all := []listed{{ImportPath: "math", Export: "/cache/1"}, {ImportPath: module + "mjq", Deps: []string{"math"}, Export: "/cache/2"}, {ImportPath: "fmt", Export: "/cache/3"}}
	base := code(all)
	all[2].Export = "/cache/4"
	if code(all) != base {
		t.Error("a package that mjq does not import counts")
	}
	slices.Reverse(all) // go lists first what a cell imports first
	if code(all) != base {
		t.Error("the order of the packages counts")
	}
	all[2].Export = "/cache/5"
	if code(all) == base {
		t.Error("a changed package goes unnoticed")
	}
}

// TestLighter: with a copy of GoNB beside the program cells take their packages from
// there, also after it has changed, and without one as ever.
func TestLighter(t *testing.T) {
	session(t)
	gonb := filepath.Join(t.TempDir(), "gonb")
	if env := lighterBy(gonb); env != nil {
		t.Fatalf("%q for a copy that is not there", env)
	}
	write(t, filepath.Join(gonb, "go.mod"), "module github.com/janpfeifer/gonb\n\ngo 1.26\n")
	write(t, filepath.Join(gonb, "gonbui", "gonbui.go"), "package gonbui\n")
	write(t, "go.mod", "module gonb_1\n\ngo 1.26\n\nrequire github.com/janpfeifer/gonb v0.11.4\n")
	all, err := list([]string{"github.com/janpfeifer/gonb/gonbui"}, lighterBy(gonb)...)
	if err != nil || len(all) == 0 {
		t.Fatal(err)
	}
	last := all[len(all)-1]
	if last.Dir != filepath.Join(gonb, "gonbui") {
		t.Errorf("gonbui comes from %s, want %s", last.Dir, gonb)
	}
	p := &plan{}
	p.add(all, "/cache")
	if len(p.Sources) != 2 || p.Sources[1].Path != filepath.Join(gonb, "gonbui", "gonbui.go") {
		t.Errorf("of the copy are looked at %v", p.Sources)
	}
}
