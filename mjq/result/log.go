package result

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mjqueue/mjq/internal/escape"
)

// Log is the account of a log: the window that counts, and what became of each of its lines, so
// that Lines = Comments + Jobs + Joined + skipped + Malformed. It is plain data.
type Log struct {
	File   string
	Window Window
	Lines  int // all of them

	Comments  int // and blank lines and headers
	Jobs      int // those that arrive in the window
	Begin     int // jobs that were there when the window begins, running or waiting
	Left      int // jobs that never started: they left, or wait still; a line may tell of several
	Joined    int // lines that are part of a job that another line gives
	Malformed int
	Filtered  int // lines that a filter leaves out
	Needless  int // lines of jobs that need none of the resource that counts
	Doubled   int // lines that tell again of a job, as where two exports overlap

	Faulty     []LineCount // malformed lines by reason, of logs of sacct
	Skipped    []LineCount // lines that are understood but give no job, by reason; Filtered, Needless, Doubled and Begin are among them
	Adjusted   []LineCount // lines that are read by a rule which had to choose a value or leave something out
	OutOfOrder int         // jobs that arrive before the one above them
	Servers    int         // of the system, if the log says so; else 0
	Clusters   []string    // of whose jobs the log has some, where there are several; else nil

	Origin time.Time // of the times of the log; the zero value if it is not known
}

// LineCount is how many lines share a reason, and the first of them.
type LineCount struct {
	Reason    string
	Lines     int
	FirstLine int
}

// Window is the time that a log covers: the jobs that arrive in it count.
type Window struct {
	Since, Until float64   // in the times of the log
	From, To     time.Time // the same as points in time; the zero value where the log has none
	Unit         Unit      // of Since and Until
	Why          string    // how it is known, after "because"; "" is no window
	Shown        bool      // the log does not begin with its first arrival: jobs that were there when the window begins are known
}

// Known reports whether there is a window.
func (w Window) Known() bool { return w.Why != "" }

// Length is that of the window, in the unit of the log.
func (w Window) Length() float64 { return w.Until - w.Since }

// String is a sentence that says the window, and why it is that.
func (w Window) String() string {
	if !w.Known() {
		return ""
	}
	if w.From.IsZero() {
		return fmt.Sprintf("The window is %s to %s, because %s.", w.Unit.Text(w.Since), w.Unit.Text(w.Until), w.Why)
	}
	const layout = "2 Jan 2006 15:04"
	zone := w.From.Format("MST")
	return fmt.Sprintf("The window is %s to %s %s (%s), because %s.", w.From.Format(layout), w.To.Format(layout), zone, w.Unit.Text(w.Length()), w.Why)
}

// SkippedLines is the sum over all reasons.
func (l *Log) SkippedLines() int {
	n := 0
	for _, c := range l.Skipped {
		n += c.Lines
	}
	return n
}

// Sentence says in one line what became of the lines.
func (l *Log) Sentence() string {
	text := fmt.Sprintf("The %d lines of %s give %s", l.Lines, l.File, jobs(l.Jobs))
	var rest []string
	add := func(n int, what string) {
		if n > 0 {
			rest = append(rest, strconv.Itoa(n)+" "+what)
		}
	}
	add(l.Begin, "there when the window begins")
	add(l.Joined, "joined to others")
	add(l.Doubled, "doubled")
	add(l.Filtered, "filtered")
	add(l.Needless, "needless")
	add(l.Malformed, "malformed")
	add(l.SkippedLines()-l.Begin-l.Doubled-l.Filtered-l.Needless, "skipped")
	add(l.Comments, "of comments and headers")
	if len(rest) > 0 {
		text += "; " + strings.Join(rest, ", ")
	}
	return text + "."
}

// jobs is a number of jobs.
func jobs(n int) string {
	if n == 1 {
		return "1 job"
	}
	return strconv.Itoa(n) + " jobs"
}

// Notes are the sentences for an answer about the log: its window, and what became of its lines.
// There are none where no log was read.
func (l *Log) Notes() (notes []string) {
	if l.Lines == 0 {
		return nil
	}
	if l.Window.Known() {
		notes = append(notes, l.Window.String())
	}
	if notes = append(notes, l.Sentence()); len(l.Clusters) > 1 {
		names := strings.Join(l.Clusters, ", ")
		notes = append(notes, fmt.Sprintf("The log has jobs of %d clusters (%s).", len(l.Clusters), names))
	}
	return notes
}

// String returns how many lines of the log were read, left out or merged, a line for each reason.
func (l *Log) String() string {
	joined := ""
	if l.Joined > 0 {
		joined = fmt.Sprintf("%d joined to others, ", l.Joined)
	}
	s := fmt.Sprintf("%s: %d lines: %s, %s%d comments or blank, %d skipped, %d malformed\n",
		escape.Line(l.File), l.Lines, jobs(l.Jobs), joined, l.Comments, l.SkippedLines(), l.Malformed)
	for _, list := range []struct {
		what   string
		counts []LineCount
	}{{"malformed", l.Faulty}, {"skipped", l.Skipped}, {"adjusted", l.Adjusted}} {
		for _, c := range list.counts {
			s += fmt.Sprintf("  %s %d: %s (first in line %d)\n", list.what, c.Lines, escape.Line(c.Reason), c.FirstLine)
		}
	}
	if l.OutOfOrder > 0 {
		s += fmt.Sprintf("  %s before the one above\n", arrive(l.OutOfOrder))
	}
	if l.Window.Known() {
		s += "  " + escape.Line(l.Window.String()) + "\n"
	}
	return s
}

// arrive is that so many jobs do.
func arrive(n int) string {
	if n == 1 {
		return "1 job arrives"
	}
	return strconv.Itoa(n) + " jobs arrive"
}
