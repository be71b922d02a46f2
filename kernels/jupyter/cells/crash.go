package cells

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	// Where GoNB finds a line of a cell in a trace, it says so before the file.
	tracePlace = regexp.MustCompile(`\[\[ Cell \[(\d+)\] Line (\d+) \]\]`)
	// goroutine begins the traces after the message of a panic.
	goroutine = regexp.MustCompile(`(?m)\n\n?goroutine \d+ (?:gp=\S+ )?.*\[.*\]:\n`)
)

// fatal are what the run time of Go says when it ends a program itself.
var fatal = []Hint{
	hint(`^all goroutines are asleep - deadlock!`, "deadlock: every goroutine of the cell waits, and none is left to go on", ""),
	hint(`^stack overflow`, "stack overflow: a function calls itself without end", ""),
	hint(`^concurrent map`, "two goroutines use one map at the same time: let them take a sync.Mutex first", ""),
	hint(`out of memory`, "out of memory: the cell wants more than there is", ""),
}

// Crashes reports whether what a program prints is the beginning of its end.
func Crashes(text string) bool { return crash.MatchString(text) }

var (
	crash      = regexp.MustCompile(`(?m)^(?:panic: |fatal error: |runtime: goroutine stack exceeds |runtime: out of memory|unexpected fault address |SIG[A-Z]+: )`)
	fatalError = regexp.MustCompile(`(?m)^fatal error: (.*)$`)
)

// most is how many lines of cells on the way to a panic are worth reading.
const most = 8

// Crash reads what a program prints that panics, or that the run time of Go ends: the message,
// and the lines of cells on the way to it, innermost first. Without such a line it is no use to
// shorten the trace of a panic, and ok is false.
func (r *Rules) Crash(text string, cells map[int]*Cell, now int) (explained string, ok bool) {
	at := goroutine.FindStringIndex(text)
	var trace, said string
	if at != nil {
		// One goroutine is at fault, the first in a cell, and others may follow.
		for _, trace = range strings.Split(text[at[1]:], "\n\ngoroutine ") {
			if tracePlace.MatchString(trace) {
				break
			}
		}
		said = strings.TrimSuffix(text[:at[0]], "\n")
	}
	places := tracePlace.FindAllStringSubmatch(trace, -1)
	if m := fatalError.FindStringSubmatch(text); m != nil {
		said = "fatal error: " + m[1]
		for _, h := range fatal {
			if words, _, ok := r.told(h, m[1], m[1]); ok {
				said = words
				break
			}
		}
	} else if at == nil || len(places) == 0 {
		return "", false
	}
	if r.reports(trace) {
		said = strings.TrimPrefix(said, "panic: ")
	}
	places = slices.CompactFunc(places, func(a, b []string) bool { return a[0] == b[0] }) // of what calls itself
	if len(places) > most {
		places = places[:most]
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
	if len(places) == 0 {
		return said, true
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
