package prose

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// shownOutput is a snippet with what it prints below.
	shownOutput = regexp.MustCompile("(?ms)^```go\n(.*?)^```\n\n```text\n(.*?)^```$")
	// lastDigits are more digits than solvers agree on when the order of a sum changes.
	lastDigits  = regexp.MustCompile(`\d\.\d{12}`)
	spacesAtEnd = regexp.MustCompile(`(?m) +$`)
)

const (
	beforeExamples = "package main\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\n\t\"github.com/mjqueue/mjq/mjq\"\n)\n\n"
	queueOfPages   = `mjq.Servers(20).Poisson(1.4).Class("small", 1, 0.8, mjq.ExpMean(0.5)).Class("big", 10, 0.2, mjq.ExpMean(3))`
)

// TestExamplesOfMethods: the examples of the pages on methods print what stands below them.
func TestExamplesOfMethods(t *testing.T) {
	files, err := filepath.Glob("site/docs/methods/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var functions, calls, want strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, example := range shownOutput.FindAllStringSubmatch(string(text), -1) {
			name := strings.ReplaceAll(strings.TrimSuffix(filepath.Base(file), ".md"), "-", "_") + fmt.Sprint(i)
			fmt.Fprintf(&functions, "func %s(ctx context.Context, m mjq.Model) {\n%s}\n\n", name, example[1])
			fmt.Fprintf(&calls, "\tfmt.Println(%q)\n\t%s(context.Background(), m)\n", name, name)
			fmt.Fprintf(&want, "%s\n%s", name, example[2])
		}
	}
	if x := lastDigits.FindString(want.String()); x != "" {
		t.Errorf("a page shows %s…: print fewer digits, for the last change with the order of sums", x)
	}
	if n := strings.Count(want.String(), "\n"); n < 20 {
		t.Fatalf("only %d lines of examples were found", n)
	}
	program := filepath.Join(t.TempDir(), "main.go")
	source := beforeExamples + functions.String() + "func main() {\n\tm := " + queueOfPages + "\n" + calls.String() + "}\n"
	if err := os.WriteFile(program, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "run", "-ldflags=-s", program).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := spacesAtEnd.ReplaceAllString(string(out), ""); got != want.String() {
		t.Errorf("the examples print\n%s\nand the pages say\n%s", got, want.String())
	}
}
