package main

import (
	"bufio"
	"encoding/json"
	"net"
	"slices"
	"testing"
	"time"
)

// heard is one end of a link, and what arrives there.
func heard(t *testing.T) (*line, <-chan message) {
	t.Helper()
	here, there := net.Pipe()
	t.Cleanup(func() { here.Close(); there.Close() })
	all := make(chan message, 100)
	go func() {
		for in := bufio.NewReader(there); ; {
			frames, err := readFrames(in)
			if err != nil {
				return
			}
			m, _ := decode(frames, nil)
			all <- m
		}
	}()
	return &line{conn: here}, all
}

// TestCellsRunOneAtATimeAndNotAfterAFault sends them as Run All does, and as programs do that
// wait for the answer to each.
func TestCellsRunOneAtATimeAndNotAfterAFault(t *testing.T) {
	began := time.Now().Add(-time.Hour) // the clock of who sends goes wrong
	sent := func(id string, after time.Duration, options string) message {
		m := request("execute_request", `{"code":"use(1)"`+options+`}`)
		m.head = header{ID: id, Type: "execute_request", Session: "one", Date: began.Add(after).Format(time.RFC3339Nano)}
		m.header = plainJSON(m.head)
		return m
	}
	ending := func(kind, content, id string) message {
		m := request(kind, content)
		m.head, m.about = header{Type: kind}, header{ID: id, Type: "execute_request"}
		return m
	}
	for _, c := range []struct {
		name    string
		options string
		end     func(s *session) // of the first cell
		later   time.Duration    // when the third is sent, which arrives after the first has ended
		run     []string
		aborted []string
	}{
		{"all go well", "", func(*session) {}, 0, []string{"1", "2", "3"}, nil},
		{"a fault", "", func(s *session) { s.published(ending("error", `{"evalue":"oh"}`, "1")) }, 0, []string{"1"}, []string{"2", "3"}},
		{"a fault, and one that is sent after it", "", func(s *session) { s.published(ending("error", `{"evalue":"oh"}`, "1")) }, time.Hour, []string{"1", "3"}, []string{"2"}},
		{"a fault that stops nothing", `,"stop_on_error":false`, func(s *session) { s.published(ending("error", `{"evalue":"oh"}`, "1")) }, 0, []string{"1", "2", "3"}, nil},
		{"an interrupt", "", func(s *session) { s.controlled(message{head: header{Type: "interrupt_request"}}, nil) }, 0, []string{"1"}, []string{"2", "3"}},
	} {
		s := newSession(&desk{}, func(message) {})
		kernel, run := heard(t)
		jupyter, answers := heard(t)
		by := &link{kernel: kernel, jupyter: jupyter}
		s.request(sent("1", 0, c.options), by)
		s.request(sent("2", time.Millisecond, c.options), by)
		if len(run) > 1 {
			t.Errorf("%s: two run at once", c.name)
		}
		c.end(s)
		s.asked["1"].once.Do(func() { close(s.asked["1"].answered) })
		idle := func(id string) { s.published(ending("status", `{"execution_state":"idle"}`, id)) }
		idle("1")
		s.request(sent("3", c.later, c.options), by)
		idle("2")
		idle("3")
		var ran, aborted []string
		for len(ran)+len(aborted) < 3 {
			select {
			case m := <-run:
				ran = append(ran, m.head.ID)
			case m := <-answers:
				var content struct{ Status string }
				_ = json.Unmarshal(m.content, &content)
				aborted = append(aborted, m.about.ID)
				if m.head.Type != "execute_reply" || content.Status != "aborted" {
					t.Errorf("%s: %s is answered by %s %s", c.name, m.about.ID, m.head.Type, m.content)
				}
			case <-time.After(time.Minute):
				t.Fatalf("%s: ran %v, aborted %v", c.name, ran, aborted)
			}
		}
		slices.Sort(aborted)
		if !slices.Equal(ran, c.run) || !slices.Equal(aborted, c.aborted) {
			t.Errorf("%s: ran %v, aborted %v, want %v, %v", c.name, ran, aborted, c.run, c.aborted)
		}
		by.cells.Wait() // none is left
	}
}

// TestACellThatCannotBeReadIsPassedOn: for GoNB to complain of, and the next one runs.
func TestACellThatCannotBeReadIsPassedOn(t *testing.T) {
	s := newSession(&desk{}, func(message) {})
	s.book = nil // which makes Read panic
	kernel, run := heard(t)
	by := &link{kernel: kernel, jupyter: kernel}
	m := request("execute_request", `{"code":"use(ctx)"}`)
	m.head = header{ID: "1", Type: "execute_request"}
	s.request(m, by)
	got := <-run
	if code := got.fields().text("code"); code != "use(ctx)" {
		t.Errorf("%q runs", code)
	}
}
