package result

import (
	"fmt"
	"strconv"
	"strings"
)

// Table has a row for each job of the path.
func (p *Path) Table() *Table {
	t := NewTable(fmt.Sprintf("Jobs on %d servers, from empty", p.Servers)).In(p.Unit).Numbers("job").Text("class").
		Numbers("arrival").Time(1).Numbers("start").Time(1).Numbers("end").Time(1).Numbers("wait").Time(1).Text("servers")
	for _, j := range p.Jobs {
		t.Row(float64(j.Number), p.Classes[j.Class], j.Arrival, j.Start, j.End, j.Waiting(), spans(j.Seized))
	}
	return t
}

// String is the table, and of a log its window and its lines.
func (p *Path) String() string { return p.Table().String() + noteLines(p.Log.Notes()) }

// HTML returns what String does as HTML, for a notebook.
func (p *Path) HTML() string { return p.Table().HTML() + noteParagraphs(p.Log.Notes()) }

// spans are ascending numbers in words: 0-3 7.
func spans(numbers []int) string {
	var parts []string
	for from := 0; from < len(numbers); {
		to := from
		for to+1 < len(numbers) && numbers[to+1] == numbers[to]+1 {
			to++
		}
		text := strconv.Itoa(numbers[from])
		if to > from {
			text = fmt.Sprintf("%d-%d", numbers[from], numbers[to])
		}
		parts, from = append(parts, text), to+1
	}
	return strings.Join(parts, " ")
}
