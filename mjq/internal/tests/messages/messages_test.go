package messages

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/trace"
)

var update = flag.Bool("update", false, "write testdata/messages.txt again")

var background = context.Background()

// A message is an example of a note or an error: a short run that has it.
type message struct {
	name string
	ask  func() (notes []string, err error)
}

// solved asks a model by a method.
func solved(m mjq.Model, opts ...mjq.Option) func() ([]string, error) {
	return func() ([]string, error) {
		r, err := m.Solve(background, append(opts, mjq.Seed(1))...)
		if r == nil {
			return nil, err
		}
		return r.Notes, err
	}
}

// limited asks for the stability limit.
func limited(m mjq.Model, opts ...mjq.Option) func() ([]string, error) {
	return func() ([]string, error) {
		s, err := m.Stability(background, append(opts, mjq.Seed(1))...)
		if s == nil {
			return nil, err
		}
		return s.Notes, err
	}
}

// faulty asks a model for its faults.
func faulty(m mjq.Model) func() ([]string, error) {
	return func() ([]string, error) { return nil, m.Err() }
}

// replayed serves a log.
func replayed(log string, how trace.Replay) func() ([]string, error) {
	return func() ([]string, error) {
		t, err := trace.ReadCSV("jobs.csv", strings.NewReader(log), trace.CSV{})
		if err != nil {
			return nil, err
		}
		r, err := t.Replay(background, how)
		if r == nil {
			return nil, err
		}
		return r.Notes, err
	}
}

// TestMessages: testdata/messages.txt has what real runs say, one example each.
func TestMessages(t *testing.T) {
	var b strings.Builder
	for _, part := range []struct {
		title string
		list  []message
	}{{"Notes of results", notes()}, {"Notes on the stability limit", limitNotes()}, {"Errors of models", modelErrors()}, {"Errors of questions", questionErrors()},
		{"Sizes", sizings()}, {"The best policy", optima()}, {"Priorities", priorities()}, {"Jobs that are turned away or give up", departures()}, {"Nodes", placed()},
		{"Replays of logs", replays()}, {"Questions about logs", logs()}, {"Sweeps", sweeps()}} {
		fmt.Fprintf(&b, "# %s\n", part.title)
		for _, m := range part.list {
			said, err := m.ask()
			fmt.Fprintf(&b, "\n%s\n", m.name)
			for _, note := range said {
				fmt.Fprintf(&b, "    note: %s\n", note)
			}
			if err != nil {
				for _, line := range strings.Split(err.Error(), "\n") {
					fmt.Fprintf(&b, "    error: %s\n", line)
				}
			}
			if len(said) == 0 && err == nil {
				t.Errorf("%s: neither a note nor an error", m.name)
			}
		}
		b.WriteString("\n")
	}
	const golden = "testdata/messages.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("runs say\n%s\nand %s is another; -update writes it", b.String(), golden)
	}
}
