package cells

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	// Where GoNB finds a line of a cell in a trace, it says so before the file.
	tracePlace = regexp.MustCompile(`\[\[ Cell \[(\d+)\] Line (\d+) \]\]`)
	// goroutine begins the traces after the message of a panic.
	goroutine = regexp.MustCompile(`(?m)\n\n?goroutine \d+ (?:gp=\S+ )?.*\[.*\]:\n`)
)

// Crash reads what a program that panics prints: the message, and the lines of cells on
// the way to it, innermost first. Without such a line it is no use to shorten the trace,
// and ok is false.
func (r *Rules) Crash(text string, cells map[int]*Cell, now int) (explained string, ok bool) {
	at := goroutine.FindStringIndex(text)
	places := tracePlace.FindAllStringSubmatch(text, -1)
	if at == nil || len(places) == 0 {
		return "", false
	}
	said := strings.TrimSuffix(text[:at[0]], "\n")
	if r.reports(text[at[1]:]) {
		said = strings.TrimPrefix(said, "panic: ")
	}
	var out strings.Builder
	fmt.Fprintln(&out, said)
	for i, p := range places {
		number, _ := strconv.Atoi(p[1])
		line, _ := strconv.Atoi(p[2])
		where := fmt.Sprintf("line %d", line)
		if number != now {
			where = fmt.Sprintf("cell %d, %s", number, where)
		}
		source := ""
		if c := cells[number]; c != nil {
			source = c.Line(line)
		}
		before := "\nin "
		if i > 0 {
			before = "called from "
		}
		fmt.Fprintf(&out, "%s%s:  %s\n", before, where, source)
	}
	if last := places[len(places)-1][1]; last != strconv.Itoa(now) {
		fmt.Fprintf(&out, "\nEvery cell computes what earlier cells declare: mend cell %s and run it again, and then this one.\n", last)
	}
	return strings.TrimSuffix(out.String(), "\n"), true
}

// reports reports whether a trace begins with one of the functions that end a cell with an
// error, which says all.
func (r *Rules) reports(trace string) bool {
	for frame := range strings.Lines(trace) {
		name := frame[strings.LastIndexByte(frame, '/')+1:]
		for _, f := range []string{r.Show, r.Must} {
			if strings.HasPrefix(name, f+"(") || strings.HasPrefix(name, f+"[") {
				return true
			}
		}
		if strings.HasPrefix(frame, "main.") {
			return false
		}
	}
	return false
}
