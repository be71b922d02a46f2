package result

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestLargeTables: a table is written in time that grows with its rows, not with their
// square: what all rows share is found once.
func TestLargeTables(t *testing.T) {
	const rows = 60_000
	names, values, exact := make([]string, rows), make([]Estimate, rows), make([]float64, rows)
	for i := range rows {
		names[i], exact[i] = "c"+strconv.Itoa(i), float64(i)
		values[i] = Estimate{Value: float64(i), HalfWidth: float64(i % 2)}
	}
	table := NewTable("").Text("class", names...).Estimates("mean", values...).Numbers("servers", exact...)
	began := time.Now()
	for what, text := range map[string]string{"text": table.String(), "HTML": table.HTML(), "CSV": table.CSV()} {
		if !strings.Contains(text, "c59999") {
			t.Errorf("%s ends before the last class", what)
		}
	}
	if took := time.Since(began); took > 30*time.Second { // a second on a free machine, minutes by the square
		t.Errorf("%d rows took %v", rows, took)
	}
}
