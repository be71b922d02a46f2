package mjq

import (
	"cmp"
	"errors"
	"fmt"
	"html"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/trace"
)

// LineError is a line of an input that cannot be understood: file, line and
// reason. Find it in an error with errors.As.
type LineError = trace.LineError

// TraceJob is one job of a trace: arrival and service time, servers needed, a
// class label ("" if the log has none) and its line in the file.
type TraceJob = trace.Job

// TraceReport accounts for every line of a log: comments, jobs, skipped lines
// by reason, malformed lines. Print it before trusting a trace.
type TraceReport = trace.Report

// SWF says how to read a log in the Standard Workload Format; the zero value
// follows its definition.
type SWF = trace.SWF

// CSV names the columns of comma-separated values; the zero value looks for
// the usual names.
type CSV = trace.CSV

// Trace is what jobs did arrive, in the order of arrival: a log of a computing
// centre, or jobs made by a program. Model turns it into a model, Replay runs
// the queue on it as it is.
type Trace struct {
	Name   string
	Jobs   []TraceJob
	Report TraceReport

	wrong error // with the jobs as they were given
}

// TraceStream is a log read a job at a time, in memory that does not grow with
// it. Jobs ranges over it, Replay runs the queue on it, Report accounts for
// the lines read so far. It can be read once.
type TraceStream struct {
	name   string
	stream *trace.Stream
	err    error // of the options
}

// Jobs yields the jobs in the order of the log. A malformed line yields a
// *LineError, after which one may go on; any other error is the last.
func (s *TraceStream) Jobs() iter.Seq2[TraceJob, error] {
	if s.err != nil {
		return func(yield func(TraceJob, error) bool) { yield(TraceJob{}, s.err) }
	}
	return s.stream.Jobs()
}

// Report accounts for the lines read so far.
func (s *TraceStream) Report() TraceReport { return s.stream.Report() }

// StreamSWF reads a log in the Standard Workload Format, as kept by the
// Parallel Workloads Archive, from r; name stands for it in messages. A job
// arrives at its submit time, needs the processors allocated to it and holds
// them for its run time. Lines without one of these are counted by reason; see
// SWF for the choices. No allocation a line.
func StreamSWF(name string, r io.Reader, how SWF) *TraceStream {
	return &TraceStream{name, trace.ReadSWF(name, r, how), how.Validate()}
}

// StreamCSV reads comma-separated values with columns for arrival time,
// servers, service time and, if there is one, class. No allocation a line.
func StreamCSV(name string, r io.Reader, how CSV) *TraceStream {
	return &TraceStream{name, trace.ReadCSV(name, r, how), how.Validate()}
}

// ReadSWF reads a whole log; see StreamSWF. Jobs that the log has out of order
// are sorted, those of equal arrival staying as they are. If lines are
// malformed the error names them, the first ten in words, and the trace of the
// other lines is returned with it. 56 bytes a job.
func ReadSWF(name string, r io.Reader, how SWF) (*Trace, error) {
	return StreamSWF(name, r, how).read()
}

// ReadCSV reads whole comma-separated values; see StreamCSV and ReadSWF.
func ReadCSV(name string, r io.Reader, how CSV) (*Trace, error) {
	return StreamCSV(name, r, how).read()
}

func (s *TraceStream) read() (*Trace, error) {
	if s.err != nil {
		return nil, fmt.Errorf("mjq: reading %s: %w", s.name, s.err)
	}
	jobs, err := s.stream.Collect()
	t := NewTrace(s.name, jobs)
	t.Report = s.Report()
	switch {
	case err != nil:
		return t, fmt.Errorf("mjq: reading %s: %w", s.name, err)
	case len(jobs) == 0:
		return t, fmt.Errorf("mjq: reading %s: there is no job in it\n%v", s.name, &t.Report)
	}
	return t, nil
}

// NewTrace is a trace of the given jobs, which are copied and sorted by
// arrival. What is wrong with them is said by Validate, and by whatever is asked
// of the trace.
func NewTrace(name string, jobs []TraceJob) *Trace {
	t := &Trace{Name: name, Jobs: slices.Clone(jobs), wrong: jobFaults(jobs)}
	slices.SortStableFunc(t.Jobs, func(a, b TraceJob) int { return cmp.Compare(a.Arrival, b.Arrival) })
	t.Report = TraceReport{File: name, Lines: len(jobs), Jobs: len(jobs)}
	return t
}

// Span is the time from the first arrival to the last.
func (t *Trace) Span() float64 {
	if len(t.Jobs) == 0 {
		return math.NaN()
	}
	return t.Jobs[len(t.Jobs)-1].Arrival - t.Jobs[0].Arrival
}

// Rate is the arrival rate: gaps between jobs over the span.
func (t *Trace) Rate() float64 { return float64(len(t.Jobs)-1) / t.Span() }

// MaxNeed is the most servers that a job needs; the queue must have as many.
func (t *Trace) MaxNeed() int {
	most := 0
	for _, j := range t.Jobs {
		most = max(most, j.Need)
	}
	return most
}

// OfferedLoad is the server-time the jobs bring per unit of time, over the
// servers.
func (t *Trace) OfferedLoad(servers int) float64 {
	work := 0.0
	for _, j := range t.Jobs {
		work += float64(j.Need) * j.Service
	}
	return work / float64(len(t.Jobs)) * t.Rate() / float64(servers)
}

// String is a line on the trace.
func (t *Trace) String() string {
	return fmt.Sprintf("trace %s: %d jobs in %.6g units of time (%.6g a unit), at most %d servers a job",
		t.Name, len(t.Jobs), t.Span(), t.Rate(), t.MaxNeed())
}

// HTML is the line for a notebook.
func (t *Trace) HTML() string { return "<p>" + html.EscapeString(t.String()) + "</p>" }

// Faster is the trace with all arrivals c times as fast and services as they
// are: the what-if of more load. A factor that is not positive and finite gives a
// trace that Validate refuses.
func (t *Trace) Faster(c float64) *Trace {
	out := *t
	out.Name = fmt.Sprintf("%s, arrivals %g times as fast", t.Name, c)
	out.Jobs = slices.Clone(t.Jobs)
	if !(c > 0) || math.IsInf(c, 1) {
		out.wrong = errors.Join(t.wrong, fmt.Errorf("Faster(%v): the factor must be positive and finite", c))
		return &out
	}
	for i := range out.Jobs {
		out.Jobs[i].Arrival /= c
	}
	return &out
}

// WriteCSV writes the jobs so that ReadCSV gives them back as they are.
func (t *Trace) WriteCSV(w io.Writer) error {
	if err := t.Validate(); err != nil {
		return err
	}
	return trace.WriteCSV(w, t.Jobs)
}

// WriteSWF writes the jobs in the Standard Workload Format, so that ReadSWF
// with SWF{Class: 15} gives them back: classes become queues that the header
// names. servers goes into the header; 0 leaves it out.
func (t *Trace) WriteSWF(w io.Writer, servers int) error {
	if err := t.Validate(); err != nil {
		return err
	}
	var classes []string
	seen := map[string]bool{"": true}
	for _, j := range t.Jobs {
		if !seen[j.Class] {
			seen[j.Class] = true
			classes = append(classes, j.Class)
		}
	}
	return trace.WriteSWF(w, slices.Values(t.Jobs), servers, classes)
}
