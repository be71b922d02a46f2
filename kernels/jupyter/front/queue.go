package main

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/kernels/jupyter/cells"
)

// A queue hands cells to the kernel one at a time. A cell that fails, or an interrupt, takes
// along those that were sent before anybody could know of it, as Run All sends them: they are
// answered as aborted, and do not run.
type queue struct {
	all  []*asked // in order; the first runs
	last stop
}

// runs reports whether a cell is the one that runs.
func (q *queue) runs(a *asked) bool { return len(q.all) > 0 && q.all[0] == a }

// A stop is why cells do not run, and when it happened; cell is the one that ran then.
type stop struct {
	at   time.Time
	cell *asked
}

// meant reports whether a cell was sent before a stop. One that arrives after it may still
// have been under way: its sender's clock tells, set by when the cell that ran had arrived.
func (s stop) meant(a *asked) bool {
	switch b := s.cell; {
	case b == nil:
		return false
	case a.received.Before(s.at):
		return true
	case a.request.head.Session != b.request.head.Session || a.sent.IsZero() || b.sent.IsZero():
		return false
	default:
		return a.sent.Add(b.received.Sub(b.sent)).Before(s.at)
	}
}

// arrived takes a cell that Jupyter sends.
func (s *session) arrived(m message, by *link) {
	a := &asked{request: m, by: by, received: time.Now(), cell: &cells.Cell{}, told: make(chan struct{}), answered: make(chan struct{})}
	a.sent, _ = time.Parse(time.RFC3339Nano, m.head.Date) // zero, if it does not say
	f := m.fields()
	a.text = f.text("code")
	a.stops = string(f["stop_on_error"]) != "false"
	a.interactive = string(f["allow_stdin"]) == "true"
	_ = json.Unmarshal(f["user_expressions"], &a.expressions) // none, if it is no object
	var aborted, first bool
	s.locked(func() {
		s.asked[m.head.ID] = a
		// Those that arrive while the stopped cell ends are answered after it.
		if aborted = s.queue.last.meant(a) && !s.queue.runs(s.queue.last.cell); !aborted {
			s.queue.all = append(s.queue.all, a)
			by.cells.Add(1)
			first = len(s.queue.all) == 1
		}
	})
	switch {
	case aborted:
		s.around(m, a.abort)
	case first:
		s.begin(a)
	}
}

// begin sends a cell to the kernel, as it stands if it cannot be read.
func (s *session) begin(a *asked) {
	m := a.request
	err := panics.Call(func() {
		s.locked(func() { a.cell = rules.Read(a.text, s.book) })
		f := m.fields()
		f["code"] = plainJSON(s.code(a))
		m.set(f)
	})
	if err != nil {
		complain(err)
		a.cell = &cells.Cell{Text: a.text, Other: true}
	}
	a.by.on(m)
}

// refused is what GoNB is given in the place of a cell that cannot run, for it counts cells.
const refused = "func"

// code is what GoNB runs in the place of a cell.
func (s *session) code(a *asked) string {
	switch word := strings.TrimSpace(a.text); {
	case word == "help" || word == "%help" || word == "mjq help":
		return "!cat '" + s.words + "'"
	case queried(a.text) != "":
		return ""
	case a.cell.Refused != "":
		return refused
	case a.cell.Empty():
		return ""
	}
	return a.cell.Go()
}

// abort answers a cell that does not run.
func (a *asked) abort() {
	a.by.back(a.request.answer("execute_reply", map[string]string{"status": "aborted"}))
}

// abortAll answers cells that do not run, after the one that has stopped them.
func abortAll(all []*asked, after *asked) {
	select {
	case <-after.answered:
	case <-time.After(2 * soonest):
	}
	for _, a := range all {
		a.abort()
	}
}

// stopped notes that something has stopped the cell that runs, and those that wait.
func (s *session) stopped() {
	if len(s.queue.all) > 0 {
		s.queue.last = stop{time.Now(), s.queue.all[0]}
	}
}

// ended takes the cell that has ended off the queue. It returns those that a stop aborts and
// the next to run, if there is one.
func (s *session) ended(id string) (aborted []*asked, next *asked) {
	q := &s.queue
	done := s.asked[id]
	if !q.runs(done) {
		return nil, nil
	}
	q.all = slices.Delete(q.all, 0, 1)
	done.by.cells.Done()
	if q.last.cell == done {
		for _, a := range q.all {
			if q.last.meant(a) {
				aborted = append(aborted, a)
				a.by.cells.Done()
			}
		}
		q.all = slices.DeleteFunc(q.all, q.last.meant)
	}
	if len(q.all) > 0 {
		next = q.all[0]
	}
	return aborted, next
}

// controlled looks at what Jupyter asks beside the cells: an interrupt stops those that wait.
func (s *session) controlled(m message, _ *link) []message {
	if m.head.Type == "interrupt_request" {
		s.locked(s.stopped)
	}
	return []message{m}
}
