package trace

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/result"
)

// SacctCommand is the command whose output ReadSacct reads, of the first quarter of a year.
// -X leaves steps out, and -D keeps the earlier runs of jobs that were requeued. JobName,
// Comment and SubmitLine are not asked for, as they may hold a '|'.
const SacctCommand = "TZ=UTC SLURM_TIME_FORMAT=standard SLURM_BITSTR_LEN=0 sacct -a -X -D -P -S 2026-01-01 -E 2026-04-01 " +
	"--format=JobIDRaw,JobID,User,Account,Partition,QOS,State,Submit,Eligible,Start,End,Elapsed,Timelimit,ReqTRES,AllocTRES,NNodes,Reservation"

// Sacct says how ReadSacct reads the accounting of Slurm. The zero value counts CPUs, has a job
// arrive when it becomes eligible, makes each run of a requeued job a job of its own, joins the
// components of a heterogeneous job, and reads times as UTC.
type Sacct struct {
	// Need is the trackable resource that counts as servers: "cpu" (the default), "gres/gpu",
	// "gres/gpu:a100", "node", "mem" in MiB, "license/x". Jobs that hold none of it are skipped.
	Need string
	// Types are several resources that count, in place of Need: Job.Units has the amount of each,
	// in this order, and Job.Need is that of the first.
	Types []string
	// Class is the column that labels jobs, such as "Partition", "QOS", "Account", "User" or
	// "State", or several joined by '+', as "Partition+QOS".
	Class string
	// From says when a job arrives: Eligible (the default) or Submit.
	From Instant
	// Only keeps the jobs with these values in these columns, Without drops them:
	// map[string]string{"Partition": "gpu"}.
	Only, Without map[string]string
	// Where are further conditions, which all must hold, on needs and times too: Filter.
	Where []Filter
	// Requeued says what the runs of a job that was requeued are: EachRun (the default), LastRun
	// or Joined.
	Requeued Runs
	// Het says what the components of a heterogeneous job are: Joined (the default) or Separate.
	Het Runs
	// Location is the time zone of the times in the file; nil is UTC.
	Location *time.Location
	// Since and Until bound the arrivals that count. sacct selects jobs that are alive in a
	// window, so without Since long jobs are over-represented at its beginning. Jobs that had
	// arrived by Since and had not ended go into Trace.Begin.
	Since, Until time.Time
	// ZeroRunTime is the service time, in seconds, of jobs whose Elapsed is 0. With 0 they are
	// skipped.
	ZeroRunTime float64
	// Running keeps jobs that still run, with their time so far as service time.
	Running bool
	// Delimiter separates columns; 0 takes what stands between the names of the header.
	Delimiter byte
	// Columns names the columns of a file without a header, as --format of sacct does, with commas.
	Columns string
}

// Instant is a column of sacct that says when a job arrives.
type Instant string

// When a job arrives. Dependencies and begin times make a job eligible later than it was
// submitted, which is no wait.
const (
	Eligible Instant = ""
	Submit   Instant = "submit"
)

// Runs says what becomes of lines of sacct that belong together.
type Runs string

// EachRun and Separate make each line a job. LastRun keeps the last run of a requeued job.
// Joined makes one job: of runs with the arrival of the first, the sum of their times and the
// need of the last; of heterogeneous components with the sum of their needs and the longest of
// their times.
const (
	EachRun  Runs = "each"
	LastRun  Runs = "last"
	Joined   Runs = "joined"
	Separate Runs = "separate"
)

// settled is the options with their defaults in place.
func (o Sacct) settled() Sacct {
	if o.Requeued == "" {
		o.Requeued = EachRun
	}
	if o.Het == "" {
		o.Het = Joined
	}
	if o.Location == nil {
		o.Location = time.UTC
	}
	if len(o.Types) == 0 && o.Need == "" {
		o.Need = "cpu"
	}
	return o
}

// Validate names the faults of the options.
func (o Sacct) Validate() error {
	var f check.Faults
	f.That(o.Need == "" || len(o.Types) == 0, "Need %q and Types %q: give one of them", o.Need, o.Types)
	for i, name := range append([]string{o.Need}, o.Types...) {
		f.That(!strings.ContainsAny(name, "=,|"), "the resource %q: give a name such as cpu, gres/gpu or node", name)
		f.That(i == 0 || name != "" && !slices.Contains(o.Types[:i-1], name), "Types %q: give each resource once, by its name", o.Types)
	}
	for _, w := range o.Where {
		w.check(&f)
	}
	f.That(o.From == Eligible || o.From == Submit, "From %q: choose trace.Eligible or trace.Submit", string(o.From))
	f.That(slices.Contains([]Runs{"", EachRun, LastRun, Joined}, o.Requeued), "Requeued %q: choose trace.EachRun, trace.LastRun or trace.Joined", string(o.Requeued))
	f.That(slices.Contains([]Runs{"", Joined, Separate}, o.Het), "Het %q: choose trace.Joined or trace.Separate", string(o.Het))
	f.That(o.ZeroRunTime >= 0 && !math.IsInf(o.ZeroRunTime, 1), "ZeroRunTime %v: give a finite time, or 0 to skip such jobs", o.ZeroRunTime)
	f.That(o.Until.IsZero() || o.Since.Before(o.Until), "Since %v and Until %v: give the earlier first", o.Since, o.Until)
	f.That(o.Delimiter == 0 || o.Delimiter == '\t' || o.Delimiter > ' ' && o.Delimiter < 127, "Delimiter %q: give a visible ASCII character", o.Delimiter)
	return f.Err("Sacct")
}

