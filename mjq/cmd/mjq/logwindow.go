package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/mjq/trace"
)

// windowFlags are the window of a log in which jobs count.
type windowFlags struct{ since, until string }

// add defines the flags.
func (f *windowFlags) add(flags *pflag.FlagSet) {
	const forms = "a time as 2026-03-01 or 2026-03-01T08:00, or a number in the log's unit"
	flags.StringVar(&f.since, "since", "", "count the jobs that arrive from then on, and start with those that were there: "+forms+"; none is the whole log (what the log shows)")
	flags.StringVar(&f.until, "until", "", "count the jobs that arrive before then: "+forms)
}

// apply takes the window out of a log, or the one that it shows.
func (f *windowFlags) apply(t *trace.Trace) (*trace.Trace, error) {
	w := t.Window()
	since, until := w.Since, math.Inf(1)
	var err, wrong error
	switch f.since {
	case "":
	case "none":
		since = math.Inf(-1)
	default:
		since, err = timeOf(t, "since", f.since)
	}
	if f.until != "" {
		until, wrong = timeOf(t, "until", f.until)
	}
	if err := errors.Join(err, wrong); err != nil {
		return nil, err
	}
	if !(since < until) {
		return nil, fmt.Errorf("--since %s and --until %s: give the earlier first", f.since, f.until)
	}
	switch {
	case f.since == "" && f.until == "":
		return t.Windowed(), nil
	case f.since == "none" && f.until == "":
		return t, nil
	}
	within := t.Within(since, until)
	if len(within.Jobs) == 0 {
		return nil, fmt.Errorf("--since and --until keep no job of %d. %v", len(t.Jobs), w)
	}
	return within, nil
}

// instants are the forms of points in time on the command line.
var instants = []string{"2006-01-02", "2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02 15:04:05", time.RFC3339}

// timeOf reads a time of a log, in seconds from its beginning or in its own unit.
func timeOf(t *trace.Trace, flag, text string) (float64, error) {
	if x, err := strconv.ParseFloat(text, 64); err == nil && x >= 0 && !math.IsInf(x, 1) {
		return x, nil
	}
	origin := t.Report.Origin
	for _, form := range instants {
		at, err := time.ParseInLocation(form, text, origin.Location())
		switch {
		case err == nil && origin.IsZero():
			return 0, fmt.Errorf("--%s %s: the log has no dates; give a number in its unit of time, as %.6g", flag, text, t.Window().Since)
		case err == nil:
			return at.Sub(origin).Seconds(), nil
		}
	}
	return 0, fmt.Errorf("--%s: %q is no time; write it as 2026-03-01, 2026-03-01T08:00, or as a number in the log's unit", flag, text)
}
