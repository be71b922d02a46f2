package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// progress tells where a run stands: on a terminal in a line of its own, once
// a second; elsewhere, as in a log, in a new line every minute.
type progress struct {
	out      io.Writer
	terminal bool
	started  time.Time

	mu          sync.Mutex
	place       string // such as "3/17 mjsre-table1"
	cell, cells int
	since       time.Time
}

func newProgress(out *os.File) *progress {
	info, err := out.Stat()
	return &progress{out: out, started: time.Now(), terminal: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

// begin starts to tell about a notebook; the function that it returns ends it.
func (p *progress) begin(place string, cells int) (end func()) {
	p.mu.Lock()
	p.place, p.cell, p.cells, p.since = place, 0, cells, time.Now()
	p.mu.Unlock()
	every := time.Minute
	if p.terminal {
		every = time.Second
	}
	done := make(chan struct{})
	var told sync.WaitGroup
	told.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-done:
				p.clear()
				return
			case <-tick.C:
				p.tell(time.Now())
			}
		}
	})
	return func() { close(done); told.Wait() }
}

// at notes the cell that has started, counting all cells from 1.
func (p *progress) at(cell int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cell = cell
}

func (p *progress) tell(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	line := fmt.Sprintf("%s  cell %d of %d  %v, all %v", p.place, p.cell, p.cells,
		now.Sub(p.since).Round(time.Second), now.Sub(p.started).Round(time.Second))
	if p.terminal {
		fmt.Fprintf(p.out, "\r\x1b[K%s", line)
		return
	}
	fmt.Fprintln(p.out, "      "+line)
}

func (p *progress) clear() {
	if p.terminal {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

// listener is the log of nbconvert. It takes out the lines of progress.py.
type listener struct {
	log     bytes.Buffer
	partial string
	cell    func(int)
}

func (l *listener) Write(text []byte) (int, error) {
	l.partial += string(text)
	for {
		line, rest, whole := strings.Cut(l.partial, "\n")
		if !whole {
			return len(text), nil
		}
		l.partial = rest
		var cell int
		if n, _ := fmt.Sscanf(line, "mjq-cell %d", &cell); n == 1 && l.cell != nil {
			l.cell(cell)
		} else {
			l.log.WriteString(line + "\n")
		}
	}
}

func (l *listener) String() string { return l.log.String() + l.partial }
