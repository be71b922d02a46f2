package mjq

import (
	"fmt"
	"strings"
	"testing"
)

// TestWhatIsNoAnswerSaysSo: who prints a question or the beginnings of a model reads what
// to do, and nothing of how they are made.
func TestWhatIsNoAnswerSaysSo(t *testing.T) {
	m := Must(Servers(2).Poisson(1).Class("one", 1, 1, ExpMean(1)).Build())
	for _, q := range []any{m.Capacity(), Compare(m), m.Exact().ByTime(2), m.Exact(), Fewest(m), m.MSR(), m.Optimum(), m.Path(), m.Sample(),
		m.Sensitivities(), m.Simulate(), m.Stability(), Sweep(m)} {
		want := fmt.Sprintf("%T has not been asked yet: Run(ctx) answers it", q)
		if got := fmt.Sprint(q); got != want {
			t.Errorf("%q is printed, want %q", got, want)
		}
	}
	for _, c := range []struct {
		b    Builder
		want string
	}{
		{Servers(3), "not a model yet: "},
		{Servers(2).Poisson(1).Class("one", 1, 1, ExpMean(1)), m.String()},
	} {
		if got := fmt.Sprint(c.b); !strings.HasPrefix(got, c.want) || strings.Contains(got, "0x") {
			t.Errorf("%q is printed, want %q", got, c.want)
		}
	}
}
