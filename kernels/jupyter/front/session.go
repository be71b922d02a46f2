package main

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/kernels/jupyter/cells"
)

// A session is what the front knows of one kernel and does with its messages.
type session struct {
	publish func(message)
	words   string // the file of what help says

	mu      sync.Mutex
	book    *cells.Book
	asked   map[string]*asked   // all cells, by the id of the request
	sent    []string            // the ids of those that have not ended, in order
	cells   map[int]*cells.Cell // all cells that have run, by number
	running message             // the status that says that a cell runs; empty if none does
	clock   *clock              // of that cell; nil if none is to be shown
	panic   strings.Builder     // what it says since it began to panic, until it ends

	completer *completer
	desk      *desk
}

func newSession(desk *desk, publish func(message)) *session {
	s := &session{publish: publish, words: filepath.Join(checkout(), "kernels/jupyter/words.txt"), book: cells.NewBook(), desk: desk,
		asked: map[string]*asked{}, cells: map[int]*cells.Cell{}}
	s.completer = newCompleter()
	return s
}

func (s *session) close() { s.completer.close() }

// locked is for what several connections look at. A panic leaves it unlocked, for the
// relay then passes on the message as it came.
func (s *session) locked(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

// refused is what GoNB is given in the place of a cell that cannot run, for it counts cells.
const refused = "func"

// ahead is the book as it will be when the cells before have run: all of a notebook's may
// be sent at once.
func (s *session) ahead() *cells.Book {
	b := s.book.Clone()
	for _, id := range s.sent {
		b.Keep(s.asked[id].cell)
	}
	return b
}

// ended forgets a cell that has ended, and those before it, which never ran.
func (s *session) ended(id string) {
	s.sent = slices.Delete(s.sent, 0, 1+slices.Index(s.sent, id))
}

// fields are the content of a message, of which some are changed.
type fields map[string]json.RawMessage

func (m *message) fields() fields {
	f := fields{}
	_ = json.Unmarshal(m.content, &f) // a content that is no object has no fields
	return f
}

func (f fields) text(name string) string {
	var s string
	_ = json.Unmarshal(f[name], &s)
	return s
}

func (f fields) number(name string) int {
	var n float64
	_ = json.Unmarshal(f[name], &n)
	return int(n)
}

func (m *message) set(f fields) { m.content = plainJSON(f) }

// request looks at what Jupyter asks. Completions are answered here, while cells run.
func (s *session) request(m message, reply func(message)) []message {
	switch m.head.Type {
	case "execute_request":
		f := m.fields()
		var c *cells.Cell
		s.locked(func() {
			c = rules.Read(f.text("code"), s.ahead())
			a := &asked{cell: c, told: make(chan struct{})}
			_ = json.Unmarshal(f["user_expressions"], &a.expressions) // none, if it is no object
			s.asked[m.head.ID] = a
			s.sent = append(s.sent, m.head.ID)
		})
		code := c.Go()
		if word := strings.TrimSpace(c.Text); word == "help" || word == "%help" || word == "mjq help" {
			code = "!cat '" + s.words + "'"
		} else if c.Refused != "" {
			code = refused
		}
		f["code"] = plainJSON(code)
		m.set(f)
	case "is_complete_request", "comm_info_request", "history_request":
		kind, content := answered(m)
		s.around(m, func() { reply(m.answer(kind, content)) })
		return nil
	case "complete_request", "inspect_request":
		go s.answer(m, reply)
		return nil
	case "comm_msg":
		if s.desk.spoken(m, reply) {
			return nil
		}
	}
	return []message{m}
}

// answer completes or explains.
func (s *session) answer(m message, reply func(message)) {
	f := m.fields()
	var book *cells.Book
	s.locked(func() { book = s.book.Clone() })
	kind, ask := "complete_reply", s.completer.complete
	if m.head.Type == "inspect_request" {
		kind, ask = "inspect_reply", s.completer.inspect
	}
	s.around(m, func() {
		var content map[string]any
		if err := panics.Call(func() { content = ask(book, f.text("code"), f.number("cursor_pos")) }); err != nil {
			content = map[string]any{"status": "error", "ename": "front", "evalue": err.Error(), "traceback": []string{}}
		}
		reply(m.answer(kind, content))
	})
}

// around answers a message between the words busy and idle, as the protocol wants it. Those
// would make a cell that runs look ended, so it is said again that it runs.
func (s *session) around(m message, answer func()) {
	status := func(state string) {
		s.publish(m.answer("status", map[string]string{"execution_state": state}))
	}
	status("busy")
	answer()
	status("idle")
	s.publish(s.state())
}

// state says whether a cell runs.
func (s *session) state() message {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := s.running; m.header != nil {
		return about(m.parent, m.about, "status", map[string]string{"execution_state": "busy"})
	}
	nobody := header{ID: "state", Session: "mjq", Username: "mjq", Version: "5.3"}
	return about(json.RawMessage("{}"), nobody, "status", map[string]string{"execution_state": "idle"})
}

// reply looks at what the kernel answers.
func (s *session) reply(m message, _ func(message)) []message {
	switch m.head.Type {
	case "kernel_info_reply":
		s.completer.start()
		f := m.fields()
		language := fields{}
		if json.Unmarshal(f["language_info"], &language) == nil {
			language["pygments_lexer"] = plainJSON("go")
			language["codemirror_mode"] = plainJSON("go")
			f["language_info"] = plainJSON(language)
			m.set(f)
		}
	case "execute_reply":
		f := m.fields()
		var a *asked
		s.locked(func() { a = s.asked[m.about.ID] })
		if a == nil {
			break
		}
		if f.text("status") == "error" {
			maps.Copy(f, a.failure())
		}
		s.locked(func() { a.completed(f) })
		m.set(f)
	}
	return []message{m}
}

// published looks at what the kernel shows.
func (s *session) published(m message) []message {
	switch m.head.Type {
	case "execute_input":
		f := m.fields()
		s.locked(func() {
			if a := s.asked[m.about.ID]; a != nil {
				a.number = f.number("execution_count")
				s.cells[a.number] = a.cell
				f["code"] = plainJSON(a.cell.Text)
				m.set(f)
			}
		})
	case "status":
		busy := m.fields().text("execution_state") == "busy"
		if m.about.Type == "execute_request" {
			var touched []string
			if !busy {
				touched = s.touched(m.about.ID)
			}
			return s.turned(m, busy, touched)
		}
		if m.about.Type == "kernel_info_request" && !busy { // who asks first has heard nothing yet that JupyterLab takes for a state
			return []message{m, s.state()}
		}
	case "display_data", "update_display_data":
		s.desk.displayed(m)
		var out []message
		s.locked(func() { out = s.progressed(m, time.Now()) })
		return out
	case "stream":
		s.locked(func() { s.progressed(m, time.Now()) })
		if !s.held(m) {
			return nil
		}
	case "error":
		out := s.failed(m)
		s.tell(out)
		return out
	}
	return []message{m}
}

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

// held keeps back what a program says that panics, until it has ended. It reports
// whether the message may go on.
func (s *session) held(m message) bool {
	f := m.fields()
	text := f.text("text")
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.text("name") != "stderr" || s.panic.Len() == 0 && !strings.HasPrefix(text, "panic: ") && !strings.Contains(text, "\npanic: ") {
		return true
	}
	s.panic.WriteString(text)
	return false
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
		s.ended(m.about.ID)
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
		return []message{m.said("stderr", said), m}
	}
	return []message{m}
}

