package trace

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/mjqueue/mjq/mjq/result"
)

// CSV says which columns of comma-separated values hold what. A name left
// empty stands for the usual ones below; with NoHeader columns are called by
// their number from 1.
type CSV struct {
	Arrival string // arrival, arrival_time, submit, submit_time
	Servers string // servers, need, processors, cores
	Service string // service, service_time, run_time, runtime, duration
	Class   string // class; there need be none unless it is named here, nor of the following
	// Columns of the user's estimate, of the wait under the scheduler that wrote the log, and
	// of the user. A cell may be empty where it is not known.
	Estimate string // estimate, requested_time, walltime, time_limit
	Wait     string // wait, wait_time
	User     string // user, user_id
	// NoHeader says that the first line is a job already. Columns left empty
	// are then 1 arrival, 2 servers, 3 service.
	NoHeader bool
	Comma    rune // between columns; 0: a comma
	Comment  rune // begins a line to be left out; 0: none

	// Start and End are columns with the times at which a job started and ended. The service
	// time is then End - Start, even next to a column of services, from which it may differ:
	// Adjusted counts that. The wait is Start - Arrival, unless it has a column. Lines whose Start
	// or End is not known are skipped.
	Start, End string
	// Nodes is the column of the number of nodes on which a job lay: nodes, node_num, num_nodes. A cell
	// may be empty where it is not known.
	Nodes string
	// ID is the column of the ID of a job: id, job_id, jobid, job. A line that tells again of a job is
	// left out by it, as where two exports overlap.
	ID string
	// Account is the column of the account of the user: account. A cell may be empty.
	Account string
	// Times is how Arrival, Start and End are written: Numbers (the default, or Timestamps where the first is one), Timestamps, or a
	// layout of package time. Numbers may have any unit; else times are in seconds, and ReadCSV
	// counts them from midnight of the day of the first arrival.
	Times string
	// Unit is the unit of times that are numbers, as "s" or "min"; "" if it is not known. It labels
	// results.
	Unit string
	// Location is the time zone of times that name none; nil is UTC.
	Location *time.Location
	// Types are several resources that count, in place of Servers: Job.Units has the amount of
	// each, in this order, and Job.Need is that of the first.
	Types []CSVType
	// Where are conditions on columns, by the name in the header or that of a field, as Filter has them;
	// all must hold.
	Where []Filter
	// SkipNone skips jobs that need no server, which are malformed otherwise.
	SkipNone bool
}

// CSVType is a column with the amount of a type of resource.
type CSVType struct {
	Name   string
	Column string  // by default the name
	Per    float64 // amounts in the column that make a unit, rounded up: 1000 for thousandths; by default 1
}

// How times are written, apart from layouts of package time. Timestamps are of the form 2006-01-02
// 15:04:05, with a T or a blank, with a fraction of the second or without, with an offset from UTC
// or without.
const (
	Numbers    = ""
	Timestamps = "timestamps"
)

// csvFields are the columns that a job may have: the name in filters, what it holds, the name that CSV gives it, and
// the usual ones.
var csvFields = [...]struct {
	name, holds string
	given       func(o *CSV) string
	usual       []string
}{
	arrivalColumn:  {"arrival", "arrival time", func(o *CSV) string { return o.Arrival }, []string{"arrival", "arrival_time", "submit", "submit_time"}},
	serversColumn:  {"servers", "number of servers", func(o *CSV) string { return o.Servers }, []string{"servers", "need", "processors", "cores"}},
	serviceColumn:  {"service", "service time", func(o *CSV) string { return o.Service }, []string{"service", "service_time", "run_time", "runtime", "duration"}},
	classColumn:    {"class", "class", func(o *CSV) string { return o.Class }, []string{"class"}},
	estimateColumn: {"estimate", "estimate", func(o *CSV) string { return o.Estimate }, []string{"estimate", "requested_time", "walltime", "time_limit"}},
	waitColumn:     {"wait", "wait", func(o *CSV) string { return o.Wait }, []string{"wait", "wait_time"}},
	userColumn:     {"user", "user", func(o *CSV) string { return o.User }, []string{"user", "user_id"}},
	startColumn:    {"start", "start time", func(o *CSV) string { return o.Start }, nil},
	endColumn:      {"end", "end time", func(o *CSV) string { return o.End }, nil},
	nodesColumn:    {"nodes", "number of nodes", func(o *CSV) string { return o.Nodes }, []string{"nodes", "node_num", "num_nodes"}},
	idColumn:       {"id", "ID", func(o *CSV) string { return o.ID }, []string{"id", "job_id", "jobid", "job"}},
	accountColumn:  {"account", "account", func(o *CSV) string { return o.Account }, []string{"account"}},
}

// The places of the columns.
const (
	arrivalColumn = iota
	serversColumn
	serviceColumn
	classColumn
	estimateColumn
	waitColumn
	userColumn
	startColumn
	endColumn
	nodesColumn
	idColumn
	accountColumn
	columns // how many there may be
)

// Validate names the fault of an option.
func (o CSV) Validate() error {
	for _, c := range []rune{o.Comma, o.Comment} {
		if c != 0 && (c > 127 || c == '"' || c == '\n' || c == '\r') {
			return fmt.Errorf("CSV: %q cannot separate columns or begin a comment; give an ASCII character that is no quote", c)
		}
	}
	if (o.Start == "") != (o.End == "") {
		return fmt.Errorf("CSV: Start is %q and End is %q; name both columns, or neither", o.Start, o.End)
	}
	if err := filterFaults("CSV", o.Where); err != nil {
		return err
	}
	for i, t := range o.Types {
		if t.Name == "" || !(t.Per >= 0) || math.IsInf(t.Per, 1) || slices.ContainsFunc(o.Types[:i], func(u CSVType) bool { return u.Name == t.Name }) {
			return fmt.Errorf("CSV: type %d is %+v; give each type once, with a name and a finite Per, or 0 for 1", i+1, t)
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
	s := &Stream{ledger: ledger{Report{File: file}}, wrong: o.Validate(), types: o.typeNames(), sieve: sieve{filters: o.Where}, unit: result.Unit(o.Unit)}
	if o.Times != Numbers {
		s.zone, s.unit = cmp.Or(o.Location, time.UTC), result.Seconds
	}
	s.each = func(s *Stream, yield func(Job, error) bool) {
		in := csvReader{Stream: s, options: o, comma: ',', names: map[string]string{}, vectors: map[string][]int{}}
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
	amounts []int        // columns of the types
	width   int          // of the first record; 0: not met yet
	cells   [][]byte
	names   map[string]string // of classes, users and accounts
	vectors map[string][]int
	key     []byte
}

func (in *csvReader) run(l *lines, yield func(Job, error) bool) {
	comment := func(text []byte) bool { return in.options.Comment != 0 && text[0] == byte(in.options.Comment) }
	in.rows(l, yield, comment, func(text []byte, no int) bool { return in.line(text, no, yield) })
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
