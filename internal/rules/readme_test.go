package rules

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pages show code that readers copy.
var pages = []string{"../README.md", "../site/docs/guides/index.md"}

var (
	goBlock      = regexp.MustCompile("(?ms)^```go\n(.*?)^```$")
	consoleBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
	importBlock  = regexp.MustCompile(`(?s)^import \(\n.*?\n\)\n`)
	makeTarget   = regexp.MustCompile("(?m)(?:^    |`|&& )make ([a-z-]+)(?:`|$|  | [A-Z&])")
	publicName   = regexp.MustCompile(`\b(mjq|trace|plots|widgets)\.([A-Z]\w*)`)
)

// blocks are the Go code of a page: whole programs, and what stands in a cell.
func blocks(t *testing.T, page string) (programs, cells []string) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range goBlock.FindAllStringSubmatch(string(text), -1) {
		if strings.HasPrefix(b[1], "package main") {
			programs = append(programs, b[1])
		} else {
			cells = append(cells, importBlock.ReplaceAllString(b[1], ""))
		}
	}
	return programs, cells
}

// outside runs lines of a shell in a folder of its own outside the checkout, which
// /path/to/checkout in them stands for, with a program, and without a network.
func outside(t *testing.T, program string, lines ...string) string {
	t.Helper()
	checkout, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("cmd/mjq/testdata")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	script := strings.ReplaceAll(strings.Join(lines, "\n"), "/path/to/checkout", checkout)
	c := exec.Command("sh", "-ec", script)
	c.Dir, c.Env = folder, append(os.Environ(), "GOPROXY=off", "GOFLAGS=-trimpath", "GOWORK=off")
	var notes strings.Builder
	c.Stderr = &notes
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s\n%v\n%s%s", script, err, out, notes.String())
	}
	return string(out)
}

// plainGo are the lines with which README has a program begin outside the checkout, and
// what they print.
func plainGo(t *testing.T) (lines []string, want string) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := consoleBlock.FindAllStringSubmatch(string(text), -1)
	at := slices.IndexFunc(blocks, func(b []string) bool { return strings.HasPrefix(b[1], "$ go mod init") })
	if at < 0 {
		t.Fatal("README has no block that begins with go mod init")
	}
	for _, line := range strings.SplitAfter(blocks[at][1], "\n") {
		if command, is := strings.CutPrefix(line, "$ "); is {
			lines = append(lines, command)
		} else {
			want += line
		}
	}
	return lines, want
}

// inside runs a program with the packages of the checkout, which are compiled already, in a
// folder that has the files of the guides.
func inside(t *testing.T, program string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("cmd/mjq/testdata")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(folder, "centre.swf"), filepath.Join(folder, "jobs.swf")); err != nil {
		t.Fatal(err)
	}
	source, binary := filepath.Join(folder, "main.go"), filepath.Join(folder, "main")
	if err := os.WriteFile(source, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-ldflags=-s", "-o", binary, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, program)
	}
	c := exec.Command(binary)
	c.Dir = folder
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, program)
	}
	return string(out)
}

// TestProgramOfReadme: README's program prints what README says.
func TestProgramOfReadme(t *testing.T) {
	programs, _ := blocks(t, "../README.md")
	if len(programs) != 1 {
		t.Fatalf("%d programs", len(programs))
	}
	if n := strings.Count(programs[0], "\n"); n > 22 {
		t.Errorf("the program has %d lines", n)
	}
	_, want := plainGo(t)
	if got := inside(t, programs[0]); got != want {
		t.Errorf("it prints %q, README says %q", got, want)
	}
}

// TestPlainGoOfReadme: README's commands run that program outside the checkout, and from then
// on go run and go build need no more.
func TestPlainGoOfReadme(t *testing.T) {
	if os.Getenv("MJQ_LONG") == "" {
		t.Skip("runs with MJQ_LONG=1, for it compiles the packages once more; always runs: TestProgramOfReadme")
	}
	programs, _ := blocks(t, "../README.md")
	lines, want := plainGo(t)
	if got := outside(t, programs[0], append(lines, "go run . >/dev/null; go build -o first . && go vet .")...); got != want {
		t.Errorf("it prints %q, README says %q", got, want)
	}
}

