package trace

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/mjqueue/mjq/mjq/result"
)

// Philly says how ReadPhilly reads the log of Microsoft's Philly cluster.
type Philly struct {
	// Attempts says what the attempts of a job are: EachRun (the default), where a later attempt
	// arrives when the one before it ends, LastRun or Joined.
	Attempts Runs
	// Location is the time zone of the times; nil is UTC.
	Location *time.Location
}

// phillyJob is an item of cluster_job_log.
type phillyJob struct {
	ID        string          `json:"jobid"`
	User      string          `json:"user"`
	VC        string          `json:"vc"`
	Submitted string          `json:"submitted_time"`
	Attempts  []phillyAttempt `json:"attempts"`
}

// phillyAttempt is a run of a job.
type phillyAttempt struct {
	Start  string `json:"start_time"`
	End    string `json:"end_time"`
	Detail []struct {
		GPUs []string `json:"gpus"`
	} `json:"detail"`
}

const (
	noAttempt   = "no attempt to run it"
	laterTry    = "a later attempt, which arrives when the one before it ends"
	earlierTry  = "an earlier attempt"
	joinedTry   = "a later attempt, joined to the first"
	withoutGPUs = "no GPU is known"
)

// ReadPhilly reads cluster_job_log of the Philly traces: a list of jobs in JSON. Jobs need GPUs,
// and the virtual cluster is the class. In the report a line is an attempt, or a job without one;
// Job.Line is its number. Items that cannot be understood are an error that names the first ten,
// and the trace of the others is returned with it.
// Source of the layout: the description of github.com/msr-fiddle/philly-traces.
func ReadPhilly(name string, r io.Reader, how Philly) (*Trace, error) {
	if !slices.Contains([]Runs{"", EachRun, LastRun, Joined}, how.Attempts) {
		return nil, fmt.Errorf("reading %s: Attempts %q: choose trace.EachRun, trace.LastRun or trace.Joined", name, string(how.Attempts))
	}
	d := json.NewDecoder(r)
	if token, err := d.Token(); err != nil || token != json.Delim('[') {
		return nil, fmt.Errorf("reading %s: it does not begin as a list of jobs in JSON; give cluster_job_log", name)
	}
	s := &Stream{ledger: ledger{Report{File: name}}, unit: result.Seconds, zone: cmp.Or(how.Location, time.UTC), whole: true}
	s.each = func(s *Stream, yield func(Job, error) bool) {
		in := phillyReader{Stream: s, how: how, csv: CSV{Times: Timestamps, Location: how.Location}, yield: yield}
		for items := 0; d.More(); items++ {
			var j phillyJob
			if err := d.Decode(&j); err != nil {
				in.wrong(fmt.Sprintf("after job %d: %v", items, err))
				return // a decoder does not go on after an error
			}
			in.job(&j)
		}
	}
	return s.read()
}

// phillyReader is one pass over a log.
type phillyReader struct {
	*Stream
	how   Philly
	csv   CSV
	yield func(Job, error) bool // of a whole log, which wants all
}

// wrong notes an attempt that cannot be understood.
func (in *phillyReader) wrong(reason string) {
	in.report.Lines++
	in.malformed(in.yield, in.report.Lines, "%s", reason)
}

// at reads a time in Unix seconds; false if it is not known.
func (in *phillyReader) at(text string) (float64, bool, error) {
	if text == "" || text == "None" {
		return 0, false, nil
	}
	t, err := in.csv.parse(text)
	return float64(t.Unix()), err == nil, err
}

// job reads the attempts of a job.
func (in *phillyReader) job(j *phillyJob) {
	arrival, known, err := in.at(j.Submitted)
	if err != nil {
		in.wrong(fmt.Sprintf("job %s was submitted at %.40q; expected YYYY-MM-DD HH:MM:SS", j.ID, j.Submitted))
		return
	}
	if len(j.Attempts) == 0 || !known {
		in.report.Lines++
		in.skip(noAttempt, in.report.Lines)
		return
	}
	var runs []Job
	for i := range j.Attempts {
		run, ok := in.attempt(j, &j.Attempts[i], arrival)
		if !ok {
			continue
		}
		runs = append(runs, run)
		arrival = run.Arrival + run.Waited + run.Service
	}
	in.finish(runs)
}

// attempt reads one; false if it is no job.
func (in *phillyReader) attempt(j *phillyJob, a *phillyAttempt, arrival float64) (run Job, ok bool) {
	start, begun, wrongStart := in.at(a.Start)
	end, done, wrongEnd := in.at(a.End)
	if wrongStart != nil || wrongEnd != nil {
		in.wrong(fmt.Sprintf("an attempt of job %s ran from %.40q to %.40q; expected YYYY-MM-DD HH:MM:SS", j.ID, a.Start, a.End))
		return run, false
	}
	in.report.Lines++
	need := 0
	for _, d := range a.Detail {
		need += len(d.GPUs)
	}
	switch {
	case !begun || !done:
		in.skip(neverRan, in.report.Lines)
	case need == 0:
		in.skip(withoutGPUs, in.report.Lines)
	case end <= start:
		in.skip(tooShort, in.report.Lines)
	case start < arrival:
		in.skip(endsEarly, in.report.Lines)
	default:
		return Job{Arrival: arrival, Need: need, Nodes: len(a.Detail), Service: end - start, Class: j.VC, User: j.User, Line: in.report.Lines,
			Waited: start - arrival, WaitKnown: true}, true
	}
	return run, false
}

// finish makes jobs of the attempts that ran.
func (in *phillyReader) finish(runs []Job) {
	if len(runs) == 0 {
		return
	}
	last := len(runs) - 1
	switch in.how.Attempts {
	case LastRun:
		for _, r := range runs[:last] {
			in.skip(earlierTry, r.Line)
		}
		runs = runs[last:]
	case Joined:
		for _, r := range runs[1:] {
			runs[0].Service += r.Service
			runs[0].Need, runs[0].Nodes = r.Need, r.Nodes
			in.report.Joined++
			in.adjust(joinedTry, r.Line)
		}
		runs = runs[:1]
	default:
		for _, r := range runs[1:] {
			in.adjust(laterTry, r.Line)
		}
	}
	for _, r := range runs {
		in.Stream.job(in.yield, r)
	}
}
