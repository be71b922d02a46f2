// Package explorer plays with a model in a notebook: it is the widget that draws, so
// that cells which only show something link no plots; see [Run].
package explorer

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/comms"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq"
)

//go:embed run.js
var script string

// Run lets one play with a model in a notebook: sliders for the load, the
// number of servers and the job mix, a choice of service laws, and beside them
// the stability gauge, mean waits against the load, tails, quantiles and the
// servers wasted by head-of-line blocking. The first picture comes at once, from
// a few jobs, and is refined while one looks at it: the bands narrow. Estimates
// are those of Sample().Forward() in 16 replications, which near the limit are
// low until the runs are long; where the exact solver needs no more than some
// seconds, its values take their place after the second picture.
//
//	err := explorer.Run(ctx, m)
//
// The cell runs until the button stop is pressed, the kernel is interrupted, the
// page is closed, or ctx ends; then the last picture stays. The load is the
// share of the servers that the jobs would keep busy, λ E[ασ] / s; the mix
// multiplies the probability of each class by a power of the servers it needs.
// Where nobody answers, as when a notebook is executed without a page, it ends
// by itself after some seconds, and outside a notebook it prints a summary. For a
// model at a load (Model.AtLoad) its stability limit is found first. The error says
// that this failed, or that the connection to the notebook broke.
func Run(ctx context.Context, m *mjq.Model) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	m, err := m.Resolve(ctx)
	if err != nil {
		return err
	}
	e := newExplorer(m)
	if !gonbui.IsNotebook {
		e.print(ctx, os.Stdout)
		return nil
	}
	panel, picture := "mjq_panel_"+gonbui.UniqueId(), "mjq_picture_"+gonbui.UniqueId()
	show := func(f frame) { update(picture, f.html(), f.text()) }
	if unattended() {
		e.stages = 5
		rest(panel)
		e.refine(ctx, e.initial(), show)
	} else {
		address := "/mjq/explore/" + gonbui.UniqueId()
		update(panel, e.panel(address), "")
		ctx, fail := context.WithCancelCause(ctx)
		e.conduct(ctx, listen(ctx, address, fail), show)
		rest(panel)
		var p *mjq.Panic
		if errors.As(context.Cause(ctx), &p) {
			return p
		}
	}
	gonbui.Sync()
	return gonbui.Error()
}

// rest puts a word in the place of the controls.
func rest(panel string) {
	const word = "Run the cell to move the sliders."
	update(panel, "<small>"+word+"</small>", word)
}

// unattended says that the notebook runner executes the cell: it sets the
// effort, and no page listens.
func unattended() bool { return os.Getenv("MJQ_EFFORT") != "" }

// update shows something in place of what was shown under the same id.
func update(id, html, text string) {
	gonbui.SendData(&protocol.DisplayData{DisplayID: id,
		Data: map[protocol.MIMEType]any{protocol.MIMETextHTML: html, protocol.MIMETextPlain: text}})
}

// print is Run without a page: the first stages, as text.
func (e *explorer) print(ctx context.Context, w io.Writer) {
	e.stages, e.hurry = 3, time.Hour
	e.refine(ctx, e.initial(), func(f frame) {
		if f.done {
			fmt.Fprint(w, f.text())
		}
	})
}

// listen returns the words from the page. It asks for the connection again and
// again until the first word comes, for on a busy machine the page may give up.
//
// It never unsubscribes: a word that comes late would then block all others for
// good (gonbui v0.11.4), and the program ends soon anyway.
//
// A panic of its goroutine goes to fail.
func listen(ctx context.Context, address string, fail context.CancelCauseFunc) <-chan message {
	words, met := make(chan message), make(chan struct{}, 1)
	subscribe := func() {
		comms.Subscribe(address, func(_, text string) {
			var w message
			if err := json.Unmarshal([]byte(text), &w); err != nil {
				return
			}
			select {
			case met <- struct{}{}:
			default:
			}
			if w.Do == "here" {
				comms.Send(address+"/ack", 1)
			}
			select {
			case words <- w:
			case <-ctx.Done():
			}
		})
		for range 2 {
			select {
			case <-met:
				return
			case <-ctx.Done():
				return
			case <-time.After(4 * time.Second):
				comms.Start()
			}
		}
	}
	go func() {
		if err := panics.Call(subscribe); err != nil {
			fail(err)
		}
	}()
	return words
}

// panel is the page's half: an empty block, and the script that puts the
// controls there.
func (e *explorer) panel(address string) string {
	var laws []string
	for _, l := range lawShapes {
		laws = append(laws, l.name)
	}
	s := e.initial()
	spec, err := json.Marshal(map[string]any{
		"id": "mjq-" + gonbui.UniqueId(), "address": address, "initial": s, "laws": laws,
		"fewest": e.fewest(), "most": max(4*s.Servers, e.fewest()),
	})
	if err != nil {
		panic(errors.Join(errors.New("explorer: the panel cannot be described"), err))
	}
	return fmt.Sprintf(`<div class="mjq-panel"></div><script>%s(%s);</script>`, script, spec)
}
