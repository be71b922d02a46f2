package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// TestTheClockAppearsWhereNothingElseDoes: not before a while, then every time, and not at
// all where the cell shows something.
func TestTheClockAppearsWhereNothingElseDoes(t *testing.T) {
	cell := request("status", `{"execution_state":"busy"}`)
	cell.parent, cell.about = json.RawMessage(`{"msg_id":"cell"}`), header{ID: "cell"}
	now := time.Now()
	c := &clock{cell: cell, began: now, last: now}
	for _, step := range []struct {
		after      float64
		kind, text string
	}{
		{0.5, "", ""}, {0.9, "", ""}, {3, "display_data", "running for 3 s"}, {4, "update_display_data", "running for 4 s"}, {65, "update_display_data", "running for 65 s"},
	} {
		m := c.tick(now.Add(time.Duration(step.after * float64(time.Second))))
		var h header
		if m.header != nil {
			if err := json.Unmarshal(m.header, &h); err != nil {
				t.Fatal(err)
			}
		}
		if h.Type != step.kind || !strings.Contains(string(m.content), step.text) {
			t.Errorf("after %v s: %s %s", step.after, h.Type, m.content)
		}
	}
	s := &session{clock: &clock{cell: cell, ended: make(chan struct{}), shown: true}}
	if m := s.end(); len(m) != 1 || strings.Contains(string(m[0].content), "running") {
		t.Errorf("at the end is shown %v", m)
	}
	s.clock = &clock{cell: cell, began: now, last: now, ended: make(chan struct{})}
	for i := range 5 {
		at := now.Add(time.Duration(i) * time.Second)
		s.progressed(cell, at)
		if m := s.clock.tick(at.Add(quiet / 2)); m.header != nil {
			t.Errorf("beside other outputs is shown %s", m.content)
		}
	}
	if m := s.end(); m != nil {
		t.Errorf("at the end is shown %v", m)
	}
}

// TestABarTakesThePlaceOfTheClock: while a program shows one, and what it leaves goes at the end.
func TestABarTakesThePlaceOfTheClock(t *testing.T) {
	cell := request("status", `{"execution_state":"busy"}`)
	cell.parent, cell.about = json.RawMessage(`{"msg_id":"cell"}`), header{ID: "cell"}
	now := time.Now()
	s := &session{clock: &clock{cell: cell, began: now, last: now, ended: make(chan struct{})}}
	bar := func(html string) message {
		return request("update_display_data", `{"data":{"text/html":"`+html+`"},"transient":{"display_id":"mjq_progress_1"}}`)
	}
	at := func(seconds int) time.Time { return now.Add(time.Duration(seconds) * time.Second) }
	if m := s.clock.tick(at(2)); m.header == nil {
		t.Fatal("no clock")
	}
	if m := s.progressed(bar("half"), at(3)); len(m) != 2 || strings.Contains(string(m[0].content), "running") {
		t.Errorf("with the bar come %v", m)
	}
	if m := s.clock.tick(at(9)); m.header != nil {
		t.Errorf("beside the bar is shown %s", m.content)
	}
	if m := s.progressed(bar(""), at(10)); len(m) != 1 {
		t.Errorf("with the end of the bar come %v", m)
	}
	if m := s.clock.tick(at(12)); m.header == nil {
		t.Error("the clock does not come back")
	}
	s.progressed(bar("half"), at(13))
	if m := s.end(); len(m) != 1 || !strings.Contains(string(m[0].content), "mjq_progress_1") {
		t.Errorf("at the end is shown %v", m)
	}
}
