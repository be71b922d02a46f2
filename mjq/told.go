package mjq

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/told"
)

// Questions of the packages above this one take the options that every question takes, also where a
// question of this package has the same name.
func init() {
	told.Read = func(ctx context.Context, name string, opts any) (told.Options, []error) {
		a := &asked{question: name, o: problem.Defaults(), parts: 1}
		a.take(opts.([]Option))
		if a.refuse(&question{name: name}); a.faults.None() {
			a.o.Check(&a.faults)
		}
		a.report(ctx)
		return told.Options{Seed: a.o.Seed, Level: a.o.Level, Workers: a.o.Workers, Fresh: a.o.Fresh, Progress: a.o.Progress}, a.faults.List()
	}
}
