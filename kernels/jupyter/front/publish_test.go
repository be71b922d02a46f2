package main

import (
	"bufio"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"
)

// subscribed subscribes and returns what it is told first and what reads the next message,
// but for states without a cell.
func subscribed(t *testing.T, port int) (first message, next func() message) {
	t.Helper()
	conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(time.Minute))
	in := bufio.NewReader(conn)
	if err := greet(conn, in, "SUB"); err != nil {
		t.Fatal(err)
	}
	conn.Write(encode([]frame{{body: []byte{subscribes}}}))
	read := func() message {
		t.Helper()
		frames, err := readFrames(in)
		if err != nil {
			t.Fatal(err)
		}
		m, ok := decode(frames, []byte("key"))
		if !ok {
			t.Fatalf("%q is no message", frames)
		}
		return m
	}
	return read(), func() message {
		t.Helper()
		for {
			if m := read(); m.head.Type != "status" || m.about.ID != "" {
				return m
			}
		}
	}
}

// TestAllHearEverythingOnce: whatever a cell says, and that it has panicked, is published
// once to each who listens, in the order in which it came.
func TestAllHearEverythingOnce(t *testing.T) {
	from, _, kernel := relayed(t)
	_, first := subscribed(t, from.IOPub)
	_, second := subscribed(t, from.IOPub)
	readers := []func() message{first, second}
	say := func(kind, content string) {
		m := request(kind, content)
		m.parent = plainJSON(header{ID: "cell", Type: "execute_request"})
		kernel.publish(m)
	}
	until(t, func() bool { kernel.mu.Lock(); defer kernel.mu.Unlock(); return len(kernel.subscribers) == 1 })
	for i := range 20 {
		say("status", `{"execution_state":"busy"}`)
		for _, text := range []string{"panic: oh", " dear\n\ngoroutine 1 [running]:\n", "main.main()\n\t [[ Cell [1] Line 1 ]] main.go:3\n"} {
			say("stream", string(plainJSON(map[string]string{"name": "stderr", "text": text})))
		}
		if i%2 == 0 {
			say("error", `{"ename":"ERROR","evalue":"exit status 2","traceback":["exit status 2"]}`)
		}
		say("status", `{"execution_state":"idle"}`)
		for j, next := range readers {
			if m := next(); m.head.Type != "status" || !strings.Contains(string(m.content), "busy") {
				t.Fatalf("round %d: subscriber %d hears %s %s first", i, j, m.head.Type, m.content)
			}
			want := "stream" // whoever prints a panic and ends well
			if i%2 == 0 {
				want = "error"
			}
			if m := next(); m.head.Type != want || strings.Count(string(m.content), "oh dear") < 1 {
				t.Fatalf("round %d: subscriber %d hears %s %s of the panic", i, j, m.head.Type, m.content)
			}
			if m := next(); m.head.Type != "status" || !strings.Contains(string(m.content), "idle") {
				t.Fatalf("round %d: subscriber %d hears %s %s last", i, j, m.head.Type, m.content)
			}
		}
	}
}

// TestWhoSubscribesHearsTheState: a page that is loaded anew knows at once whether a cell
// runs.
func TestWhoSubscribesHearsTheState(t *testing.T) {
	from, _, kernel := relayed(t)
	state, first := subscribed(t, from.IOPub)
	if !strings.Contains(string(state.content), "idle") {
		t.Errorf("while no cell runs hears %s", state.content)
	}
	until(t, func() bool { kernel.mu.Lock(); defer kernel.mu.Unlock(); return len(kernel.subscribers) == 1 })
	busy := request("status", `{"execution_state":"busy"}`)
	busy.parent = plainJSON(header{ID: "cell", Type: "execute_request"})
	kernel.publish(busy)
	first()
	if m, _ := subscribed(t, from.IOPub); m.about.ID != "cell" || !strings.Contains(string(m.content), "busy") {
		t.Errorf("while a cell runs hears %s", m.content)
	}
}

// TestWhoAsksForTheKernelHearsTheState: JupyterLab shows no state until it has heard one that
// is not about its own first questions.
func TestWhoAsksForTheKernelHearsTheState(t *testing.T) {
	s := newSession(&desk{}, func(message) {})
	m := request("status", `{"execution_state":"idle"}`)
	m.head, m.about = header{Type: "status"}, header{ID: "1", Type: "kernel_info_request"}
	out := s.published(m)
	if len(out) != 2 || string(out[1].parent) != "{}" || !strings.Contains(string(out[1].content), "idle") {
		t.Errorf("published is %v", out)
	}
}

// TestNobodyWaitsForWhoDoesNotRead: a subscriber that never reads is told nothing and
// holds nobody up.
func TestNobodyWaitsForWhoDoesNotRead(t *testing.T) {
	from, _, kernel := relayed(t)
	subscribed(t, from.IOPub)
	_, next := subscribed(t, from.IOPub)
	until(t, func() bool { kernel.mu.Lock(); defer kernel.mu.Unlock(); return len(kernel.subscribers) == 1 })
	text := strings.Repeat("x", 1<<20)
	for range 40 {
		m := request("stream", string(plainJSON(map[string]string{"name": "stdout", "text": text})))
		m.parent = plainJSON(header{ID: "cell", Type: "execute_request"})
		kernel.publish(m)
		if got := next(); len(got.content) < len(text) {
			t.Fatalf("%s arrives", got.content)
		}
	}
}

func until(t *testing.T, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not happen")
		}
	}
}
