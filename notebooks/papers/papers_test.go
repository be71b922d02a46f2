package papers

import (
	"math"
	"strings"
	"testing"
)

// TestEveryTableLoads checks that each file has a source, a header and rows
// whose cells are numbers, names or empty.
func TestEveryTableLoads(t *testing.T) {
	entries, err := files.ReadDir(".")
	if err != nil || len(entries) == 0 {
		t.Fatalf("%d tables, %v", len(entries), err)
	}
	for _, e := range entries {
		s := Load(strings.TrimSuffix(e.Name(), ".csv"))
		if len(s.Source) < 40 || s.Len() == 0 || len(s.header) < 2 {
			t.Errorf("%s: source %q, %d rows, columns %q", e.Name(), s.Source, s.Len(), s.header)
		}
	}
	limits := Load("mjsre-limits")
	if v := limits.Numbers("table3"); v[0] != 1.80 || !math.IsNaN(v[1]) {
		t.Errorf("table 3 reads %v", v)
	}
	defer func() {
		if recover() == nil {
			t.Error("an unknown column is read")
		}
	}()
	limits.Numbers("nothing")
}
