package trace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/mjq/trace/internal/slurm"
)

// span is the place of a column of fixed width in a line.
type span struct{ from, to int }

// line reads a header or a job. The error is that of a header.
func (in *sacctReader) line(text []byte, no int) (err error) {
	if in.header == nil || !digit(text[0]) && in.again(text) {
		return in.begin(text, no)
	}
	below := in.below
	if in.below = false; below && in.widths(text) {
		in.report.Comments++
		return nil
	}
	in.split(text)
	n := len(in.cells)
	if n == in.columns.width+1 && len(in.cells[n-1]) == 0 {
		n-- // sacct -p ends each line with a delimiter
	}
	switch {
	case n > in.columns.width:
		in.malformed(no, columnsDiffer, fmt.Sprintf("%d columns, and the header has %d; does a field hold '%s', such as JobName? leave it out of --format", n, in.columns.width, in.delim))
	case n < in.columns.width:
		in.malformed(no, columnsDiffer, fmt.Sprintf("%d columns, and the header has %d; the line is cut off, or a field such as JobName or SubmitLine holds a line break: leave it out of --format", n, in.columns.width))
	case in.spans != nil && in.cut(no):
	default:
		in.job(no)
	}
	return nil
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// again reports whether the line is another header, with other columns perhaps.
func (in *sacctReader) again(text []byte) bool {
	return bytes.HasPrefix(bytes.ToLower(text[:min(len(text), 64)]), []byte("job")) && isSacctHeader(in.headerOf(text))
}

// begin reads a header, or a line above it, or the first of a file without one.
func (in *sacctReader) begin(text []byte, no int) (err error) {
	names := in.headerOf(text)
	switch {
	case isSacctHeader(names):
		in.report.Comments++
		in.header, in.spans, in.below = bytes.Clone(text), nil, true
		in.columns, err = in.options.columnsOf(names, &in.sieve)
		return err
	case in.options.Columns != "" || in.asCommanded(text):
		list := in.options.Columns
		if list == "" {
			_, list, _ = strings.Cut(SacctCommand, "--format=")
			in.adjust(noHeader, no)
		}
		in.header = []byte{}
		if in.delim = []byte{in.options.Delimiter}; in.options.Delimiter == 0 {
			in.delim = []byte("|")
		}
		in.split(text)
		names = bytes.Split([]byte(list), []byte{','})
		if in.options.Columns == "" {
			names = names[:min(len(names), len(in.cells))]
		}
		if in.columns, err = in.options.columnsOf(names, &in.sieve); err != nil {
			return err
		}
		return in.line(text, no)
	case bytes.HasPrefix(text, []byte("sacct:")) || bytes.HasPrefix(text, []byte("slurm")):
		in.report.Comments++
		if in.above == "" {
			in.above = string(text)
			in.adjust(aboveHeader+fmt.Sprintf("%.80q", text), no)
		}
		return nil
	}
	return fmt.Errorf("%.80q is no header of sacct: no column is called JobIDRaw or JobID; leave out -n, or name the columns as --format did, and write the log with\n  %s", text, SacctCommand)
}

// asCommanded reports whether a line has the columns of SacctCommand, perhaps without the last ones:
// a state and four times where they belong.
func (in *sacctReader) asCommanded(text []byte) bool {
	cells := bytes.Split(text, []byte{'|'})
	const state, submit, end, fewest = 6, 7, 10, 15
	if len(cells) < fewest || len(cells) > strings.Count(SacctCommand, ",")+2 {
		return false
	}
	_, known := slurm.StateOf(cells[state])
	for _, c := range cells[submit : end+1] {
		_, _, _, err := in.clock.Read(c)
		known = known && err == nil
	}
	return known
}

// headerOf are the names of a header, and what separates them: what is between the first two.
func (in *sacctReader) headerOf(text []byte) [][]byte {
	first := bytes.IndexFunc(text, func(r rune) bool { return r != '"' && r != '%' && !letter(r) })
	if in.delim = []byte{in.options.Delimiter}; in.options.Delimiter == 0 {
		in.delim = []byte("|")
		if first > 0 {
			if next := bytes.IndexFunc(text[first:], func(r rune) bool { return letter(r) || r == '"' }); next > 0 {
				in.delim = bytes.Clone(text[first : first+next])
			}
		}
	}
	if len(bytes.TrimLeft(in.delim, " ")) == 0 {
		return bytes.Fields(text)
	}
	in.spans = nil
	in.split(text)
	if n := len(in.cells); n > 1 && len(in.cells[n-1]) == 0 {
		in.cells = in.cells[:n-1]
	}
	return in.cells
}

func letter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' }

// widths takes the places of columns from a line of dashes, as plain sacct writes it.
func (in *sacctReader) widths(text []byte) bool {
	if len(bytes.Trim(text, "- ")) > 0 || len(bytes.TrimLeft(in.delim, " ")) > 0 {
		return false
	}
	for at := 0; at < len(text); {
		if text[at] == ' ' {
			at++
			continue
		}
		from := at
		for at < len(text) && text[at] == '-' {
			at++
		}
		in.spans = append(in.spans, span{from, at})
	}
	return true
}

// split cuts a line into its cells.
func (in *sacctReader) split(text []byte) {
	in.cells = in.cells[:0]
	if in.spans != nil {
		for _, s := range in.spans {
			in.cells = append(in.cells, bytes.TrimSpace(text[min(s.from, len(text)):min(s.to, len(text))]))
		}
		return
	}
	if len(in.delim) == 1 && in.delim[0] != ',' && in.delim[0] != ';' && in.delim[0] != '\t' {
		for d := in.delim[0]; ; {
			end := bytes.IndexByte(text, d)
			if end < 0 {
				in.cells = append(in.cells, text)
				return
			}
			in.cells, text = append(in.cells, text[:end]), text[end+1:]
		}
	}
	for more := true; more; {
		var one []byte
		if len(text) > 0 && text[0] == '"' { // what a spreadsheet wrote
			if inside, rest, err := unquote(text); err == nil && (len(rest) == 0 || bytes.HasPrefix(rest, in.delim)) {
				in.cells = append(in.cells, inside)
				if more = len(rest) > 0; more {
					text = rest[len(in.delim):]
				}
				continue
			}
		}
		one, text, more = bytes.Cut(text, in.delim)
		in.cells = append(in.cells, one)
	}
}

// cut reports whether a column that counts is cut in plain sacct, and says which.
func (in *sacctReader) cut(no int) bool {
	c := &in.columns
	for _, at := range []int{c.idRaw, c.id, c.submit, c.eligible, c.start, c.end, c.elapsed, c.elapsedRaw, c.limit, c.limitRaw, c.allocated, c.requested, c.allocCPUs, c.nNodes} {
		if text := cell(in.cells, at); bytes.HasSuffix(text, []byte{'+'}) {
			names := bytes.Fields(in.header)
			in.malformed(no, columnCut, fmt.Sprintf("the column %s is cut: %q; write it in full with sacct -P, as in\n  %s", names[at], text, SacctCommand))
			return true
		}
	}
	for _, at := range append([]int{c.user, c.account}, c.class...) {
		if bytes.HasSuffix(cell(in.cells, at), []byte{'+'}) && at != c.state {
			in.adjust(cutName, no)
		}
	}
	return false
}

// beginsJSON reports whether a text is JSON.
func beginsJSON(in *bufio.Reader) bool {
	head, err := in.Peek(64)
	if err != nil && len(head) == 0 {
		return false
	}
	head = bytes.TrimLeft(head, " \t\r\n")
	return bytes.HasPrefix(head, []byte{'{'})
}

var errNoJobs = errors.New(`the JSON has no list "jobs"; write the log with sacct --json, or with` + "\n  " + SacctCommand)
