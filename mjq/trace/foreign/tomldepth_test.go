package foreign

import (
	"strings"
	"testing"
	"time"
)

// TestTOMLDepth: documents that go far deeper than any experiment are refused soon, and
// take neither minutes nor the stack.
func TestTOMLDepth(t *testing.T) {
	const many = 100_000
	deep := strings.Repeat("a.", many) + "a"
	for what, text := range map[string]string{
		"a header": "[" + deep + "]\n", "a policy": "[policy." + deep + "]\n", "policies": "[[policy." + deep + "]]\n",
		"a pivot": "[[pivot]]\narrival." + deep + " = 1\n", "pivots": "[[pivot.cores." + deep + "]]\n",
		"a pivot's list": "[[pivot]]\n[[pivot.policy]]\n" + deep + " = 1\n",
		"a quoted key":   strings.Repeat(`"a".`, many/2) + "a = 1\n", "an inline key": "policy = {" + deep + " = 1}\n",
		"lists": "x = " + strings.Repeat("[", many) + "\n", "inline tables": "x = " + strings.Repeat("{a=", many/2) + "\n",
		"output": "[output." + deep + "]\n", "classes": "[class." + deep + "]\n",
	} {
		started := time.Now()
		if x, err := ReadTOML("f", strings.NewReader(text)); err == nil || len(err.Error()) > 1000 {
			t.Errorf("%s: %v, error %.100v", what, x, err)
		}
		if took := time.Since(started); took > 5*time.Second {
			t.Errorf("%s took %v", what, took)
		}
	}
	if _, err := ReadTOML("f", endless{}); err == nil || !strings.Contains(err.Error(), "more than 1 MB") {
		t.Errorf("a file without an end: %v", err)
	}
}

// endless is a file of blank lines.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	return len(p), nil
}
