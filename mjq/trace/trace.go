// Package trace reads and writes logs of jobs: Slurm's sacct, the Standard Workload Format and
// comma-separated values. Package foreign, below it, has the files in which other programs describe models. A log
// answers questions, with the options of package mjq:
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
	"strings"
	"time"

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
	// Account is that of the user, by which shares are given; "" if the log has none.
	Account string
}

// LineError is a line of an input that cannot be understood.
type LineError struct {
	File   string
	Line   int
	Reason string
}

// Error is "file:line: reason".
func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason) }

// Report accounts for every line of a log; see result.Log.
type Report = result.Log

// Count is how many lines share a reason, and the first of them.
type Count = result.LineCount

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

// ledger accounts for the lines of a file.
type ledger struct{ report Report }

// adjust counts a line of which a choice was made.
func (l *ledger) adjust(reason string, line int) {
	l.report.Adjusted = tick(l.report.Adjusted, reason, line)
}

// skip counts a line that is understood but gives no job.
func (l *ledger) skip(reason string, line int) {
	r := &l.report
	r.Skipped = tick(r.Skipped, reason, line)
	switch {
	case reason == filtered:
		r.Filtered++
	case reason == noServers, strings.HasPrefix(reason, holdsNone):
		r.Needless++
	case reason == sameRun:
		r.Doubled++
	}
}

// Stream is a log read a job at a time, in memory that does not grow with it. Jobs
// ranges over it, Replay runs the queue on it, Report accounts for the lines read so far.
// It can be read once.
type Stream struct {
	ledger
	last   float64
	wrong  error          // of the options
	types  []string       // of resources
	unit   result.Unit    // of all times
	zone   *time.Location // of times that are Unix seconds; nil where they are numbers
	sieve  sieve          // of the lines that count
	whole  bool           // the format has all jobs from the first arrival on
	number uint64         // of the job handed out last; 0 if it has none
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

// job passes on a job.
func (s *Stream) job(yield func(Job, error) bool, j Job) bool {
	s.report.Jobs++
	if j.Arrival < s.last {
		s.report.OutOfOrder++
	}
	s.last = j.Arrival
	return yield(j, nil)
}
