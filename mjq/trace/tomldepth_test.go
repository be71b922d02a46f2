package trace

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// TestTOMLDepth: documents that once took a parser minutes, or its stack, are
// refused at once with the line, and what only looks deep is read.
func TestTOMLDepth(t *testing.T) {
	const many = 100_000
	for what, text := range map[string]string{
		"a header":       "\n[" + strings.Repeat("a.", many) + "a]\n",
		"a quoted key":   "\n" + strings.Repeat(`"a".`, many) + "a = 1\n",
		"an inline key":  "\nx = {" + strings.Repeat("a.", many) + "a = 1}\n",
		"lists":          "\nx = " + strings.Repeat("[", many) + "\n",
		"inline tables":  "\nx = " + strings.Repeat("{a=", many) + "\n",
		"after a string": "x = 'a'\n[" + strings.Repeat("a.", many) + "a]\n",
	} {
		started := time.Now()
		_, err := ReadTOML("f", strings.NewReader(text))
		var bad *LineError
		if !errors.As(err, &bad) || bad.Line != 2 || !strings.Contains(err.Error(), "more than 64") {
			t.Errorf("%s: %v", what, err)
		}
		if took := time.Since(started); took > 2*time.Second {
			t.Errorf("%s took %v", what, took)
		}
	}
	dots := strings.Repeat("a.", 1000)
	for what, text := range map[string]string{
		"a comment": "# " + dots + "\n", "a string": `identifier = "` + dots + `\" ` + dots + "\"\n",
		"a literal": "identifier = '" + dots + "'\n", "lines": "identifier = \"\"\"\n" + dots + "\n\" " + dots + "\"\"\"\n",
		"many lines": strings.Repeat("# x\n", 1000),
	} {
		_, want := ReadTOML("f", strings.NewReader(tomlText))
		if _, err := ReadTOML("f", strings.NewReader(text+withoutIdentifier())); want != nil || err != nil {
			t.Errorf("%s: %v, %v", what, err, want)
		}
	}
	if _, err := ReadTOML("f", endless{}); err == nil || !strings.Contains(err.Error(), "more than 16 MB") {
		t.Errorf("a file without an end: %v", err)
	}
}

// withoutIdentifier is the example of the other tests, but for its name.
func withoutIdentifier() string {
	lines := strings.Split(tomlText, "\n")
	for i, l := range lines {
		if strings.HasPrefix(strings.TrimSpace(l), "identifier") {
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n")
}

// endless is a file of blank lines.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	return len(p), nil
}
