package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// printed is what is shown of texts that come one after the other, so far apart, and in how many messages.
func printed(apart time.Duration, texts ...string) (shown string, messages int) {
	var o output
	now := time.Now()
	for i, text := range append(slices.Clone(texts), "") {
		now = now.Add(apart)
		all := o.print(message{}, "stdout", text, now)
		if i == len(texts) {
			all = append(all, o.end(now)...)
		}
		for _, m := range all {
			shown += m.fieldsOf("text")
			messages++
		}
	}
	return shown, messages
}

func (m message) fieldsOf(name string) string { return m.fields().text(name) }

// TestMuchOutputIsOneMessageAMoment, and of very much the beginning and the end are shown.
func TestMuchOutputIsOneMessageAMoment(t *testing.T) {
	var lines []string
	for i := range 100_000 {
		lines = append(lines, fmt.Sprintln("line", i))
	}
	shown, n := printed(10*time.Microsecond, lines...)
	for _, want := range []string{"line 1999\n\n... 97980 lines left out. ", "%capture FILE\nline 99980\n", "line 99999\n"} {
		if !strings.Contains(shown, want) {
			t.Errorf("it lacks %q", want)
		}
	}
	if n > 20 || len(shown) > 2*mostBytes || strings.Contains(shown, "line 2000\n") {
		t.Errorf("%d messages, %d bytes", n, len(shown))
	}
	all := strings.Join(lines[:300], "")
	if shown, n := printed(time.Millisecond, lines[:300]...); shown != all || n > 5 {
		t.Errorf("%d messages, %q", n, shown)
	}
	if shown, n := printed(time.Second, lines[:5]...); n != 5 || shown != strings.Join(lines[:5], "") {
		t.Errorf("what comes slowly is shown in %d messages, %q", n, shown)
	}
	blocks := strings.Join(lines, "")
	var parts []string
	for len(blocks) > 0 { // as through a bufio.Writer
		n := min(4096, len(blocks))
		parts, blocks = append(parts, blocks[:n]), blocks[n:]
	}
	if again, _ := printed(10*time.Microsecond, parts...); again != shown {
		t.Error("it matters how the lines are written")
	}
	long, n := printed(time.Second, strings.Repeat("é", 1_000_000))
	if n != 2 || len(long) > mostBytes+2*lastBytes || !strings.Contains(long, "bytes left out") || strings.Contains(long, "\ufffd") {
		t.Errorf("a long line is shown in %d messages of %d bytes, %q", n, len(long), long[len(long)-200:])
	}
}

// TestLinesOfProgressGoOn: what writes over itself is never too much.
func TestLinesOfProgressGoOn(t *testing.T) {
	var steps []string
	for i := range 30_000 {
		steps = append(steps, fmt.Sprintf("\rstep %05d of many", i))
	}
	shown, n := printed(10*time.Millisecond, append(steps, "\ndone\n")...)
	if !strings.HasSuffix(shown, "\rstep 29999 of many\ndone\n") || strings.Contains(shown, "left out") || n < 1000 || n > 4000 {
		t.Errorf("%d messages end with %q", n, shown[len(shown)-100:])
	}
	for text, want := range map[string]string{"a\rb\rc": "\rc", "a\r\nb\r\n": "a\r\nb\r\n", "a\nb\rc\nd": "a\n\rc\nd", "\ra": "\ra", "a\r": "a\r", "": ""} {
		if got := overwritten(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// TestStreamsStayInOrder: what goes to the two alternates as it was written.
func TestStreamsStayInOrder(t *testing.T) {
	var o output
	now := time.Now()
	var got []string
	take := func(all []message) {
		for _, m := range all {
			got = append(got, m.fieldsOf("name")+" "+m.fieldsOf("text"))
		}
	}
	for i, name := range []string{"stdout", "stdout", "stderr", "stdout"} {
		take(o.print(message{}, name, fmt.Sprint(i), now))
	}
	take(o.end(now))
	if want := "stdout 0,stdout 1,stderr 2,stdout 3"; strings.Join(got, ",") != want {
		t.Errorf("%q, want %s", got, want)
	}
}
