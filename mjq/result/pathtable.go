package result

import (
	"fmt"
	"strconv"
	"strings"
)

// Table has a row for each job of the path.
func (p *Path) Table() *Table {
	var names, seized []string
	var number, arrival, start, end, wait []float64
	for _, j := range p.Jobs {
		names, seized = append(names, p.Classes[j.Class]), append(seized, spans(j.Seized))
		number, arrival, start = append(number, float64(j.Number)), append(arrival, j.Arrival), append(start, j.Start)
		end, wait = append(end, j.End), append(wait, j.Waiting())
	}
	return NewTable(fmt.Sprintf("Jobs on %d servers, from empty", p.Servers)).In(p.Unit).Numbers("job", number...).Text("class", names...).
		Numbers("arrival", arrival...).Time(1).Numbers("start", start...).Time(1).Numbers("end", end...).Time(1).Numbers("wait", wait...).Time(1).Text("servers", seized...)
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
