package beam

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// Verb computes a point of a sweep: any verb of mjq, or a formula. The same
// model and seed must give the same result. An error that it returns is part of
// the result of the sweep, like a point beyond the reach of a method; for a
// failure that another attempt may mend it panics, and the runner tries again.
type Verb func(ctx context.Context, m mjq.Model, seed uint64) (*result.Result, error)

var verbs = map[string]Verb{}

// RegisterVerb makes a verb known by name, for Sweep.Verb. Functions do not
// travel, so the program on every worker must have registered it, before Init:
// call it in an init function. A name that is empty or taken is a mistake of
// the program and panics.
func RegisterVerb(name string, f Verb) {
	if name == "" || verbs[name] != nil {
		panic(fmt.Sprintf("beam: RegisterVerb(%q): the name is empty or taken; choose another", name))
	}
	verbs[name] = f
}
