package main

import (
	"encoding/json"
	"strings"

	"github.com/mjqueue/mjq/kernels/jupyter/cells"
)

// tell has the answer to a cell that has failed say the same as the last of the messages.
func (s *session) tell(all []message) {
	last := all[len(all)-1]
	f := last.fields()
	s.locked(func() {
		if a := s.asked[last.about.ID]; a != nil && a.why == nil {
			a.why = fields{"ename": f["ename"], "evalue": f["evalue"], "traceback": f["traceback"]}
			close(a.told)
		}
	})
}

// held keeps back what a program says that panics, until it has ended, and reports whether it does.
func (s *session) held(name, text string) bool {
	if name != "stderr" || s.panic.Len() == 0 && !cells.Crashes(text) {
		return false
	}
	s.panic.WriteString(text)
	return true
}

// undeclared ends what GoNB says of a program whose declarations have failed, and which it
// has therefore not kept (gonb.patch).
const undeclared = ": declarations failed"

// failed explains why a cell has ended, in one message.
func (s *session) failed(m message) []message {
	f := m.fields()
	compiled := !s.explain(&m, f)
	value, failed := strings.CutSuffix(f.text("evalue"), undeclared)
	var said, text string
	var short bool
	s.locked(func() {
		a := s.asked[m.about.ID]
		if a == nil {
			a = &asked{cell: &cells.Cell{}}
		} else if failed {
			s.book.Fail(a.cell, a.number)
		} else if compiled { // GoNB keeps what it declares all the same
			s.book.Keep(a.cell)
		}
		s.book.Forget(a.cell)
		if a.failed = true; a.stops {
			s.stopped()
		}
		said = s.panic.String()
		s.panic.Reset()
		text, short = rules.Crash(said, s.cells, a.number)
	})
	name := "panic"
	switch {
	case strings.HasPrefix(value, "signal: "):
		name, text = "interrupted", "The cell was ended ("+value+")."
	case !compiled || said == "" && !failed:
		return []message{m}
	case !short:
		name, text = f.text("ename"), value
	}
	first, _, _ := strings.Cut(text, "\n")
	f["ename"], f["evalue"], f["traceback"] = plainJSON(name), plainJSON(first), plainJSON([]string{text})
	m.set(f)
	if said != "" && !short {
		return []message{m.stream("stderr", said), m}
	}
	return []message{m}
}

// explain puts what the compiler says into words that fit a cell. It reports whether it
// was the compiler that spoke.
func (s *session) explain(m *message, f fields) bool {
	var trace []string
	_ = json.Unmarshal(f["traceback"], &trace)
	var book *cells.Book
	var number int
	var now, at *cells.Cell
	s.locked(func() {
		book = s.book.Clone()
		if a := s.asked[m.about.ID]; a != nil {
			now, number = a.cell, a.number
			s.cells[number] = now
		}
	})
	faults := cells.ReadFaults(f.text("evalue"), trace)
	var text string
	switch {
	case now != nil && now.Refused != "":
		text = now.Refused
	case len(faults) == 0:
		return false
	default:
		cause := faults[cells.Root(faults)]
		if at = now; cause.Cell != 0 {
			s.locked(func() { at = s.cells[cause.Cell] })
		}
		meant := s.completer.meant(book, at, cause)
		s.locked(func() { text = rules.Explain(s.book, faults, s.cells, number, meant) })
	}
	first, _, _ := strings.Cut(text, "\n")
	f["ename"], f["evalue"] = plainJSON("does not compile"), plainJSON(first)
	f["traceback"] = plainJSON([]string{text})
	m.set(f)
	return true
}
