package main

import (
	"fmt"
	"math"
	"os"

	"github.com/mjqueue/mjq/mjq"
)

// isTerminal reports whether a file is a terminal rather than a file or a pipe.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// progress shows how far a computation is: in one line that is written over, on a
// terminal, and nowhere else.
type progress struct {
	streams
	what  string
	shown bool
}

// newProgress names what is computed.
func newProgress(c *call, what string) *progress {
	p := &progress{streams: c.streams, what: what}
	if quiet, _ := c.flags().GetBool("quiet"); quiet {
		p.terminal = false
	}
	return p
}

// option has a question tell how far it is; nil where nobody watches.
func (p *progress) option() mjq.Option {
	report := p.report()
	if report == nil {
		return nil
	}
	return mjq.Progress(func(s mjq.Step) { report(s.Done, s.Total) })
}

// report shows how far it is; nil where nobody watches.
func (p *progress) report() func(done, total float64) {
	if !p.terminal {
		return nil
	}
	return func(done, total float64) {
		p.shown = true
		if share := 100 * done / total; share >= 0 && !math.IsInf(total, 1) {
			fmt.Fprintf(p.notes, "\r\x1b[K%s: %.0f %%", p.what, share)
			return
		}
		fmt.Fprintf(p.notes, "\r\x1b[K%s: %.3g", p.what, done)
	}
}

// end removes the line.
func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.notes, "\r\x1b[K")
	}
}
