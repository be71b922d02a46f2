package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// A clock shows in the output of a cell that shows nothing how long it has been running.
type clock struct {
	cell        message   // the status with which it began
	began, last time.Time // of the cell, and of what it has shown last
	shown       bool      // that it is running, at the moment
	begun       bool      // whether there is a place for that
	bar         string    // the display of a bar that the program shows; empty if none
	ended       chan struct{}
}

// quiet is how long a cell may show nothing before the clock appears.
const quiet = time.Second

// bars begin the display ids of the bars that programs show (widgets.Context).
const bars = "mjq_progress_"

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

// progressed notes that the cell shows something. A bar takes the place of the clock.
func (s *session) progressed(m message, now time.Time) []message {
	c := s.clock
	if c == nil {
		return []message{m}
	}
	c.last = now
	var content struct {
		Data      map[string]any
		Transient struct {
			Display string `json:"display_id"`
		}
	}
	if json.Unmarshal(m.content, &content) != nil || !strings.HasPrefix(content.Transient.Display, bars) {
		return []message{m}
	}
	c.bar = content.Transient.Display
	if content.Data["text/html"] == "" {
		c.bar = ""
	}
	if !c.shown {
		return []message{m}
	}
	c.shown = false
	return []message{c.text("update_display_data", ""), m}
}

// tick is what the clock shows at a time, if it shows something.
func (c *clock) tick(now time.Time) message {
	kind := "update_display_data"
	switch {
	case c.bar != "", !c.shown && now.Sub(c.last) < quiet:
		return message{}
	case !c.begun:
		kind = "display_data"
	}
	c.begun, c.shown = true, true
	return c.text(kind, fmt.Sprintf("running for %.0f s (to stop: I, I)", now.Sub(c.began).Seconds()))
}

// end ends the clock and returns what takes its text away, if there is any, and the bar of a
// program that has left one.
func (s *session) end() []message {
	c := s.clock
	if c == nil {
		return nil
	}
	s.clock = nil
	close(c.ended)
	var out []message
	if c.shown {
		out = append(out, c.text("update_display_data", ""))
	}
	if c.bar != "" {
		out = append(out, c.put("update_display_data", "", c.bar))
	}
	return out
}

// text is the clock with a text.
func (c *clock) text(kind, text string) message {
	return c.put(kind, text, "mjq_clock_"+c.cell.about.ID)
}

// put shows a text at a display of the cell.
func (c *clock) put(kind, text, display string) message {
	html := text
	if text != "" {
		html = "<small>" + text + "</small>"
	}
	m := about(c.cell.parent, c.cell.about, kind, map[string]any{
		"data":      map[string]string{"text/html": html, "text/plain": text},
		"metadata":  map[string]any{},
		"transient": map[string]string{"display_id": display},
	})
	m.topic = c.cell.topic
	return m
}
