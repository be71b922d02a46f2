package main

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// An output is what a cell prints. Pages take long over many messages and many lines, so what comes
// within a moment goes as one message, and only the first and the last of very much is shown.
type output struct {
	name    string // of the stream, stdout or stderr, from which the text is
	text    strings.Builder
	from    message // that brought the text
	last    time.Time
	lines   int // that have been shown
	bytes   int
	left    int // lines that have not
	letters int // and bytes
	tail    []byte
}

const (
	// moment is how long what a cell prints may wait.
	moment = 100 * time.Millisecond
	// mostLines and mostBytes are shown of what a cell prints, and then its last lines.
	mostLines, mostBytes = 2000, 200_000
	lastLines, lastBytes = 20, 4000
)

// print takes what a cell prints and returns what goes on.
func (o *output) print(m message, name, text string, now time.Time) (out []message) {
	if name != o.name {
		out = o.flush(now)
	}
	o.name, o.from = name, m
	o.text.WriteString(text)
	if now.Sub(o.last) >= moment {
		out = append(out, o.flush(now)...)
	}
	return out
}

// flush returns what waits, as far as it is shown.
func (o *output) flush(now time.Time) []message {
	text := overwritten(o.text.String())
	if text == "" {
		return nil
	}
	o.text.Reset()
	o.last = now
	if text[0] == '\r' && !strings.Contains(text, "\n") { // a line of progress, in the place of the last
		return []message{o.from.stream(o.name, text)}
	}
	n := o.room(text)
	o.lines += strings.Count(text[:n], "\n")
	o.bytes += n
	o.leave(text[n:])
	if n == 0 {
		return nil
	}
	return []message{o.from.stream(o.name, text[:n])}
}

// overwritten is a text without what it writes over itself, as lines of progress do.
func overwritten(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		whole := strings.TrimRight(line, "\r\n")
		if i := strings.LastIndexByte(whole, '\r'); i > 0 {
			line = line[i:]
		}
		out.WriteString(line)
	}
	return out.String()
}

// room is how much of a text may be shown: whole lines, if there is the end of one.
func (o *output) room(text string) int {
	if o.letters > 0 {
		return 0
	}
	n, lines := 0, o.lines
	for n < len(text) && lines < mostLines {
		end := strings.IndexByte(text[n:], '\n') + 1
		if end == 0 {
			end = len(text) - n
		}
		if o.bytes+n+end > mostBytes {
			if n == 0 && o.bytes+end > mostBytes { // one long line
				n = min(len(text), max(0, mostBytes-o.bytes))
				for n > 0 && n < len(text) && !utf8.RuneStart(text[n]) {
					n--
				}
			}
			break
		}
		n += end
		lines++
	}
	return n
}

// leave counts what is not shown, and keeps its end.
func (o *output) leave(text string) {
	if text == "" {
		return
	}
	o.left += strings.Count(text, "\n")
	o.letters += len(text)
	o.tail = append(o.tail, text[max(0, len(text)-lastBytes):]...)
	o.tail = o.tail[max(0, len(o.tail)-lastBytes):]
}

// end returns what waits and how much has been left out, with the last lines.
func (o *output) end(now time.Time) []message {
	out := o.flush(now)
	if o.letters == 0 {
		return out
	}
	tail := strings.ToValidUTF8(string(o.tail), "")
	whole := strings.SplitAfter(tail, "\n")
	if o.letters > len(o.tail) && len(whole) > 1 {
		whole = whole[1:] // the first has lost its beginning
	}
	if whole[len(whole)-1] == "" {
		whole = whole[:len(whole)-1]
	}
	tail = strings.Join(whole[max(0, len(whole)-lastLines):], "")
	omitted := fmt.Sprintf("%d lines", max(0, o.left-strings.Count(tail, "\n")))
	if o.left <= lastLines {
		omitted = fmt.Sprintf("%d bytes", o.letters-len(tail))
	}
	o.letters = 0
	return append(out, o.from.stream(o.name, "\n... "+omitted+" left out. To keep all in a file, begin the cell with %capture FILE\n"+tail))
}
