package explorer

import (
	"context"
	"time"

	"github.com/mjqueue/mjq/internal/panics"
)

// message is a word from the page. Words may overtake each other on the way;
// Seq puts them in order.
type message struct {
	Seq int64  `json:"seq"`
	Do  string `json:"do"` // here, set, pause, run, stop, or bye when the page is about to go
	Setting
}

// conductor turns words from the page into runs of the explorer.
type conductor struct {
	*explorer
	show    func(frame)
	setting Setting
	seq     int64
	frames  chan frame
	cancel  context.CancelFunc
	ended   chan struct{} // closed when the present run has ended
	bare    bool          // the present run has shown nothing yet
	moved   bool          // the controls have moved since it began
	paused  bool
}

// conduct computes and shows what the page asks for until it says stop, falls silent, or
// ctx ends. A control that moves ends the run at once and starts another, except
// that every run may show its first picture, or one who drags a slider would
// see nothing until the hand rests.
func (e *explorer) conduct(ctx context.Context, words <-chan message, show func(frame)) {
	c := &conductor{explorer: e, show: show, setting: e.initial(), frames: make(chan frame), paused: true}
	defer func() { c.halt() }()
	quiet := time.NewTimer(e.patient)
	defer quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-quiet.C:
			return
		case f := <-c.frames:
			show(f)
			c.bare = false
			if c.moved {
				c.restart(ctx)
			}
		case w := <-words:
			if quiet.Reset(e.silent); w.Do == "bye" {
				quiet.Reset(min(e.silent, e.parting))
			}
			if !c.obey(ctx, w) {
				return
			}
		}
	}
}

// obey follows a word; false means stop.
func (c *conductor) obey(ctx context.Context, w message) bool {
	if w.Seq <= c.seq {
		return true
	}
	c.seq = w.Seq
	switch w.Do {
	case "stop":
		return false
	case "pause":
		c.paused = true
		c.halt()
	case "run":
		c.paused = false
		c.restart(ctx)
	case "set":
		c.setting, c.moved = w.Setting, true
		if !c.bare || c.paused {
			c.paused = false
			c.restart(ctx)
		}
	}
	return true
}

func (c *conductor) restart(ctx context.Context) {
	c.halt()
	c.start(ctx)
}

func (c *conductor) start(ctx context.Context) {
	ctx, c.cancel = context.WithCancel(ctx)
	c.ended = make(chan struct{})
	c.bare, c.moved = true, false
	go func(setting Setting, ended chan<- struct{}) {
		defer close(ended)
		show := func(f frame) {
			select {
			case c.frames <- f:
			case <-ctx.Done():
			}
		}
		if err := panics.Call(func() { c.refine(ctx, setting, show) }); err != nil {
			show(frame{setting: setting, err: err, done: true})
		}
	}(c.setting, c.ended)
}

// halt ends the present run and waits until it has ended: no frame of it comes
// any more.
func (c *conductor) halt() {
	if c.cancel != nil {
		c.cancel()
		<-c.ended
	}
}
