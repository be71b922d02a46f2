package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// CSV says which columns of comma-separated values hold what. A name left
// empty stands for the usual ones below; with NoHeader columns are called by
// their number from 1.
type CSV struct {
	Arrival string // arrival, arrival_time, submit, submit_time
	Servers string // servers, need, processors, cores
	Service string // service, service_time, run_time, runtime, duration
	Class   string // class; there need be none unless it is named here, nor of the following
	// What the user asked for, how long the job waited under the scheduler that wrote the
	// log, and who sent it. A cell may be empty where it is not known.
	Estimate string // estimate, requested_time, walltime, time_limit
	Wait     string // wait, wait_time
	User     string // user, user_id
	// NoHeader says that the first line is a job already. Columns left empty
	// are then 1 arrival, 2 servers, 3 service.
	NoHeader bool
	Comma    rune // between columns; 0: a comma
	Comment  rune // begins a line to be left out; 0: none
}

// usual are the names looked for, by column.
var usual = [columns][]string{
	{"arrival", "arrival_time", "submit", "submit_time"},
	{"servers", "need", "processors", "cores"},
	{"service", "service_time", "run_time", "runtime", "duration"},
	{"class"},
	{"estimate", "requested_time", "walltime", "time_limit"},
	{"wait", "wait_time"},
	{"user", "user_id"},
}

// columns is how many there may be, and the places of the optional ones.
const (
	columns        = 7
	classColumn    = 3
	estimateColumn = 4
	waitColumn     = 5
	userColumn     = 6
)

// what the columns hold, in messages.
var what = [columns]string{"arrival time", "number of servers", "service time", "class", "estimate", "wait", "user"}

// Validate names the fault of an option.
func (o CSV) Validate() error {
	for _, c := range []rune{o.Comma, o.Comment} {
		if c != 0 && (c > 127 || c == '"' || c == '\n' || c == '\r') {
			return fmt.Errorf("CSV: %q cannot separate columns or begin a comment; give an ASCII character that is no quote", c)
		}
	}
	return nil
}

// StreamCSV reads comma-separated values with columns for arrival time, servers, service
// time and, if there is one, class; file is its name in messages. Times may be in any
// unit, the same for both. A job of service time 0 is a job. Cells may be
// quoted, but none goes on in the next line. No allocation a line once the
// classes are known.
func StreamCSV(file string, r io.Reader, o CSV) *Stream {
	s := &Stream{report: Report{File: file}, wrong: o.Validate()}
	s.each = func(s *Stream, yield func(Job, error) bool) {
		in := csvReader{Stream: s, options: o, comma: ',', labels: map[string]string{}, users: map[string]string{}}
		if o.Comma != 0 {
			in.comma = byte(o.Comma)
		}
		in.run(newLines(r), yield)
	}
	return s
}

// csvReader is one pass over a log.
type csvReader struct {
	*Stream
	options CSV
	comma   byte
	at      [columns]int // columns from 0; -1: none
	width   int          // of the first record; 0: not met yet
	cells   [][]byte
	labels  map[string]string
	users   map[string]string
}

func (in *csvReader) run(l *lines, yield func(Job, error) bool) {
	for {
		text, long, err := l.next()
		if err == io.EOF {
			return
		}
		if err != nil {
			yield(Job{}, fmt.Errorf("%s: after line %d: %w", in.report.File, l.no, err))
			return
		}
		in.report.Lines++
		if l.no == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		text = bytes.TrimRight(text, "\r\n")
		switch {
		case len(bytes.TrimSpace(text)) == 0, in.options.Comment != 0 && text[0] == byte(in.options.Comment):
			in.report.Comments++
		case long:
			if !in.malformed(yield, l.no, "the line has more than %d bytes", longest) {
				return
			}
		default:
			if !in.line(text, l.no, yield) {
				return
			}
		}
	}
}

// line reads the header or a job; false when there is no going on.
func (in *csvReader) line(text []byte, no int, yield func(Job, error) bool) bool {
	if err := in.split(text); err != nil {
		return in.malformed(yield, no, "%v", err)
	}
	if in.width > 0 {
		return in.record(no, yield)
	}
	in.width = len(in.cells)
	if err := in.columns(in.cells); err != nil {
		in.malformed(yield, no, "%v", err)
		return false
	}
	if in.options.NoHeader {
		return in.record(no, yield)
	}
	in.report.Comments++
	return true
}