// TestSnippetsRun: the lines that the guides have a reader put into a cell run as they
// stand, after what the guides say is there. With MJQ_LONG=1 they also run outside the
// checkout, and may use the network: to import package plots, go reads files of modules that
// nothing in the checkout needs.
func TestSnippetsRun(t *testing.T) {
	lines, _ := plainGo(t)
	lines = append(append([]string{"export GOPROXY='" + os.Getenv("GOPROXY") + "'"}, lines[:len(lines)-1]...), "mv centre.swf jobs.swf", "go run -mod=mod .")
	for _, page := range pages[1:] {
		programs, cells := blocks(t, page)
		if len(cells) == 0 {
			t.Errorf("%s has no snippet", page)
		}
		if len(programs) > 0 {
			t.Errorf("%s has a program that nobody runs", page)
		}
		var b strings.Builder
		for i, cell := range cells {
			fmt.Fprintf(&b, "func cell%d(ctx context.Context, m mjq.Model) {\n{\n%s}\n}\n\n", i, cell)
		}
		b.WriteString("func main() {\nm := mjq.Servers(20).Poisson(1.4).Class(\"small\", 1, 0.8, mjq.ExpMean(0.5)).Class(\"big\", 10, 0.2, mjq.ExpMean(3))\n")
		for i := range cells {
			fmt.Fprintf(&b, "cell%d(context.Background(), m)\n", i)
		}
		b.WriteString("}\n")
		program := "package main\n\n" + imported(b.String()) + b.String()
		printed := []string{inside(t, program)}
		if os.Getenv("MJQ_LONG") != "" {
			printed = append(printed, outside(t, program, lines...))
		}
		for _, out := range printed {
			if strings.Count(out, "\n") < len(cells) {
				t.Errorf("%s: %d snippets print\n%s", page, len(cells), out)
			}
		}
	}
}

// imported are the imports of what a source names.
func imported(source string) string {
	text := "import (\n"
	for _, path := range []string{"context", "fmt", "os", "github.com/mjqueue/mjq/mjq", "github.com/mjqueue/mjq/mjq/plots",
		"github.com/mjqueue/mjq/mjq/policy", "github.com/mjqueue/mjq/mjq/trace", "github.com/mjqueue/mjq/widgets"} {
		if regexp.MustCompile(`\b` + filepath.Base(path) + `\.[A-Z]`).MatchString(source) {
			text += fmt.Sprintf("\t%q\n", path)
		}
	}
	return text + ")\n\n"
}

// TestFirstTableOfReadme: README's first table has, in a line each, the two commands that do all
// the set-up on a fresh machine, with what they need and how long they take.
func TestFirstTableOfReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile(`(?m)(^\|.*\n)+`).FindString(string(readme))
	for _, target := range []string{"lab", "test"} {
		row := regexp.MustCompile("(?m)^\\|[^|]+\\| `make " + target + "` \\|[^|]*\\w[^|]*\\|[^|]*minute[^|]*\\|$")
		if !row.MatchString(table) {
			t.Errorf("the first table has no row of make %s with what it needs and how many minutes it takes:\n%s", target, table)
		}
		if !strings.Contains(string(makefile), "\n"+target+":") {
			t.Errorf("there is no make %s", target)
		}
	}
}

// TestNamesOnPages: targets of make and names of packages that README and the guides
// mention exist.
func TestNamesOnPages(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string][]string{}
	for name, folder := range map[string]string{"mjq": ".", "trace": "trace", "plots": "plots", "widgets": "../widgets"} {
		p := source(t, folder)
		for _, n := range namesOf(p) {
			known[name] = append(known[name], n.name)
		}
		groups := append(p.Consts, p.Vars...)
		for _, of := range p.Types {
			groups = append(append(groups, of.Consts...), of.Vars...)
		}
		for _, g := range groups {
			known[name] = append(known[name], g.Names...)
		}
	}
	looked := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range makeTarget.FindAllStringSubmatch(string(text), -1) {
			if looked++; !strings.Contains(string(makefile), "\n"+target[1]+":") {
				t.Errorf("%s: there is no make %s", page, target[1])
			}
		}
		for _, name := range publicName.FindAllStringSubmatch(string(text), -1) {
			if looked++; !slices.Contains(known[name[1]], name[2]) {
				t.Errorf("%s: there is no %s", page, name[0])
			}
		}
	}
	if looked < 50 {
		t.Errorf("only %d names were looked at", looked)
	}
}
