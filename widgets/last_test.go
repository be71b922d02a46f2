package widgets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
)

type shape struct{ name string }

func (s *shape) String() string { return "a " + s.name }

// printed is what Last prints outside of a notebook, and its panic.
func printed(t *testing.T, results ...any) (text string, ended any) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	before := os.Stdout
	os.Stdout = w
	func() {
		defer func() { ended = recover() }()
		Last(results...)
	}()
	os.Stdout = before
	w.Close()
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(out), ended
}

func TestLast(t *testing.T) {
	var none *shape
	var noError error
	fault := errors.New("a fault")
	ended := fmt.Errorf("stopped: %w", context.Canceled)
	for _, c := range []struct {
		name    string
		results []any
		want    string
		fails   error
	}{
		{"a number", []any{3}, "3\n", nil},
		{"text", []any{"a"}, "a\n", nil},
		{"a long slice", []any{make([]int, 100_000)}, "[" + strings.Repeat("0 ", 999) + "0 ... and 99000 more]\n", nil},
		{"a long text", []any{strings.Repeat("é", 20_000)}, strings.Repeat("é", 10_000) + " ... and 20000 more bytes\n", nil},
		{"two values", []any{1, 2}, "1\n2\n", nil},
		{"a value with a form", []any{&shape{"circle"}}, "a circle\n", nil},
		{"an answer", []any{&shape{"circle"}, nil}, "a circle\n", nil},
		{"an error", []any{none, fault}, "", fault},
		{"an error beside an answer", []any{&shape{"circle"}, fault}, "", fault},
		{"interrupted", []any{&shape{"circle"}, ended}, "a circle\n", nil},
		{"interrupted with nothing", []any{none, ended}, "", ended},
		{"nothing", []any{}, "", nil},
		{"nil", []any{nil}, "", nil},
		{"a nil pointer", []any{none}, "", nil},
		{"a nil error", []any{noError}, "", nil},
		{"a nil pointer and a nil error", []any{none, nil}, "", nil},
		{"a lone error", []any{fault}, "a fault\n", nil},
		{"nothing to see", []any{struct{}{}}, "", nil},
		{"a function", []any{strings.ToUpper}, "a function, func(string) string: call it with its arguments in parentheses\n", nil},
	} {
		text, end := printed(t, c.results...)
		if text != c.want || end != any(c.fails) && (end != nil || c.fails != nil) {
			t.Errorf("%s: prints %q and ends with %v, want %q and %v", c.name, text, end, c.want, c.fails)
		}
	}
}

func TestPicturesBesideAnswers(t *testing.T) {
	ctx := context.Background()
	m := mjq.Servers(3).Poisson(1).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 2, 0.5, mjq.ExpMean(1))
	for _, c := range []struct {
		name   string
		answer any
		want   string
	}{
		{"exact", mjq.Must(m.Solve(ctx, mjq.Exact{})), "How long jobs wait"},
		{"sampled", mjq.Must(m.Solve(ctx, mjq.Backward{Samples: 500})), "How long jobs wait"},
		{"moments only", mjq.Must(m.Solve(ctx, mjq.Exact{MomentsOnly: true})), ""},
		{"nobody waits", mjq.Must(m.Loss().Solve(ctx, mjq.Exact{})), ""},
		{"unstable", mjq.Must(m.AtLoad(1.2).Solve(ctx, mjq.Forward{Jobs: 2000})), ""},
		{"compared", mjq.Must(mjq.Compare(ctx, m, []mjq.Policy{mjq.FCFS(), mjq.FirstFit()}, mjq.Simulation{Jobs: 4000})), "by class"},
		{"a path", mjq.Must(m.Path(ctx, 0, 20)), "job by job"},
		{"a long path", mjq.Must(m.Path(ctx, 0, most+1)), ""},
		{"a limit", mjq.Must(m.Stability(ctx)), ""},
	} {
		p := picture(c.answer)
		if p == nil || c.want == "" {
			if p != nil || c.want != "" {
				t.Errorf("%s: %v, want %q", c.name, p, c.want)
			}
			continue
		}
		if title := p.(titled).Title(); !strings.Contains(title, c.want) {
			t.Errorf("%s: %q, want %q", c.name, title, c.want)
		}
	}
}
