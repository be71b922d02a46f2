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
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/widgets/playground"
)

//go:embed run.js
var script string

// Run shows a model with sliders in a notebook: for the load, the number of servers, the job
// mix and the service times. Next to them are the stability gauge, mean waits against the load,
// tails, quantiles and the servers wasted by head-of-line blocking. The first picture comes at
// once, from a few jobs, and is refined while one looks at it: the bands narrow. Estimates are
// those of mjq.Forward in 16 replications, which near the limit are low until the runs are
// long; where the exact solver needs no more than some seconds, its values take their place
// after the second picture.
//
//	err := explorer.Run(ctx, m)
//
// The cell ends after at most three seconds more than the stability limit takes, with a picture
// that stays. In the kernel "Go (mjq)" the sliders work from then on, also while other cells
// run. A program of their own runs the cell again up to here. It ends when you press stop, with
// the page, or with the kernel. The load is the share of the servers that the jobs would keep
// busy, λ E[ασ] / s; the mix multiplies the probability of each class by a power of the servers
// it needs. In pages made of the notebook the playground stands in the place of the sliders,
// where its files are found; see playground.Explore. Outside a notebook Run prints a summary.
// For a model at a load (Model.AtLoad) its stability limit is found first. The error says that
// this failed, or that the connection to the notebook broke.
func Run(ctx context.Context, m mjq.Model) error {
	called++
	if s, ok := taken(); ok {
		if s.Call == called {
			s.serve(ctx, m)
		}
		return nil
	}
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
	s := seat{Call: called, Panel: "mjq_panel_" + gonbui.UniqueId(), Picture: "mjq_picture_" + gonbui.UniqueId()}
	update(s.Panel, "", "") // stands above the picture
	e.draw(ctx, func(f frame) { update(s.Picture, f.html(), f.text()) })
	if err := s.begin(); err == nil {
		update(s.Panel, e.panel(s)+outside(m, ""), noPage)
	} else {
		update(s.Panel, outside(m, "<small>"+noPage+"</small>"), noPage)
	}
	gonbui.Sync()
	return gonbui.Error()
}

// called counts the calls of Run, for a program may play with several models.
var called int

// noPage stands in the place of the controls where they do not work.
const noPage = "Run the cell in JupyterLab to move the sliders."

// outside is the place of the playground, in which the sliders move in pages that are
// made of the notebook, where there is no kernel. Jupyter shows what else is given.
func outside(m mjq.Model, otherwise string) string {
	s, err := playground.Of(m)
	if err != nil {
		return otherwise
	}
	return `<div class="mjq-outside">` + s.Embed(otherwise) + "</div>"
}

// draw draws the given model, ever finer for as long as a cell may take.
func (e *explorer) draw(ctx context.Context, show func(frame)) {
	if unattended() {
		e.stages = 5
		e.refine(ctx, e.initial(), show)
		return
	}
	at := e.initial()
	if m, err := e.model(at); err == nil { // if not, the picture says so
		e.limit(ctx, at.shape(), m)
	}
	brief, stop := context.WithTimeout(ctx, e.glance)
	defer stop()
	var last frame
	e.refine(brief, at, func(f frame) { last = f; show(f) })
	switch {
	case last.stages == 0: // not even one picture
		e.stages = 1
		e.refine(ctx, at, show)
	case !last.done:
		last.done = true
		show(last)
	}
}

// unattended says that the notebook runner executes the cell, which wants the same
// picture every time.
func unattended() bool { return os.Getenv("MJQ_CHECKS") != "" }

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

// panel is the page's half: an empty block, and the script that puts the
// controls there.
func (e *explorer) panel(of seat) string {
	var laws []string
	for _, l := range lawShapes {
		laws = append(laws, l.name)
	}
	s := e.initial()
	spec, err := json.Marshal(map[string]any{
		"panel": of.Panel, "picture": of.Picture, "kernel": os.Getenv(protocol.GONB_JUPYTER_KERNEL_ID_ENV), "initial": s, "laws": laws,
		"fewest": e.fewest(), "most": max(4*s.Servers, e.fewest()),
	})
	if err != nil {
		panic(errors.Join(errors.New("explorer: the panel cannot be described"), err))
	}
	return fmt.Sprintf(`<div class="mjq-panel" data-panel="%s"></div><script>%s(%s);</script>`, of.Panel, script, spec)
}
