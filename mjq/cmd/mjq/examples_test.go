package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestExamplesOfHelp runs every example of every command as a shell does.
func TestExamplesOfHelp(t *testing.T) {
	inFolder(t)
	for _, part := range []string{"0", "1"} {
		answered(t, strings.Fields("sweep queue.json --rate 0.5,1 --method exact --shard "+part+"/2 --json -o part"+part+".json")...)
	}
	root := newRoot(streams{}, nil)
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		if c.Example == "" {
			t.Errorf("%s has no example", c.CommandPath())
		}
		for _, line := range strings.Split(c.Example, "\n") {
			if !strings.HasPrefix(line, "mjq ") || c != root && !strings.HasPrefix(line+" ", c.CommandPath()+" ") {
				t.Errorf("%q is no example of %s", line, c.CommandPath())
			}
			if out, err := shell(t, line).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", line, err, out)
			}
		}
		if out := answered(t, append(strings.Fields(c.CommandPath())[1:], "--help")...); !strings.Contains(out, c.Example) {
			t.Errorf("the help of %s lacks its examples:\n%s", c.CommandPath(), out)
		}
	}
}

var (
	consoles = regexp.MustCompile("(?s)```console\n(.*?)```\n")
	pythons  = regexp.MustCompile("(?s)```python\n(.*?)```\n")
	prompt   = regexp.MustCompile(`(?m)^\$ `)
	tabled   = regexp.MustCompile("(?m)^\\|.*\\| `(mjq [^`]+)` \\|$")
)

// TestReadme runs the commands of README.md and those kept in testdata: they must print what stands
// below them, and those in the table of questions must have an answer. With -update the answers are
// written there.
func TestReadme(t *testing.T) {
	text, kept := string(mustRead(t, "README.md")), string(mustRead(t, "testdata/console.md"))
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	inFolder(t)
	for name, page := range map[string]string{"README.md": text, "testdata/console.md": kept} {
		again := consoles.ReplaceAllStringFunc(page, func(block string) string { return printed(t, name, block) })
		if *update {
			if err := os.WriteFile(here+"/"+name, []byte(again), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, line := range tabled.FindAllStringSubmatch(text, -1) {
		if out, err := shell(t, line[1]).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", line[1], err, out)
		}
	}
	for _, c := range newRoot(streams{}, nil).Commands() {
		if !regexp.MustCompile("(?m)(^\\$ |`)" + c.CommandPath() + "[ `\n]").MatchString(text) {
			t.Errorf("README.md has no example of %s", c.CommandPath())
		}
	}
}

// printed is a block of a page with what its commands print.
func printed(t *testing.T, page, block string) string {
	t.Helper()
	var b strings.Builder
	for _, part := range prompt.Split(consoles.FindStringSubmatch(block)[1], -1)[1:] {
		line, want, _ := strings.Cut(part, "\n")
		out, err := shell(t, line).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
		if string(out) != want && !*update {
			t.Errorf("%s prints\n%sand %s says\n%s", line, out, page, want)
		}
		fmt.Fprintf(&b, "$ %s\n%s", line, out)
	}
	return "```console\n" + b.String() + "```\n"
}

// TestFirstCommandOfReadme: the first command in README that is not for git prints what stands below it, in the checkout.
func TestFirstCommandOfReadme(t *testing.T) {
	block := consoles.FindStringSubmatch(string(mustRead(t, "../../../README.md")))[1]
	parts := prompt.Split(block, -1)[1:]
	if len(parts) != 2 || !strings.HasPrefix(parts[0], "git clone ") {
		t.Fatalf("the first block of README is not git clone and one command:\n%s", block)
	}
	line, want, _ := strings.Cut(parts[1], "\n")
	args, is := strings.CutPrefix(line, "go run ./mjq/cmd/mjq ")
	if !is {
		t.Fatalf("%q does not run the command from its source", line)
	}
	t.Chdir("../../..")
	if got := answered(t, strings.Fields(args)...); got != want {
		t.Errorf("%s prints\n%sand README says\n%s", line, got, want)
	}
}

// mentioned are the command lines that other pages mention.
var mentioned = regexp.MustCompile("(?m)(?:^\\$ |`)(mjq [a-z]+ [^`\n]*)")

// TestLinesOfOtherPages runs the command lines in README and in the guides of the site.
func TestLinesOfOtherPages(t *testing.T) {
	var lines []string
	for _, page := range []string{"../../../README.md", "../../../site/docs/guides/index.md"} {
		for _, line := range mentioned.FindAllStringSubmatch(string(mustRead(t, page)), -1) {
			lines = append(lines, line[1])
		}
	}
	if len(lines) < 4 {
		t.Errorf("only %d command lines: %q", len(lines), lines)
	}
	inFolder(t)
	for _, line := range lines {
		if out, err := shell(t, line).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
}

// TestPythonOfReadme runs the snippets for Python: the one that needs no package always,
// and that with pandas where it is installed.
func TestPythonOfReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	inFolder(t)
	snippets := pythons.FindAllStringSubmatch(string(text), -1)
	if len(snippets) != 2 {
		t.Fatalf("%d snippets, where two are expected", len(snippets))
	}
	pandas := exec.Command("python3", "-c", "import pandas").Run() == nil
	ran := 0
	for _, s := range snippets {
		if strings.Contains(s[1], "import pandas") && !pandas {
			continue
		}
		if err := os.WriteFile("snippet.py", []byte(s[1]), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := shell(t, "python3 snippet.py").CombinedOutput()
		if err != nil || !strings.Contains(string(out), "0.9") {
			t.Errorf("%v\n%s\n%s", err, s[1], out)
		}
		ran++
	}
	if ran == 0 {
		t.Error("no snippet was run")
	}
}
