package methods

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/result"
)

// usualAim is the relative error that Methods are compared at unless another is asked for.
const usualAim = 0.01

// Table lists the methods: a row each, with the columns "method", "answers", "why not",
// "seconds" and "asked as", and a note that says why seconds are missing. When ctx ends first,
// they are missing for that reason. It fails on a target that is not positive.
func Table(ctx context.Context, p *problem.Problem, o problem.Options) (*result.Table, error) {
	aim := o.RelErr.Or(usualAim)
	efforts, unforeseen, err := Efforts(ctx, p, aim)
	if err != nil {
		return nil, err
	}
	t := result.NewTable("Methods for " + p.Title()).Text("method").Text("answers").Text("why not").Numbers("seconds").Text("asked as")
	for _, x := range All {
		var reasons []string
		for _, err := range run.Fits(x, p.Spec) {
			reasons = append(reasons, strings.Split(err.Error(), "\n")...)
		}
		took, query := math.NaN(), ""
		for _, e := range efforts {
			if e.Method.Row() == x.Row() {
				took, query = e.Seconds, e.Query()
			}
		}
		t.Row(x.Row().Name, x.Row().About, strings.Join(reasons, "; "), took, query)
	}
	t.Note = fmt.Sprintf("Predicted seconds of one core until the half-width of the mean wait is %g %% of it.", 100*aim)
	if unforeseen != nil {
		t.Note += " Samplers have no prediction: " + check.First(unforeseen) + "."
	}
	return t, nil
}
