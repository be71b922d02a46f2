package trace

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/result"
)

// SWF says how to read a log in the Standard Workload Format, version 2.2. The
// zero value follows the definition of the format.
type SWF struct {
	// Requested takes the processors that were asked for (field 8) before
	// those that were allocated (field 5). The other one is taken where one is
	// missing, and counted.
	Requested bool
	// ZeroRunTime stands for a run time of 0, which a log in whole seconds
	// gives a job shorter than half a second. 0: such jobs are skipped.
	ZeroRunTime float64
	// Partial keeps the lines with status 2, 3 or 4, which are parts of a job
	// that has a line of its own. Without it they are skipped.
	Partial bool
	// Class is the field whose number becomes the class label: 12 user, 13
	// group, 14 executable, 15 queue, 16 partition, 0 none. Queues and
	// partitions that the header names get that name.
	Class int
	// Where are conditions on fields, by the names of SWFColumns, as "queue=2,3" or "status!=5"; all must
	// hold. See Filter.
	Where []Filter
}

// SWFColumns are the fields of a line of SWF, as filters name them.
var SWFColumns = []string{"job", "submit", "wait", "runtime", "processors", "cputime", "memory", "requested", "estimate", "requestedmemory",
	"status", "user", "group", "executable", "queue", "partition", "preceding", "think"}

// Validate names the fault of an option.
func (o SWF) Validate() error {
	if o.Class != 0 && (o.Class < 12 || o.Class > 16) {
		return fmt.Errorf("SWF: the field of the class is %d; give 12 (user) to 16 (partition), or 0 for none", o.Class)
	}
	if !(o.ZeroRunTime >= 0) || math.IsInf(o.ZeroRunTime, 1) {
		return fmt.Errorf("SWF: ZeroRunTime is %v; give a finite time, or 0 to skip such jobs", o.ZeroRunTime)
	}
	if err := filterFaults("SWF", o.Where); err != nil {
		return err
	}
	for _, f := range o.Where {
		if name, _, _ := f.parts(); swfColumn(name) < 0 {
			return fmt.Errorf("SWF: the filter %q: there is no field %q; there are %s", string(f), name, strings.Join(SWFColumns, ", "))
		}
	}
	return nil
}

// swfColumn is the place of a field, by its name; -1 if there is none.
func swfColumn(name string) int { return slices.Index(SWFColumns, strings.ToLower(name)) }

// The fields of a line, counted from 0.
const (
	submit    = 1
	waited    = 2
	runTime   = 3
	allocated = 4
	requested = 7
	estimated = 8
	status    = 10
	user      = 11
	fields    = 18
)

// StreamSWF reads a log in the Standard Workload Format, as kept by the Parallel
// Workloads Archive, from r; file stands for it in messages. A job arrives at its submit
// time, needs the processors allocated to it and holds them for its run time; its
// estimate is the time requested (field 9). Lines without one of these but the last are
// counted by reason; see SWF for the choices. Fields beyond the 18 of the format, which
// converters add, are left out, and so is a line of names before the first job; Adjusted
// counts both. No allocation a line once the classes and users are known.
func StreamSWF(file string, r io.Reader, o SWF) *Stream {
	s := &Stream{ledger: ledger{Report{File: file}}, wrong: o.Validate(), sieve: sieve{filters: o.Where}, unit: result.Seconds, whole: true}
	s.sieve.of(swfColumn)
	s.each = func(s *Stream, yield func(Job, error) bool) {
		in := swfReader{Stream: s, options: o, texts: map[float64]string{}, named: map[string]string{}}
		in.run(newLines(r), yield)
	}
	return s
}

// swfReader is one pass over a log.
type swfReader struct {
	*Stream
	options SWF
	texts   map[float64]string // of the numbers met
	named   map[string]string  // by the header: number to name
	procs   int                // MaxProcs of the header
	value   [fields]float64
	cells   [fields][]byte // the same as text
	begun   bool           // a line that is no comment has been read
}

func (in *swfReader) run(l *lines, yield func(Job, error) bool) {
	comment := func(text []byte) bool {
		if text = bytes.TrimSpace(text); text[0] != ';' {
			return false
		}
		in.header(string(text[1:]))
		return true
	}
	in.rows(l, yield, comment, func(text []byte, no int) bool { return in.line(bytes.TrimSpace(text), no, yield) })
}

// header takes the size of the system and the names of queues from comments
// such as "; MaxProcs: 128" and "; Queue: 2 long".
func (in *swfReader) header(text string) {
	key, value, ok := strings.Cut(text, ":")
	if !ok {
		return
	}
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	switch n := leading(value); {
	case strings.EqualFold(key, "MaxProcs") && n > 0:
		in.procs = max(in.procs, n) // a header may say that it has grown
		in.report.Servers = in.procs
	case strings.EqualFold(key, "MaxNodes") && n > 0 && in.report.Servers == 0:
		in.report.Servers = n
	case strings.EqualFold(key, "Queue") && in.options.Class == 15,
		strings.EqualFold(key, "Partition") && in.options.Class == 16:
		if number, name, ok := strings.Cut(value, " "); ok {
			in.named[number] = strings.TrimSpace(name)
		}
	}
}

