package widgets

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/mjq/result"
)

// A bar shows how far the question at hand is, once it has taken a while.
type bar struct {
	write func(text string) // puts HTML in the place of what was written before
	now   func() time.Time

	mu            sync.Mutex
	question      string
	done          float64
	started, last time.Time
	shown         bool
}

const (
	patience = time.Second            // how long a question may take without a bar
	slow     = 500 * time.Millisecond // the least time between two updates
)

func (b *bar) report(s result.Step) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	if s.What != b.question || s.Done < b.done || b.started.IsZero() { // another question
		b.question, b.started = s.What, now
	}
	b.done = s.Done
	switch {
	case s.Done >= s.Total && s.Total > 0:
		if b.shown {
			b.write("")
		}
		b.shown, b.question, b.done = false, "", 0
	case now.Sub(b.started) >= patience && now.Sub(b.last) >= slow:
		b.shown, b.last = true, now
		b.write(barOf(s, now.Sub(b.started)))
	}
}

// barOf is what is asked, a bar, how long it has taken and may still, and the mean wait as far
// as it is known.
func barOf(s result.Step, elapsed time.Duration) string {
	part := s.Done / s.Total
	if !(part > 0 && part <= 1) { // nothing is done, or nobody knows of how much
		part = 0
	}
	words := []string{fmt.Sprintf("%.0f s", elapsed.Seconds())}
	value := ""
	if part > 0 {
		left := elapsed.Seconds() * (1 - part) / part
		words = append(words, "about "+rounded(left)+" to go")
		value = fmt.Sprintf(` value="%.3f"`, part)
	}
	if s.Result != nil {
		if mean := s.Result.All.Waiting.Mean; mean.Known() {
			text := "mean wait " + mean.String()
			if rel := mean.HalfWidth / math.Abs(mean.Value); rel > 0 && !math.IsInf(rel, 1) {
				text += fmt.Sprintf(" (%.2g %%)", 100*rel)
			}
			words = append(words, text)
		}
	}
	words = append(words, "to stop: I, I")
	return fmt.Sprintf(`<small>%s <progress%s></progress> %s</small>`,
		escape.HTML(s.What), value, escape.HTML(strings.Join(words, "; ")))
}

// rounded is a time in seconds that nobody knows exactly.
func rounded(seconds float64) string {
	switch {
	case seconds < 100:
		return fmt.Sprintf("%.0f s", math.Ceil(seconds))
	case seconds < 6000:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.0f h", seconds/3600)
}
