package mjq

import (
	"context"
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/mjqueue/mjq/mjq/internal/method"
	"github.com/mjqueue/mjq/mjq/result"
)

// MethodsQuery asks which methods can answer for a model and what they take. It is a
// value: each call returns a changed copy. A notebook that shows it shows the table.
type MethodsQuery struct {
	m      *Model
	relErr float64
}

// Methods lists the methods with what each answers, why not for this model, and about how
// many seconds of one core each takes until the half-width of the 95 % interval of the mean
// waiting time of all jobs is 1 % of it, asked with the settings in the last column, which
// suit that target.
//
// The seconds follow from theory (the variance of the mean of a long run near the stability
// limit), the variance of the wait and the cost of a job in a run of about a million jobs,
// and where the limit would take long from a rough one. On the benchmark models they are
// mostly within a factor of two of what was needed (METHODS.md). They are a dash where the method
// does not fit or no time can be foreseen: beyond the limit, under policies other than
// first come first served, without variances, and for Rare, whose target is another one.
// Exact has no interval: its seconds are those of the solution with distributions.
//
// Cost: a fifth of a second, and the memory of a forward run.
func (m *Model) Methods() MethodsQuery { return MethodsQuery{m, 0.01} }

// RelErr sets the target: a half-width of r times the mean.
func (q MethodsQuery) RelErr(r float64) MethodsQuery {
	q.relErr = r
	return q
}

// Run makes the table: a row a method, with the columns "method", "answers", "why not",
// "seconds" and "asked as", and a note that says why seconds are missing. When ctx ends
// first, they are missing for that reason. It fails on a target that is not positive.
func (q MethodsQuery) Run(ctx context.Context) (*result.Table, error) {
	efforts, unforeseen, err := q.m.p.Efforts(ctx, q.relErr)
	if err != nil {
		return nil, prefixed(err)
	}
	t := q.table(efforts)
	t.Note = fmt.Sprintf("Seconds of one core, about, until the interval of the mean wait is within %g %% of it.", 100*q.relErr)
	if unforeseen != nil {
		t.Note += " None are foreseen of samplers: " + unforeseen.Error() + "."
	}
	return t, nil
}

// table lists the methods beside what they take.
func (q MethodsQuery) table(efforts []method.Effort) *result.Table {
	var names, about, why, asked []string
	var seconds []float64
	for _, x := range method.All {
		var reasons []string
		for _, err := range x.Fits(q.m.p.Spec) {
			reasons = append(reasons, err.Error())
		}
		names, about, why = append(names, x.Name), append(about, x.About), append(why, strings.Join(reasons, "; "))
		took, query := math.NaN(), ""
		for _, e := range efforts {
			if e.Method == x {
				took, query = e.Seconds, e.Query()
			}
		}
		seconds, asked = append(seconds, took), append(asked, query)
	}
	return result.NewTable("Methods for "+q.m.p.Title()).Text("method", names...).Text("answers", about...).Text("why not", why...).
		Numbers("seconds", seconds...).Text("asked as", asked...)
}

// String is the table as text.
func (q MethodsQuery) String() string {
	t, err := q.Run(context.Background())
	if err != nil {
		return err.Error()
	}
	return t.String()
}

// HTML is the table as a notebook shows it.
func (q MethodsQuery) HTML() string {
	t, err := q.Run(context.Background())
	if err != nil {
		return "<p>" + html.EscapeString(err.Error()) + "</p>"
	}
	return t.HTML()
}
