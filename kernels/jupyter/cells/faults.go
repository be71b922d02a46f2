package cells

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Fault is one message of the compiler.
type Fault struct {
	Cell, Line int // Cell 0 is the one that runs
	Text       string
}

var (
	place     = regexp.MustCompile(`main(?:_test)?\.go:\d+(?::\d+)?: (.*)$`)
	cellPlace = regexp.MustCompile(`^Cell(?:\[(\d+)\]:)? Line (\d+)`)
	// causes are messages that seldom follow from another one.
	causes = regexp.MustCompile(`undefined|no field or method|syntax error|^expected |could not import|no required module|redeclared|cannot use|assignment mismatch|is not an expression|multiple-value`)
)

// ReadFaults reads the compiler's messages from an error as GoNB reports it with
// -raw_error: all of them in value, and for each line the place in a cell in trace. Lines
// without a place go on with the message before.
func ReadFaults(value string, trace []string) []Fault {
	var faults []Fault
	for i, line := range strings.Split(value, "\n") {
		m := place.FindStringSubmatch(line)
		switch {
		case m != nil:
			f := Fault{Text: m[1]}
			if i < len(trace) {
				if at := cellPlace.FindStringSubmatch(trace[i]); at != nil {
					f.Cell, _ = strconv.Atoi(at[1])
					f.Line, _ = strconv.Atoi(at[2])
				}
			}
			faults = append(faults, f)
		case len(faults) > 0 && strings.HasPrefix(line, "\t"):
			faults[len(faults)-1].Text += "\n" + line
		}
	}
	return slices.DeleteFunc(faults, func(f Fault) bool { return f.Text == "too many errors" })
}

// Root is the index of the fault from which the others may follow.
func Root(faults []Fault) int {
	return max(0, slices.IndexFunc(faults, func(f Fault) bool { return causes.MatchString(f.Text) }))
}

// Explain puts the cause first, in words that fit a cell and with its line, then what to do,
// then in one line what may only follow from it. Texts are those of the cells by number, now
// the number of the one that runs; meant is a name that is like the one that nobody knows.
func (r *Rules) Explain(b *Book, faults []Fault, texts map[int]*Cell, now int, meant string) string {
	root := Root(faults)
	place := func(f Fault) string {
		switch {
		case f.Line == 0:
			return ""
		case f.Cell == 0 || f.Cell == now:
			return fmt.Sprintf("line %d: ", f.Line)
		}
		return fmt.Sprintf("cell %d, line %d: ", f.Cell, f.Line)
	}
	f := faults[root]
	number := f.Cell
	if number == 0 {
		number = now
	}
	c := texts[number]
	if c == nil {
		c = &Cell{}
	}
	line := c.Line(f.Line)
	words, remedy := r.advice(b, f.Text, c, line)
	if m := undefined.FindStringSubmatch(f.Text); remedy == "" && meant != "" {
		remedy = "Did you mean " + meant + "?"
	} else if remedy == "" && m != nil {
		remedy = fmt.Sprintf("No cell that has run declares %s: run the one that does, or declare it, %s", m[1], declaring(m[1], line))
	}
	var out strings.Builder
	fmt.Fprintln(&out, place(f)+words)
	if line != "" {
		fmt.Fprintf(&out, "\n    %s\n", line)
	}
	if remedy != "" {
		fmt.Fprintf(&out, "\n%s\n", remedy)
	}
	var rest []string
	for i, f := range faults {
		if i != root {
			first, _, _ := strings.Cut(f.Text, "\n")
			rest = append(rest, place(f)+first)
		}
	}
	if len(rest) > 0 {
		fmt.Fprintf(&out, "\n(and %d more, which may follow from it: %s)\n", len(rest), strings.Join(rest, "; "))
	}
	return strings.TrimSuffix(out.String(), "\n")
}
