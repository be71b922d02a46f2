package trace

import (
	"errors"
	"fmt"
	"io"

	"github.com/mjqueue/mjq/mjq/result"
)

// StreamSacct reads the output of sacct as ReadSacct does, and hands out its jobs one by one in the order of
// arrival. Lines that belong together, such as the runs of a requeued job, may stand anywhere, so it reads all
// lines before the first job, in 52 bytes a job. Ten million take 0.8 GB, and some 10 s of one core.
//
// A stream has no window: all its jobs count, and a replay begins empty. Jobs that never started are in
// Report alone. ReadSacct has both. Jobs of several clusters are an error; keep those of one by Where.
func StreamSacct(name string, r io.Reader, how Sacct) *Stream {
	s := &Stream{report: Report{File: name}, wrong: how.Validate(), types: how.Types, unit: result.Seconds}
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
