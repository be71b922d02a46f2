// Package trace reads and writes the inputs that people have: logs of jobs (Slurm's sacct,
// Standard Workload Format, comma-separated values) and descriptions of models (MJSRE tuples, TOML
// of mjqm-simulator). A log answers questions, with the options of package mjq:
//
//	log, err := trace.ReadSWF("centre.swf", file, trace.SWF{})
//	f, err := log.Fit(ctx, trace.Fit{Servers: 64, Arrivals: trace.Best})                  // f.Model, f.Classes, f.Arrivals
//	r, err := log.Replay(ctx, trace.Replay{Servers: 64, Policy: mjq.EASY()})              // as it is, under any policy
//	c, err := log.Compare(ctx, trace.Replay{Servers: 64}, []mjq.Policy{mjq.FCFS(), mjq.EASY()})
//	p, err := log.Path(ctx, trace.Replay{Servers: 64}, 0, 3600)                           // job by job
//
// SWF and CSV are streamed: a job at a time, in memory that does not grow with the log. A line
// that cannot be understood is an error that names the file, the line and the reason; a
// line that is understood but is no job to simulate is counted by reason. So
// lines = comments + jobs + joined + skipped + malformed.
package trace

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/mjq/result"
)

// Job is one line of a log.
type Job struct {
	Arrival float64 // time of arrival, not negative
	Need    int     // servers, at least 1
	Service float64 // time for which they are held, not negative
	Class   string  // label, "" if the log has none
	Line    int     // in the file, from 1

	Estimate  float64 // of the service when the job came, as its user asked for; 0 if the log has none
	Waited    float64 // how long it waited under the scheduler that wrote the log, if WaitKnown
	WaitKnown bool
	User      string // "" if the log has none

	// Units[k] is what it needs of the type Trace.Types[k], of which there may be none, in a log
	// with several types of resources; else nil. Need is then that of the first type.
	Units []int
	// Nodes is on how many nodes it lay under the scheduler that wrote the log; 0: not known.
	Nodes int
}

// LineError is a line of an input that cannot be understood.
type LineError struct {
	File   string
	Line   int
	Reason string
}

// Error is "file:line: reason".
func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason) }

// Count is how many lines share a reason, and the first of them.
type Count struct {
	Reason    string
	Lines     int
	FirstLine int
}

// Report accounts for every line of a log.
type Report struct {
	File       string
	Lines      int // all of them
	Comments   int // and blank lines and headers
	Jobs       int
	Joined     int // lines that are part of a job that another line gives
	Malformed  int
	Faulty     []Count // malformed lines by reason, of logs of sacct
	Skipped    []Count // understood but no job, by reason
	Adjusted   []Count // read by a rule that had to choose a value or leave something out
	OutOfOrder int     // jobs that arrive before the one above them
	Servers    int     // of the system, if the log says so; else 0

	Origin time.Time // of the times of the log; the zero value if it is not known
}

// SkippedLines is the sum over all reasons.
func (r *Report) SkippedLines() int {
	n := 0
	for _, c := range r.Skipped {
		n += c.Lines
	}
	return n
}

// String is a line for each kind of line.
func (r *Report) String() string {
	joined := ""
	if r.Joined > 0 {
		joined = fmt.Sprintf("%d joined to others, ", r.Joined)
	}
	s := fmt.Sprintf("%s: %d lines: %d jobs, %s%d comments or blank, %d skipped, %d malformed\n",
		escape.Line(r.File), r.Lines, r.Jobs, joined, r.Comments, r.SkippedLines(), r.Malformed)
	for _, c := range r.Faulty {
		s += fmt.Sprintf("  malformed %d: %s (first in line %d)\n", c.Lines, escape.Line(c.Reason), c.FirstLine)
	}
	for _, c := range r.Skipped {
		s += fmt.Sprintf("  skipped %d: %s (first in line %d)\n", c.Lines, escape.Line(c.Reason), c.FirstLine)
	}
	for _, c := range r.Adjusted {
		s += fmt.Sprintf("  adjusted %d: %s (first in line %d)\n", c.Lines, escape.Line(c.Reason), c.FirstLine)
	}
	if r.OutOfOrder > 0 {
		s += fmt.Sprintf("  %d jobs arrive before the one above them\n", r.OutOfOrder)
	}
	return s
}

// tick counts one more line under its reason.
func tick(counts []Count, reason string, line int) []Count {
	for i := range counts {
		if counts[i].Reason == reason {
			counts[i].Lines++
			return counts
		}
	}
	return append(counts, Count{Reason: reason, Lines: 1, FirstLine: line})
}

// Stream is a log read a job at a time, in memory that does not grow with it. Jobs
// ranges over it, Replay runs the queue on it, Report accounts for the lines read so far.
// It can be read once.
type Stream struct {
	report Report
	last   float64
	wrong  error          // of the options
	types  []string       // of resources
	unit   result.Unit    // of all times
	zone   *time.Location // of times that are Unix seconds; nil where they are numbers
	each   func(s *Stream, yield func(Job, error) bool)
}

// Jobs yields the jobs in the order of the log, and for a malformed line a *LineError with no
// job; the caller decides whether to go on. An error of another kind comes from the reader and
// is the last. The log is read once: a second range yields nothing.
func (s *Stream) Jobs() iter.Seq2[Job, error] {
	return func(yield func(Job, error) bool) {
		if s.wrong != nil {
			yield(Job{}, s.wrong)
			return
		}
		each := s.each
		s.each = func(*Stream, func(Job, error) bool) {}
		each(s, yield)
	}
}

// Report accounts for the lines read so far.
func (s *Stream) Report() Report {
	r := s.report
	r.Skipped, r.Adjusted = slices.Clone(r.Skipped), slices.Clone(r.Adjusted)
	return r
}

// malformed passes on a line that cannot be understood.
func (s *Stream) malformed(yield func(Job, error) bool, line int, format string, args ...any) bool {
	s.report.Malformed++
	return yield(Job{}, &LineError{s.report.File, line, fmt.Sprintf(format, args...)})
}

func (s *Stream) skip(reason string, line int) {
	s.report.Skipped = tick(s.report.Skipped, reason, line)
}

func (s *Stream) adjust(reason string, line int) {
	s.report.Adjusted = tick(s.report.Adjusted, reason, line)
}

// job passes on a job.
func (s *Stream) job(yield func(Job, error) bool, j Job) bool {
	s.report.Jobs++
	if j.Arrival < s.last {
		s.report.OutOfOrder++
	}
	s.last = j.Arrival
	return yield(j, nil)
}