// leading is the number at the beginning of a text, as 1,024 or 480 (in 10 racks); 0 if there is
// none.
func leading(text string) int {
	end := strings.IndexFunc(text, func(r rune) bool { return r != ',' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(text)
	}
	n, err := strconv.Atoi(strings.ReplaceAll(text[:end], ",", ""))
	if err != nil {
		return 0
	}
	return n
}

// line reads a job; false when the caller has had enough.
func (in *swfReader) line(text []byte, no int, yield func(Job, error) bool) bool {
	first := !in.begun
	in.begun = true
	n := 0
	for len(text) > 0 {
		end := bytes.IndexAny(text, " \t")
		if end < 0 {
			end = len(text)
		}
		if n == fields {
			in.adjust(beyond, no)
			break
		}
		v, err := strconv.ParseFloat(string(text[:end]), 64)
		if err != nil && first && n == 0 {
			in.report.Comments++
			in.adjust(names, no)
			return true
		}
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return in.malformed(yield, no, "field %d is %.40q, which is not a number", n+1, text[:end])
		}
		in.value[n], in.cells[n] = v, text[:end]
		n++
		text = bytes.TrimLeft(text[end:], " \t")
	}
	if n < fields {
		return in.malformed(yield, no, "%d fields; a job has %d, with -1 for what is not known", n, fields)
	}
	if reason := in.impossible(); reason != "" {
		return in.malformed(yield, no, "%s", reason)
	}
	if !in.sieve.passes(in.cells[:]) {
		in.skip(filtered, no)
		return true
	}
	return in.accept(no, yield)
}

// impossible says why no job has such numbers; "" if one may. -1 is a number
// that is not known.
func (in *swfReader) impossible() string {
	for _, f := range [...]int{submit, runTime, allocated, requested} {
		if v := in.value[f]; v < 0 && v != -1 {
			return fmt.Sprintf("field %d is %v; it cannot be negative, except -1 for what is not known", f+1, v)
		}
	}
	for _, f := range [...]int{allocated, requested} {
		if v := in.value[f]; v != math.Trunc(v) || v > math.MaxInt32 {
			return fmt.Sprintf("field %d is %v, which is not a number of processors", f+1, v)
		}
	}
	return ""
}

// The reasons for which a line is no job to simulate.
const (
	noSubmit     = "no submit time (field 2 is -1)"
	noRunTime    = "no run time (field 4 is -1)"
	zeroRunTime  = "run time 0: shorter than half a second, or never ran"
	noProcessors = "no processors (fields 5 and 8 are 0 or -1)"
	partial      = "part of a job that has its own line (status 2, 3 or 4)"
	substituted  = "processors missing in one of fields 5 and 8, taken from the other"
	rounded      = "run time 0 replaced by the one given"
	beyond       = "fields beyond the 18 of the format left out"
	names        = "a line of names before the first job left out"
)

func (in *swfReader) accept(no int, yield func(Job, error) bool) bool {
	first, second := in.value[allocated], in.value[requested]
	if in.options.Requested {
		first, second = second, first
	}
	need := first
	if need <= 0 {
		need = second
	}
	service := in.value[runTime]
	switch {
	case !in.options.Partial && in.value[status] >= 2 && in.value[status] <= 4:
		in.skip(partial, no)
		return true
	case in.value[submit] < 0:
		in.skip(noSubmit, no)
		return true
	case service < 0:
		in.skip(noRunTime, no)
		return true
	case need <= 0:
		in.skip(noProcessors, no)
		return true
	case service == 0 && in.options.ZeroRunTime == 0:
		in.skip(zeroRunTime, no)
		return true
	}
	if service == 0 {
		service = in.options.ZeroRunTime
		in.adjust(rounded, no)
	}
	if first <= 0 {
		in.adjust(substituted, no)
	}
	j := Job{Arrival: in.value[submit], Need: int(need), Service: service, Class: in.label(), Line: no, Estimate: max(0, in.value[estimated])}
	if w := in.value[waited]; w >= 0 {
		j.Waited, j.WaitKnown = w, true
	}
	if u := in.value[user]; u != -1 {
		j.User = in.numbered(u)
	}
	in.number = uint64(check.Whole(in.value[0], 0, math.MaxInt64))
	return in.job(yield, j)
}

// numbered is the text of a number, one string for all jobs that share it.
func (in *swfReader) numbered(number float64) string {
	name, known := in.texts[number]
	if !known {
		name = strconv.FormatFloat(number, 'g', -1, 64)
		in.texts[number] = name
	}
	return name
}

// label is the class of the line just read.
func (in *swfReader) label() string {
	if in.options.Class == 0 || in.value[in.options.Class-1] == -1 {
		return ""
	}
	label := in.numbered(in.value[in.options.Class-1])
	return cmp.Or(in.named[label], label)
}