// Departure is a job of a log that never started: it left the queue, or waits still.
type Departure struct {
	Arrival float64 // in the time of the log
	Waited  float64 // until it left, or until the last time that the log knows
	Waiting bool    // it waits still, so that Waited is a lower bound
	Need    int     // servers that it asked for; 0 if not known
	Units   []int   // of each type of a log with types
	Class   string
	User    string
	Line    int
}

// ReadSacct reads the output of sacct, written by a command such as SacctCommand: columns
// separated by '|' or another delimiter below a header, columns of fixed width, or JSON. Columns are
// found by name, in any order, and unknown ones do not count. A file without a header is read if its
// columns are those of SacctCommand or named by Columns. The text may be compressed, or in UTF-16.
//
// Times are in seconds from midnight of the day of the first arrival (Report.Origin). A job that
// held servers is a job, whatever became of it; its service time is Elapsed, which leaves
// suspensions out. Jobs that left before they started are in Trace.Left. Report accounts for
// every line: Lines = Comments + Jobs + Joined + skipped + Malformed.
//
// The file is read line by line. Ten million jobs take 2.1 GB, of which Trace.Jobs are 1.4 GB; StreamSacct
// hands out the same jobs in 0.8 GB. A malformed line is left out, and the error names the first ten in words; the trace
// of the other lines is returned with it. Missing columns and a missing header are an error
// without a trace.
func ReadSacct(name string, r io.Reader, how Sacct) (*Trace, error) {
	return readSacct(name, []File{{name, r}}, how)
}

// readSacct reads several files as one log.
func readSacct(name string, files []File, how Sacct) (*Trace, error) {
	if err := how.Validate(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	in := newSacctReader(name, how.settled())
	for _, f := range files {
		if err := in.read(f.Name, newLines(f.Text)); err != nil {
			return nil, fmt.Errorf("reading %s: %w", f.Name, err)
		}
	}
	t := in.trace()
	if err := in.bad.Err(""); err != nil {
		return t, fmt.Errorf("reading %s: %w", name, err)
	}
	if err := in.sieve.fault(&t.Report); err != nil {
		return t, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(t.Jobs) == 0 {
		return t, fmt.Errorf("reading %s: there is no job in it\n%v", name, &t.Report)
	}
	return t, nil
}

// StreamSacct reads the output of sacct as ReadSacct does, and hands out its jobs one by one in the order of
// arrival. Lines that belong together, such as the runs of a requeued job, may stand anywhere, so it reads all
// lines before the first job, in 52 bytes a job. Ten million take 0.8 GB, and some 10 s of one core.
//
// A stream has no window: all its jobs count, and a replay begins empty. Jobs that never started are in
// Report alone. ReadSacct has both. Jobs of several clusters are an error; keep those of one by Where.
func StreamSacct(name string, r io.Reader, how Sacct) *Stream {
	s := &Stream{ledger: ledger{Report{File: name}}, wrong: how.Validate(), types: how.Types, unit: result.Seconds}
	if !how.Since.IsZero() || !how.Until.IsZero() {
		s.wrong = errors.Join(s.wrong, errors.New("StreamSacct: Since and Until need the whole log; read it with ReadSacct, or give a condition on Submit in Where"))
	}
	s.each = func(s *Stream, yield func(Job, error) bool) {
		in, enough := newSacctReader(name, how.settled()), false
		in.wrong = func(e *LineError) { enough = enough || !yield(Job{}, e) }
		err := in.read(name, newLines(r))
		if s.report = in.report; err != nil || enough {
			if !enough {
				yield(Job{}, fmt.Errorf("reading %s: %w", name, err))
			}
			return
		}
		order := in.finish()
		s.report = in.report
		s.report.Jobs = 0 // they are counted as they are handed out
		if err := in.sieve.fault(&s.report); err != nil {
			yield(Job{}, fmt.Errorf("reading %s: %w", name, err))
			return
		}
		if err := oneCluster(&s.report); err != nil {
			yield(Job{}, err)
			return
		}
		zero := in.report.Origin.Unix()
		for _, k := range order {
			if r := in.runs.at(int(k)); r.fate == kept && !s.job(yield, in.asJob(r, zero)) {
				return
			}
		}
	}
	return s
}
