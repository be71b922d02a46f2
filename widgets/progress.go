package widgets

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/mjq/result"
)

// Progress is a line that shows how far a query is, its rate and the time to
// go, to be given to the query:
//
//	m.Solve(ctx, mjq.Backward{}, mjq.Progress(widgets.Progress("sampling")))
//
// In a notebook the line is updated in place, says how to stop, and vanishes when all is
// done; elsewhere it is written to standard error. It is safe for use by several
// goroutines.
func Progress(label string) func(result.Step) {
	p := &line{label: label, now: time.Now, started: time.Now()}
	if gonbui.IsNotebook {
		id := "mjq_progress_" + gonbui.UniqueId()
		p.stop = " (to stop: I, I)"
		p.write = func(text string) { gonbui.UpdateHTML(id, "<small>"+escape.HTML(text)+"</small>") }
	} else {
		p.write = func(text string) { fmt.Fprintf(os.Stderr, "\r%-70s", text) }
	}
	return func(s result.Step) { p.report(s.Done, s.Total) }
}

// every is the least time between two updates.
const every = 200 * time.Millisecond

type line struct {
	mu            sync.Mutex
	label, stop   string // stop says how to
	write         func(text string)
	now           func() time.Time
	started, last time.Time
	shown         bool
}

func (p *line) report(done, total float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	finished := done >= total
	if !finished && now.Sub(p.last) < every || finished && !p.shown {
		return
	}
	p.last = now
	if finished {
		p.shown = false
		p.write("")
		return
	}
	p.shown = true
	p.write(p.text(done, total, now.Sub(p.started)))
}

// text is the line: how far, how fast, how long still.
func (p *line) text(done, total float64, elapsed time.Duration) string {
	text := fmt.Sprintf("%s: %.0f %%", p.label, 100*done/total)
	if done > 0 && elapsed > 0 {
		left := time.Duration(float64(elapsed) * (total - done) / done)
		text += fmt.Sprintf(", %.3g a second, %v to go", done/elapsed.Seconds(), left.Round(time.Second))
	}
	return text + p.stop
}
