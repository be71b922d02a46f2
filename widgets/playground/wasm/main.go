//go:build js && wasm

// Command wasm answers a page: it calls mjqAnswer, which the worker that runs it has
// defined, with the number of the question and the text of an Answer, for every call of
// mjqAsk, and mjqSized with the text of a Sized for every call of mjqFewest. Questions
// are answered one at a time; who does not want to wait ends the worker.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"syscall/js"

	"github.com/mjqueue/mjq/widgets/playground"
)

func main() {
	questions := make(chan question, 16) // the page waits for an answer, so that one is enough
	js.Global().Set("mjqAsk", js.FuncOf(func(_ js.Value, args []js.Value) any {
		put(questions, question{id: args[0].Int(), text: args[1].String()})
		return nil
	}))
	js.Global().Set("mjqFewest", js.FuncOf(func(_ js.Value, args []js.Value) any {
		put(questions, question{text: args[0].String(), target: args[1].String()})
		return nil
	}))
	js.Global().Set("mjqProgram", written((*playground.Setting).Program))
	js.Global().Set("mjqNotebook", written(func(s *playground.Setting) string { return string(s.Notebook()) }))
	js.Global().Call("mjqReady", text(playground.Offered()))
	for q := range questions {
		if q.target == "" {
			answer(q)
		} else {
			size(q)
		}
	}
}

type question struct {
	id     int
	text   string
	target string // of how many servers are enough; "" where that is not the question
}

// put leaves a question out where too many wait.
func put(questions chan<- question, q question) {
	select {
	case questions <- q:
	default:
	}
}

func size(q question) {
	tell := func(a playground.Sized) { js.Global().Call("mjqSized", text(a)) }
	s, err := playground.Read([]byte(q.text))
	var t playground.Target
	if err = errors.Join(err, json.Unmarshal([]byte(q.target), &t)); err != nil {
		tell(playground.Sized{Error: err.Error(), Done: true})
		return
	}
	playground.Fewest(context.Background(), s, t, tell)
}

func answer(q question) {
	tell := func(a playground.Answer) { js.Global().Call("mjqAnswer", q.id, text(a)) }
	s, err := playground.Read([]byte(q.text))
	if err != nil {
		tell(playground.Refused(err))
		return
	}
	playground.Ask(context.Background(), s, tell)
}

// written makes a function of the page from one that writes a setting. It writes nothing of
// one that has faults.
func written(f func(*playground.Setting) string) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		s, err := playground.Read([]byte(args[0].String()))
		if err != nil {
			return ""
		}
		return f(&s)
	})
}

func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return `{"error":"the answer cannot be written","done":true}`
	}
	return string(data)
}
