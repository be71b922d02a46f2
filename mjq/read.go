package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/problem"
)

// Questions of the packages above this one take the options that every question takes, also where a
// question of this package has the same name.
func init() {
	problem.Read = func(ctx context.Context, name string, opts any) (problem.Options, []error) {
		a := &asked{question: name, o: problem.Defaults(), parts: 1}
		a.take(opts.([]Option))
		if a.refuse(&question{name: name}); a.faults.None() {
			a.o.Check(&a.faults)
		}
		a.report(ctx)
		return a.o, a.faults.List()
	}
}
