package problem

import (
	"context"
	"fmt"
	"runtime"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
)

// Options are what any question may be told, whatever its method. It is a value: copies are
// independent.
type Options struct {
	Seed     uint64
	Level    float64
	Workers  int
	Progress func(done, total float64)
	Moments  func(*result.Result)  // told an exact result before its distributions, if not nil
	Interval func(result.Estimate) // told the mean wait of all jobs as far as it is known, if not nil

	RelErr, HalfWidth Given[float64] // the target
	MaxJobs           Given[int64]   // the budget

	Fresh bool // compute, even if the answer is remembered

	Seen   func(*events.Result) // told what a simulation has measured, if not nil
	seeded bool
}

// Given is a number that may have been given.
type Given[T int64 | float64] struct {
	Is    bool
	Value T
}

// Give is a number that has been given.
func Give[T int64 | float64](x T) Given[T] { return Given[T]{true, x} }

// Or is the number, or a default.
func (g Given[T]) Or(standard T) T {
	if g.Is {
		return g.Value
	}
	return standard
}

// Take is the number, 0 if none is given, which is then given no more.
func (g *Given[T]) Take() T {
	x := g.Or(0)
	*g = Given[T]{}
	return x
}

// Defaults are options of which none is given.
func Defaults() Options { return Options{Level: 0.95, Workers: runtime.GOMAXPROCS(0)} }

// SetSeed gives the seed.
func (o *Options) SetSeed(seed uint64) { o.Seed, o.seeded = seed, true }

// SeedOr is the seed given, or a standard one.
func (o *Options) SeedOr(standard uint64) uint64 {
	if o.seeded {
		return o.Seed
	}
	return standard
}

// Bounded keeps a run of replications within the budget of jobs, if there is one: fewer of
// them, and shorter ones where their length was not given.
func (o *Options) Bounded(given Length, jobs, warm, reps int64) (int64, int64, int64) {
	most := o.MaxJobs.Or(0)
	if most <= 0 {
		return jobs, warm, reps
	}
	if given.Jobs == 0 {
		jobs, warm = given.Of(max(1, min(jobs, most*5/6/min(reps, UsualReplications))))
	}
	return jobs, warm, max(2, min(reps, most/(jobs+warm)))
}

// BoundedRun keeps one run in batches within the budget of jobs, if there is one: shorter where
// its length or its warm-up was not given, and at least a job a batch.
func (o *Options) BoundedRun(given Length, jobs, warm, batches int64) (int64, int64) {
	most := o.MaxJobs.Or(0)
	if most <= 0 || jobs+warm <= most {
		return jobs, warm
	}
	if given.WarmUp == 0 {
		warm = min(warm, most/6)
	}
	return max(batches, min(jobs, most-warm)/batches*batches), warm
}

// Shared is the options of each of so many runs that have one budget.
func (o *Options) Shared(runs int) Options {
	one := *o
	if one.MaxJobs.Is {
		one.MaxJobs.Value = max(1, one.MaxJobs.Value/int64(runs))
	}
	return one
}

// Unbounded is the options without target and budget.
func (o *Options) Unbounded() Options {
	one := *o
	one.RelErr, one.HalfWidth, one.MaxJobs = Given[float64]{}, Given[float64]{}, Given[int64]{}
	return one
}

// Check says what is wrong with the options whatever the method.
func (o *Options) Check(f *check.Faults) { f.Settings(o.faults) }

func (o *Options) faults(f *check.Faults) {
	f.That(o.Level > 0 && o.Level < 1, "Level(%v): the confidence level must lie strictly between 0 and 1", o.Level)
	f.That(o.Workers >= 1, "Workers(%d): at least one goroutine is needed", o.Workers)
	f.AtMost("Workers", int64(o.Workers), mostWorkers)
	f.That(o.MaxJobs.Or(1) >= 1, "MaxJobs(%d): must be positive", o.MaxJobs.Value)
	f.AtMost("MaxJobs", o.MaxJobs.Or(0), mostJobs)
	o.targetFaults(f)
}

// Drawing is the number of samples or replications to draw at most: those given, else
// the default, which a target lifts.
func (o *Options) Drawing(given int, standard int64) int64 {
	if given == 0 && o.Targeted() {
		return mostSamples
	}
	return Count(given, standard)
}

// Bounds are the target and the budget as they were given, by the names of their options.
func (o *Options) Bounds() (list []Bound) {
	add := func(is bool, name string, value any) {
		if is {
			list = append(list, Bound{name, fmt.Sprint(value)})
		}
	}
	add(o.RelErr.Is, "RelErr", o.RelErr.Value)
	add(o.HalfWidth.Is, "HalfWidth", o.HalfWidth.Value)
	add(o.MaxJobs.Is, "MaxJobs", o.MaxJobs.Value)
	return list
}

// Bound is an option that bounds a run.
type Bound struct{ Name, Value string }

// String is the option as it is written: RelErr(0.1).
func (b Bound) String() string { return fmt.Sprintf("%s(%s)", b.Name, b.Value) }

// Throttled is the progress callback at no more than 20 calls a second, plus the last
// one; nil without a callback.
func (o *Options) Throttled() func(done, total float64) { return replicate.Throttled(o.Progress) }

// Part is the options of one of several simulations in a row.
func (o *Options) Part(i, of int) Options {
	one := *o
	if report := o.Progress; report != nil {
		one.Progress = func(done, total float64) { report(float64(i)*total+done, float64(of)*total) }
	}
	return one
}

// Read is what the options of a question, a []mjq.Option, come to, with the faults of those
// that it does not take. Package mjq sets it: the options are sealed, and the packages above
// it take them too.
var Read func(ctx context.Context, question string, opts any) (Options, []error)
