package check

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

func TestRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checks.jsonl")
	t.Setenv("MJQ_CHECKS", path)
	list := Against("MJSRE", "Table 1", "Table 2")
	list.Near("half of it", 1.5, 1, 1)
	list.Inside("a quarter", result.Estimate{Value: 10, HalfWidth: 2}, 11, 2)
	list.Near("nothing allowed", 3, 3, 0)
	list.True("a claim", true)
	list.End()
	var own List
	own.Near("no number", math.NaN(), 1, 1)
	own.Near("infinitely far", 2, 1, 0)
	if err := own.record(); err != nil { // End would end the test
		t.Fatal(err)
	}

	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines: %s", len(lines), text)
	}
	var first, second Record
	for i, r := range []*Record{&first, &second} {
		if err := json.Unmarshal([]byte(lines[i]), r); err != nil {
			t.Fatal(err)
		}
	}
	if first.Paper != "MJSRE" || len(first.Items) != 2 || first.Items[1] != "Table 2" || second.Paper != "" {
		t.Errorf("labels: %+v, %+v", first, second)
	}
	for i, want := range []float64{0.5, 0.25, 0} {
		if got := first.Rows[i]; got.Share == nil || *got.Share != want || !got.OK {
			t.Errorf("%s: want a share of %g: %s", got.What, want, lines[0])
		}
	}
	if claim := first.Rows[3]; claim.Share != nil || claim.Expected != "" || !claim.OK {
		t.Errorf("claim: %+v", claim)
	}
	for _, row := range second.Rows {
		if row.OK || row.Share != nil || row.Ours == "" {
			t.Errorf("%+v", row)
		}
	}
}