// split cuts a line into its cells, without the quotes around them; a quote
// inside is written twice.
func (in *csvReader) split(text []byte) error {
	in.cells = in.cells[:0]
	for {
		text = bytes.TrimLeft(text, " ")
		end := bytes.IndexByte(text, in.comma)
		if len(text) == 0 || text[0] != '"' {
			if end < 0 {
				in.cells = append(in.cells, bytes.TrimSpace(text))
				return nil
			}
			in.cells = append(in.cells, bytes.TrimSpace(text[:end]))
			text = text[end+1:]
			continue
		}
		cell, rest, err := unquote(text)
		if err != nil {
			return err
		}
		in.cells = append(in.cells, cell)
		if rest = bytes.TrimLeft(rest, " "); len(rest) == 0 {
			return nil
		}
		if rest[0] != in.comma {
			return fmt.Errorf("%.20q after a closing quote; expected %q", rest, in.comma)
		}
		text = rest[1:]
	}
}

// unquote takes a quoted cell from the beginning of text, in place.
func unquote(text []byte) (cell, rest []byte, err error) {
	cell = text[:0]
	for i := 1; i < len(text); i++ {
		if text[i] != '"' {
			cell = append(cell, text[i])
			continue
		}
		if i+1 == len(text) || text[i+1] != '"' {
			return cell, text[i+1:], nil
		}
		i++
		cell = append(cell, '"')
	}
	return nil, nil, errors.New("a quote that does not close in its line")
}

// columns finds the columns in the header, or by their numbers.
func (in *csvReader) columns(header [][]byte) error {
	o := &in.options
	given := [columns]string{o.Arrival, o.Servers, o.Service, o.Class, o.Estimate, o.Wait, o.User}
	for k, name := range given {
		if in.options.NoHeader {
			if name == "" && k < 3 {
				name = strconv.Itoa(k + 1)
			}
			n, err := strconv.Atoi(name)
			if name != "" && (err != nil || n < 1 || n > len(header)) {
				return fmt.Errorf("no column %q for the %s: without a header give a number from 1 to %d", name, what[k], len(header))
			}
			in.at[k] = n - 1
			continue
		}
		names := usual[k]
		if name != "" {
			names = []string{name}
		}
		in.at[k] = slices.IndexFunc(header, func(h []byte) bool {
			return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, string(h)) })
		})
		if in.at[k] < 0 && (k < 3 || name != "") {
			return fmt.Errorf("the header %.80q has no column %s for the %s", bytes.Join(header, []byte{in.comma}), strings.Join(names, " or "), what[k])
		}
	}
	return nil
}

// record reads a job; false when the caller has had enough.
func (in *csvReader) record(no int, yield func(Job, error) bool) bool {
	if len(in.cells) != in.width {
		return in.malformed(yield, no, "%d columns; the first line has %d", len(in.cells), in.width)
	}
	var v [3]float64
	for k := range v {
		text := in.cells[in.at[k]]
		x, err := strconv.ParseFloat(string(text), 64)
		if err != nil || !(x >= 0) || math.IsInf(x, 1) {
			return in.malformed(yield, no, "the %s is %.40q; give a finite number, not negative", what[k], text)
		}
		v[k] = x
	}
	if v[1] < 1 || v[1] != math.Trunc(v[1]) || v[1] > math.MaxInt32 {
		return in.malformed(yield, no, "the number of servers is %v; give a whole number from 1", v[1])
	}
	j := Job{Arrival: v[0], Need: int(v[1]), Service: v[2], Class: in.label(classColumn, in.labels), Line: no, User: in.label(userColumn, in.users)}
	for k, to := range [...]*float64{&j.Estimate, &j.Waited} {
		text := in.cell(estimateColumn + k)
		if len(text) == 0 {
			continue
		}
		x, err := strconv.ParseFloat(string(text), 64)
		if err != nil || !(x >= 0) || math.IsInf(x, 1) {
			return in.malformed(yield, no, "the %s is %.40q; give a finite number, not negative, or leave the cell empty", what[estimateColumn+k], text)
		}
		*to = x
	}
	j.WaitKnown = len(in.cell(waitColumn)) > 0
	return in.job(yield, j)
}

// cell is that of a column, empty where there is none.
func (in *csvReader) cell(column int) []byte {
	if in.at[column] < 0 {
		return nil
	}
	return in.cells[in.at[column]]
}

// label is the text of a column, one string for all jobs that share it.
func (in *csvReader) label(column int, met map[string]string) string {
	cell := in.cell(column)
	label, known := met[string(cell)]
	if !known {
		label = string(cell)
		met[label] = label
	}
	return label
}
