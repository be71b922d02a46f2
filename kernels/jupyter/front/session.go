package main

import (
	"encoding/json"
	"maps"
	"path/filepath"
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
	queue   queue               // those that have not ended
	cells   map[int]*cells.Cell // all cells that have run, by number
	running message             // the status that says that a cell runs; empty if none does
	clock   *clock              // of that cell; nil if none is to be shown
	output  *output             // what it prints; nil if none runs
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
func (s *session) request(m message, by *link) []message {
	switch m.head.Type {
	case "execute_request":
		s.arrived(m, by)
		return nil
	case "is_complete_request", "comm_info_request", "history_request":
		kind, content := answered(m)
		s.around(m, func() { by.back(m.answer(kind, content)) })
		return nil
	case "complete_request", "inspect_request":
		go s.answer(m, by.back)
		return nil
	case "comm_msg":
		if s.desk.spoken(m, by.back) {
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
func (s *session) reply(m message, by *link) []message {
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
		by.back(m)
		a.once.Do(func() { close(a.answered) })
		return nil
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
			if busy {
				s.locked(func() {
					s.running, s.output = m, &output{}
					if a := s.asked[m.about.ID]; a != nil && a.interactive {
						s.watch(m)
					}
				})
				return []message{m}
			}
			return append(s.explained(m), s.turned(m, s.touched(m.about.ID))...)
		}
		if m.about.Type == "kernel_info_request" && !busy { // who asks first has heard nothing yet that JupyterLab takes for a state
			return []message{m, s.state()}
		}
	case "display_data", "update_display_data":
		s.desk.displayed(m)
		var out []message
		s.locked(func() { out = s.before(s.shown(m, time.Now())...) })
		return out
	case "stream":
		var out []message
		s.locked(func() { out = s.printed(m, time.Now()) })
		return out
	case "error":
		out := s.failed(m)
		s.tell(out)
		s.locked(func() { out = s.before(out...) })
		return out
	}
	return []message{m}
}

// printed takes what a cell prints, which may wait for more, and returns what goes on.
func (s *session) printed(m message, now time.Time) (out []message) {
	f := m.fields()
	switch name, text := f.text("name"), f.text("text"); {
	case s.held(name, text):
	case s.output == nil || s.running.about.ID != m.about.ID: // of no cell
		out = []message{m}
	default:
		out = s.output.print(m, name, text, now)
		if len(out) > 0 {
			s.progressed(m, now)
		}
	}
	return out
}

// before returns messages and, before them, what has been printed.
func (s *session) before(all ...message) []message {
	if s.output == nil {
		return all
	}
	return append(s.output.flush(time.Now()), all...)
}

// waiting reports whether something is printed that waits for more.
func (s *session) waiting() (yes bool) {
	s.locked(func() { yes = s.output != nil && s.output.text.Len() > 0 })
	return yes
}

// later returns what has waited.
func (s *session) later() (out []message) {
	s.locked(func() {
		if out = s.before(); len(out) > 0 {
			s.progressed(out[0], time.Now())
		}
	})
	return out
}

// shown is a display on its way: a bar is for who sees it move.
func (s *session) shown(m message, now time.Time) []message {
	if a := s.asked[m.about.ID]; a != nil && !a.interactive && strings.Contains(string(m.content), `"display_id":"`+bars) {
		return nil
	}
	return s.progressed(m, now)
}

// turned follows a cell that has ended. If it has ended well its declarations are kept, and
// before the word that it has ended there may be a note, also of variables that its methods
// have touched. After it come those that do not run, and then the next one begins.
func (s *session) turned(m message, touched []string) (out []message) {
	var next *asked
	s.locked(func() {
		s.running = message{}
		if s.output != nil {
			out = s.output.end(time.Now())
			s.output = nil
		}
		out = append(append(out, s.end()...), s.notes(m, touched)...)
		out = append(out, m)
		var aborted []*asked
		aborted, next = s.ended(m.about.ID)
		for _, a := range aborted {
			for _, state := range []string{"busy", "idle"} {
				out = append(out, a.request.answer("status", map[string]string{"execution_state": state}))
			}
		}
		if len(aborted) > 0 {
			go abortAll(aborted, s.asked[m.about.ID])
		}
	})
	if next != nil {
		s.begin(next)
	}
	return out
}

// explained is the documentation for which a cell has asked.
func (s *session) explained(m message) (out []message) {
	var name string
	var book *cells.Book
	s.locked(func() {
		if a := s.asked[m.about.ID]; a != nil {
			name, book = queried(a.text), s.book.Clone()
		}
	})
	if name != "" {
		out = append(out, s.documented(m, name, book))
	}
	return out
}

// notes keeps what a cell that has ended well declares, and is what there is to say of it.
func (s *session) notes(m message, touched []string) (out []message) {
	if s.panic.Len() > 0 { // it only looked like a panic
		out = append(out, m.stream("stderr", s.panic.String()))
		s.panic.Reset()
	}
	a := s.asked[m.about.ID]
	if a == nil || a.failed || a.cell.Other || queried(a.text) != "" {
		return out
	}
	s.book.Keep(a.cell)
	for _, note := range []string{s.book.Forgotten(a.cell, touched, a.number), a.cell.Dropped()} {
		if note != "" {
			out = append(out, m.stream("stdout", note))
		}
	}
	return out
}

// touched are the variables that a cell which ends changes by methods, as far as gopls knows.
func (s *session) touched(id string) []string {
	var c *cells.Cell
	var book *cells.Book
	var touches []cells.Touch
	s.locked(func() {
		if a := s.asked[id]; a != nil && !a.failed && !a.cell.Other && queried(a.text) == "" {
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
