package main

import (
	"fmt"
	"os"
	"time"
)

// A clock shows in the output of a cell that shows nothing how long it has been running.
type clock struct {
	cell        message   // the status with which it began
	began, last time.Time // of the cell, and of what it has shown last
	shown       bool
	ended       chan struct{}
}

// quiet is how long a cell may show nothing before the clock appears.
const quiet = 3 * time.Second

// watch starts the clock of a cell. Where a notebook is run for its outputs there is none.
func (s *session) watch(cell message) {
	if os.Getenv("MJQ_CHECKS") != "" {
		return
	}
	now := time.Now()
	c := &clock{cell: cell, began: now, last: now, ended: make(chan struct{})}
	s.clock = c
	go func() {
		every := time.NewTicker(time.Second)
		defer every.Stop()
		for {
			select {
			case <-c.ended:
				return
			case now := <-every.C:
				var m message
				s.locked(func() { m = c.tick(now) })
				if m.header == nil {
					continue
				}
				s.publish(m)
				select {
				case <-c.ended: // meanwhile
					s.publish(c.text("update_display_data", ""))
				default:
				}
			}
		}
	}()
}

// progressed notes that the cell shows something.
func (s *session) progressed(now time.Time) {
	if s.clock != nil {
		s.clock.last = now
	}
}

// tick is what the clock shows at a time, if it shows something.
func (c *clock) tick(now time.Time) message {
	kind := "update_display_data"
	switch {
	case c.shown:
	case now.Sub(c.last) < quiet:
		return message{}
	default:
		kind, c.shown = "display_data", true
	}
	return c.text(kind, fmt.Sprintf("running for %.0f s (to stop: I, I)", now.Sub(c.began).Seconds()))
}

// end ends the clock and returns what takes its text away, if there is any.
func (s *session) end() []message {
	c := s.clock
	if c == nil {
		return nil
	}
	s.clock = nil
	close(c.ended)
	if !c.shown {
		return nil
	}
	return []message{c.text("update_display_data", "")}
}

// text is the clock with a text.
func (c *clock) text(kind, text string) message {
	html := text
	if text != "" {
		html = "<small>" + text + "</small>"
	}
	m := about(c.cell.parent, c.cell.about, kind, map[string]any{
		"data":      map[string]string{"text/html": html, "text/plain": text},
		"metadata":  map[string]any{},
		"transient": map[string]string{"display_id": "mjq_clock_" + c.cell.about.ID},
	})
	m.topic = c.cell.topic
	return m
}
