package main

import (
	"sync"
	"time"

	"github.com/mjqueue/mjq/kernels/jupyter/cells"
)

// answered is the answer to what clients ask and GoNB leaves open, so that none of them
// waits.
func answered(m message) (kind string, content map[string]any) {
	switch m.head.Type {
	case "is_complete_request":
		state, indent := rules.Read(m.fields().text("code"), cells.NewBook()).Complete()
		return "is_complete_reply", map[string]any{"status": state, "indent": indent}
	case "comm_info_request":
		return "comm_info_reply", map[string]any{"status": "ok", "comms": map[string]any{}}
	default:
		return "history_reply", map[string]any{"status": "ok", "history": []any{}}
	}
}

// asked is a cell on its way, or one that has run, with the request.
type asked struct {
	request        message
	by             *link
	sent, received time.Time // by the clock of who has asked, and by ours
	text           string
	stops          bool // those behind it, if it fails
	interactive    bool // a person sees it who can type
	expressions    fields

	cell   *cells.Cell
	number int           // as the kernel counts; 0 before it runs, and for those that are not kept
	failed bool          // it has ended with an error
	told   chan struct{} // closed when it is known why
	why    fields        // as all who listen hear it

	answered chan struct{} // closed when who has asked has the answer
	once     sync.Once     // for the kernel may answer more than once
}

// soonest is how long the answer to a cell may wait for that.
const soonest = 2 * time.Second

// failure is why the cell has failed, in the words that all who listen hear.
func (a *asked) failure() fields {
	select {
	case <-a.told:
		return a.why
	case <-time.After(soonest):
		return nil
	}
}

// completed adds to an answer of the kernel what it leaves out: the number of a cell that is
// not kept, and that expressions next to a cell are not evaluated.
func (a *asked) completed(f fields) {
	if f["execution_count"] == nil {
		f["execution_count"] = plainJSON(a.number)
	}
	if len(a.expressions) == 0 || f.text("status") != "ok" {
		return
	}
	refused := map[string]any{}
	for name := range a.expressions {
		refused[name] = map[string]any{"status": "error", "ename": "not evaluated", "traceback": []string{},
			"evalue": "expressions next to a cell are not evaluated: put them last in the cell"}
	}
	f["user_expressions"] = plainJSON(refused)
}
