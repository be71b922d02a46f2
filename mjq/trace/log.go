package trace

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Trace is what jobs did arrive, in the order of arrival: a log of a computing centre, or
// jobs made by a program. Fit turns it into a model, Replay runs the queue on it as it is.
type Trace struct {
	Name   string
	Jobs   []Job
	Report Report

	Types []string    // of resources, of a log with several; else nil
	Begin []Job       // jobs in the system when the log begins, those that run first, with the rest of their service
	Left  []Departure // jobs that never started, in the order of arrival
	// Failed are the runs that ended because a node failed, NODE_FAIL of sacct, each as a job. They are among
	// Jobs too, as a job or a part of one.
	Failed []Job

	Unit result.Unit // of all times: "s" in logs of clusters; "" if it is not known

	read  bool  // from a file, whose lines Report accounts for
	wrong error // with the jobs as they were given
}

// ReadSWF reads a whole log; see StreamSWF. Jobs that the log has out of order
// are sorted, those of equal arrival staying as they are. If lines are
// malformed the error names them, the first ten in words, and the trace of the
// other lines is returned with it. 96 bytes a job.
func ReadSWF(name string, r io.Reader, how SWF) (*Trace, error) {
	return StreamSWF(name, r, how).read()
}

// ReadCSV reads whole comma-separated values; see StreamCSV and ReadSWF.
func ReadCSV(name string, r io.Reader, how CSV) (*Trace, error) {
	return StreamCSV(name, r, how).read()
}

// New is a trace of the given jobs, which are copied and sorted by arrival. Validate reports
// invalid jobs, and so does every question.
func New(name string, jobs []Job) *Trace {
	t := &Trace{Name: name, Jobs: slices.Clone(jobs), wrong: jobFaults(jobs)}
	slices.SortStableFunc(t.Jobs, func(a, b Job) int { return cmp.Compare(a.Arrival, b.Arrival) })
	t.Report = Report{File: name, Lines: len(jobs), Jobs: len(jobs)}
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

// String returns one line: the name of the log, its jobs, its rate and the largest need.
func (t *Trace) String() string {
	rate := ""
	if t.Span() > 0 {
		rate = fmt.Sprintf(" (%.6g a unit)", t.Rate())
	}
	span := fmt.Sprintf("%.6g units of time", t.Span())
	if t.Unit != "" {
		span = t.Unit.Text(t.Span())
		rate = fmt.Sprintf(" (%s)", t.Unit.RateText(t.Rate(), 4))
	}
	return fmt.Sprintf("trace %s: %s in %s%s, at most %s a job",
		escape.Line(t.Name), spec.Count(len(t.Jobs), "job"), span, rate, spec.Count(t.MaxNeed(), "server"))
}

// HTML returns the line as HTML, for a notebook.
func (t *Trace) HTML() string { return "<p>" + escape.HTML(t.String()) + "</p>" }

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
	out.Begin, out.Left = slices.Clone(t.Begin), slices.Clone(t.Left)
	for i := range out.Begin {
		out.Begin[i].Arrival /= c
	}
	for i := range out.Left {
		out.Left[i].Arrival /= c
	}
	w := &out.Report.Window
	w.Since, w.Until, w.From, w.To = w.Since/c, w.Until/c, time.Time{}, time.Time{}
	return &out
}

// WriteCSV writes the jobs so that ReadCSV gives them back as they are. Units have a column for
// each type, named by it.
func (t *Trace) WriteCSV(w io.Writer) error {
	if err := t.Validate(); err != nil {
		return err
	}
	return writeCSV(w, t.Jobs, t.Types)
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
	return WriteSWF(w, slices.Values(t.Jobs), servers, classes)
}

// fromMidnight turns Unix seconds into seconds from midnight of the day of the first arrival.
func (t *Trace) fromMidnight(zone *time.Location) {
	if len(t.Jobs) == 0 {
		return
	}
	year, month, date := time.Unix(int64(t.Jobs[0].Arrival), 0).In(zone).Date()
	t.Report.Origin = time.Date(year, month, date, 0, 0, 0, 0, zone)
	for i := range t.Jobs {
		t.Jobs[i].Arrival -= float64(t.Report.Origin.Unix())
	}
}

// read collects the whole log.
func (s *Stream) read() (*Trace, error) {
	if s.wrong != nil {
		return nil, fmt.Errorf("reading %s: %w", s.report.File, s.wrong)
	}
	jobs, err := s.once()
	if err == nil {
		err = s.sieve.fault(&s.report)
	}
	s.sieve.note(&s.report)
	t := New(s.report.File, jobs)
	t.Report, t.Types, t.Unit, t.read = s.Report(), s.types, s.unit, true
	if s.zone != nil {
		t.fromMidnight(s.zone)
	}
	if !s.whole {
		t.show(t.firstEnd())
	}
	switch {
	case err != nil:
		return t, fmt.Errorf("reading %s: %w", s.report.File, err)
	case len(jobs) == 0:
		return t, fmt.Errorf("reading %s: there is no job in it\n%v", s.report.File, &t.Report)
	}
	return t, nil
}

// mostProblems is how many malformed lines an error names; the others it
// counts.
const mostProblems = 10

// Collect reads a whole log. Malformed lines make the error, which names the
// first ten; the jobs of the others are returned with it.
func (s *Stream) Collect() ([]Job, error) { return s.collect(func(Job) {}) }

func (s *Stream) collect(each func(j Job)) ([]Job, error) {
	var jobs []Job
	bad := check.Faults{Most: mostProblems}
	for j, err := range s.Jobs() {
		if err != nil {
			bad.Join(err)
			continue
		}
		jobs = append(jobs, j)
		each(j)
	}
	return jobs, bad.Err("")
}

// once collects a log, each job once: lines with the same number, arrival, user, need and times tell
// of one job. Where numbers ascend none comes twice.
func (s *Stream) once() (jobs []Job, err error) {
	var numbers []uint64
	ascending, last := true, uint64(0)
	jobs, err = s.collect(func(Job) {
		numbers = append(numbers, s.number)
		ascending = ascending && s.number > last
		last = s.number
	})
	if ascending {
		return jobs, err
	}
	type line struct {
		number                   uint64
		user                     string
		need                     int
		arrival, service, waited float64
	}
	seen, kept := map[line]bool{}, jobs[:0]
	for i := range jobs {
		j := &jobs[i]
		k := line{numbers[i], j.User, j.Need, j.Arrival, j.Service, j.Waited}
		if numbers[i] > 0 && seen[k] {
			s.skip(sameRun, j.Line)
			s.report.Jobs--
			continue
		}
		seen[k] = true
		kept = append(kept, *j)
	}
	return kept, err
}
