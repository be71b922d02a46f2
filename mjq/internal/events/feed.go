package events

import (
	"math"

	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// Job is a job as it comes in: stream.Job, and the estimate of its service that came
// with it, if any.
type Job struct {
	Gap, Service, Estimate float64
	Class, Need            int32
	Owner                  int32 // of System.Owners
	Form                   int32 // 1 more than that of System.Elastic; 0: of its class
}

// Feed brings the jobs of a run in order of arrival.
type Feed interface {
	// Next fills dst with the jobs that follow and returns how many: fewer only at the
	// end, after which there are none.
	Next(dst []Job) int
}

// Input yields the jobs of a run by their index, as stream.Reader does.
type Input interface {
	Fill(dst []stream.Job, first int64)
}

// block is how many jobs are read at once.
const block = 256

// endless feeds from an Input.
type endless struct {
	input Input
	jobs  [block]stream.Job
	next  int64
}

// Next is the next jobs; there is no end.
func (f *endless) Next(dst []Job) int {
	for n := 0; n < len(dst); {
		some := f.jobs[:min(block, len(dst)-n)]
		f.input.Fill(some, f.next)
		for i := range some {
			j := &some[i]
			dst[n+i] = Job{Gap: j.Gap, Service: j.Service, Estimate: j.Service, Class: j.Class, Need: j.Need}
		}
		n += len(some)
		f.next += int64(len(some))
	}
	return len(dst)
}

// Logged is a job of a log.
type Logged struct {
	Arrival, Service, Estimate float64
	Class, Need                int
	Owner                      int32 // of System.Owners
	Form                       int32 // 1 more than that of System.Elastic; 0: of its class
}

// starter is a Feed whose first job does not arrive at time 0.
type starter interface{ start() float64 }

// delayed is a Feed whose first job arrives that long after time 0.
type delayed interface{ delay() float64 }

// since feeds jobs that are all there at time 0, and then those of a stream whose
// time begins at that moment.
type since struct {
	given []Job
	first float64 // when the first job of the stream arrives
	rest  endless
}

// newSince makes the feed of a replication.
func newSince(given []Job, r *stream.Reader) *since {
	number, after := r.First()
	f := &since{given: given, first: after, rest: endless{input: r, next: number}}
	return f
}

func (f *since) delay() float64 {
	if len(f.given) > 0 {
		return 0
	}
	return f.first
}

// Next is the next jobs; there is no end.
func (f *since) Next(dst []Job) int {
	n := copy(dst, f.given)
	for i := range dst[:n] {
		dst[i].Gap = 0
	}
	if f.given = f.given[n:]; n > 0 && len(f.given) == 0 {
		dst[n-1].Gap = f.first
	}
	if n < len(dst) {
		f.rest.Next(dst[n:])
	}
	return len(dst)
}

// Log feeds from a log, whose jobs are in order of arrival.
func Log(jobs []Logged) Feed { return &log{jobs: jobs} }

type log struct{ jobs []Logged }

func (l *log) start() float64 {
	if len(l.jobs) == 0 {
		return 0
	}
	return l.jobs[0].Arrival
}

// Next is the next jobs of the log. After the last there is no arrival.
func (l *log) Next(dst []Job) int {
	n := min(len(dst), len(l.jobs))
	for i, j := range l.jobs[:n] {
		gap := math.Inf(1)
		if i+1 < len(l.jobs) {
			gap = l.jobs[i+1].Arrival - j.Arrival
		}
		dst[i] = Job{Gap: gap, Service: j.Service, Estimate: j.Estimate, Class: int32(j.Class), Need: int32(j.Need), Owner: j.Owner, Form: j.Form}
	}
	l.jobs = l.jobs[n:]
	return n
}
