package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A fault is one message of the compiler.
type fault struct {
	cell, line int // cell 0 is the one that runs
	text       string
}

var (
	place     = regexp.MustCompile(`main(?:_test)?\.go:\d+(?::\d+)?: (.*)$`)
	cellPlace = regexp.MustCompile(`^Cell(?:\[(\d+)\]:)? Line (\d+)`)
	// causes are messages that seldom follow from another one.
	causes = regexp.MustCompile(`undefined|no field or method|syntax error|^expected |could not import|no required module|redeclared|cannot use`)
	// undefined names something that no cell declares.
	undefined = regexp.MustCompile(`^undefined: (\w+)$`)
	unused    = regexp.MustCompile(`^declared and not used: (\w+)$`)
)

// readFaults reads the compiler's messages from an error as GoNB reports it with
// -raw_error: all of them in value, and for each line the place in a cell in trace. Lines
// without a place go on with the message before.
func readFaults(value string, trace []string) []fault {
	var faults []fault
	for i, line := range strings.Split(value, "\n") {
		m := place.FindStringSubmatch(line)
		switch {
		case m != nil:
			f := fault{text: m[1]}
			if i < len(trace) {
				if at := cellPlace.FindStringSubmatch(trace[i]); at != nil {
					f.cell, _ = strconv.Atoi(at[1])
					f.line, _ = strconv.Atoi(at[2])
				}
			}
			faults = append(faults, f)
		case len(faults) > 0 && strings.HasPrefix(line, "\t"):
			faults[len(faults)-1].text += "\n" + line
		}
	}
	return slices.DeleteFunc(faults, func(f fault) bool { return f.text == "too many errors" })
}

// root is the index of the fault from which the others may follow.
func root(faults []fault) int {
	return max(0, slices.IndexFunc(faults, func(f fault) bool { return causes.MatchString(f.text) }))
}

// explain puts the cause first, with the line of the cell, then a hint, then in one line
// what may only follow from it. Texts are those of the cells by number, now the number
// of the one that runs; meant is a name that is like the one that nobody knows.
func (b *book) explain(faults []fault, texts map[int]*cell, now int, meant string) string {
	root := root(faults)
	var out strings.Builder
	say := func(f fault) string {
		switch {
		case f.line == 0:
			return f.text
		case f.cell == 0 || f.cell == now:
			return fmt.Sprintf("line %d: %s", f.line, f.text)
		}
		return fmt.Sprintf("cell %d, line %d: %s", f.cell, f.line, f.text)
	}
	f := faults[root]
	fmt.Fprintln(&out, say(f))
	number := f.cell
	if number == 0 {
		number = now
	}
	if c := texts[number]; c != nil && f.line > 0 {
		if lines := strings.Split(c.text, "\n"); f.line <= len(lines) {
			fmt.Fprintf(&out, "\n    %s\n", strings.TrimSpace(lines[f.line-1]))
		}
	}
	hint := b.hint(f.text, texts[number])
	if hint == "" && meant != "" {
		hint = "Did you mean " + meant + "?"
	}
	if hint != "" {
		fmt.Fprintf(&out, "\n%s\n", hint)
	}
	var rest []string
	for i, f := range faults {
		if i != root {
			first, _, _ := strings.Cut(say(f), "\n")
			rest = append(rest, first)
		}
	}
	if len(rest) > 0 {
		fmt.Fprintf(&out, "\n(and %d more, which may follow from it: %s)\n", len(rest), strings.Join(rest, "; "))
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// hint says what to do about a message that means more in a notebook than in a program.
func (b *book) hint(text string, c *cell) string {
	if m := undefined.FindStringSubmatch(text); m != nil && b.failed[m[1]] > 0 {
		return fmt.Sprintf("Cell %d declares %s, but has failed: mend it and run it again.", b.failed[m[1]], m[1])
	}
	if m := undefined.FindStringSubmatch(text); m != nil && b.left[m[1]] {
		return fmt.Sprintf("An earlier cell declares %s by := for itself. To keep it, declare it there as var %[1]s = …, above the statements.", m[1])
	}
	if m := unused.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("%s := … is for this cell. Use it here, or keep it for later cells: var %[1]s = …, above the statements.", m[1])
	}
	switch {
	case strings.HasSuffix(text, "is not used"):
		return "To see a value: fmt.Println(value), or widgets.Show(value) for models, results and figures."
	case c != nil && !c.magic && len(c.edits) == 0 && (strings.Contains(text, "expected declaration") || strings.Contains(text, "non-declaration statement")):
		return "A function stands among statements here: put functions above them, or into a cell of their own."
	}
	return ""
}
