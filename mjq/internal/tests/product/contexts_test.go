package product

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
)

// ending is a law whose values take long from the moment on at which one of them ends the context:
// as long as one of 90,000 phases.
type ending struct {
	law.Law
	*counted
}

// counted is what the values of an ending law have in common.
type counted struct {
	at          int64 // value that ends the context
	drawn, late atomic.Int64
	end         context.CancelFunc
}

func (l ending) Scaled(c float64) law.Law { return ending{l.Law.Scaled(c), l.counted} }
func (l ending) String() string           { return fmt.Sprintf("ending(%v, %d)", l.Law, l.at) }

// Sample counts the values that come after the end.
func (l ending) Sample(rng rand.Source) float64 {
	for range 20 { // a value of a law that takes long has many words
		rng.Uint64()
	}
	switch n := l.drawn.Add(1); {
	case n == l.at:
		l.end()
		time.Sleep(2 * time.Millisecond)
	case n > l.at:
		l.late.Add(1)
		time.Sleep(2 * time.Millisecond)
	}
	return l.Law.Sample(rng)
}

// TestContextsBetweenDraws: every question by every method hears the end of its context before many
// more values are drawn. It counts values: a block of 256 of them may take seconds.
func TestContextsBetweenDraws(t *testing.T) {
	const most = 20 // those of several goroutines, and of a queue that is compiled
	heard := map[string]int{}
	for _, feature := range []string{"plain", "policy EASY", "room", "users", "patience", "types"} {
		for _, q := range named(questions) {
			for _, method := range named(methodsByName) {
				for _, at := range []int64{10, 700} {
					ctx, end := context.WithTimeout(background, oracle.Soon)
					l := &counted{at: at, end: end}
					questions[q](ctx, drawing(feature, ending{mjq.ExpMean(0.5), l}), goals["a mean wait"], methodsByName[method], mjq.NoCache())
					if late := l.late.Load(); late > most {
						t.Errorf("%s by %q of a queue with %s draws %d values after the end of its context, at value %d", q, method, feature, late, at)
					}
					if l.drawn.Load() >= at {
						heard[q]++
						heard[method]++
					}
					end()
				}
			}
		}
	}
	for _, name := range []string{"Solve", "FewestServers", "Stability", "Methods", "Transient", "Path", "Compare", "Sweep", "Forward", "Backward", "Certified", "RareEvent", "Simulation", "Unbiased", "Pile"} {
		if heard[name] == 0 {
			t.Errorf("%s has drawn too few values to end a context", name)
		}
	}
}

// drawing is a queue with a feature and a law for the services of one class, and for what else the
// feature draws.
func drawing(feature string, l mjq.Law) mjq.Model {
	switch m := serving(bases["pool"](), l); feature {
	case "types":
		return serving(bases["types"](), l)
	case "users":
		return m.Class("users", 1, 0, l).Users("users", 3, l).Loss()
	case "patience":
		return m.Patience(l)
	default:
		return features[feature](m)
	}
}