// turned follows a cell that begins or ends. When it ends well its declarations are kept,
// and before the word that it has ended there may be a note, also of variables that its
// methods have touched.
func (s *session) turned(m message, busy bool, touched []string) []message {
	s.mu.Lock()
	defer s.mu.Unlock()
	if busy {
		s.running = m
		s.watch(m)
		return []message{m}
	}
	s.running = message{}
	before := s.end()
	running := slices.Contains(s.sent, m.about.ID)
	s.ended(m.about.ID)
	if s.panic.Len() > 0 { // it only looked like a panic
		before = append(before, m.said("stderr", s.panic.String()))
		s.panic.Reset()
	}
	if a := s.asked[m.about.ID]; running && !a.cell.Other {
		c := a.cell
		s.book.Keep(c)
		if note := s.book.Forgotten(c, touched, a.number); note != "" {
			before = append(before, m.said("stdout", note))
		}
		if note := c.Dropped(); note != "" {
			before = append(before, m.said("stdout", note))
		}
	}
	return append(before, m)
}

// touched are the variables that a cell which ends changes by methods, as far as gopls knows.
func (s *session) touched(id string) []string {
	var c *cells.Cell
	var book *cells.Book
	var touches []cells.Touch
	s.locked(func() {
		if a := s.asked[id]; a != nil && slices.Contains(s.sent, id) && !a.cell.Other {
			c, book = a.cell, s.book.Clone()
			book.Keep(c)
			touches = book.Touches(c)
		}
	})
	if len(touches) == 0 {
		return nil
	}
	return s.completer.changed(book, c, touches)
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
