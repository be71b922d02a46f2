package mjq

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/progress"
	"github.com/mjqueue/mjq/mjq/internal/methods"
	"github.com/mjqueue/mjq/mjq/internal/planning"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/result"
)

// Option sets how a question is answered: its Method, Seed, precision (RelErr, HalfWidth,
// MaxJobs) and Goals. Later options override earlier ones; goals accumulate; nil is ignored. An
// option without effect, such as the seed of an exact answer, is ignored; one that the question
// cannot honour returns an error, which names the questions that can.
type Option interface{ set(a *asked) }

type option func(a *asked)

func (f option) set(a *asked) { f(a) }

// None is the setting for "none at all" where 0 means the default: Simulation{WarmUp: None}
// leaves out no job.
const None = problem.None

// Seed sets the seed of the random numbers. Results are bit-identical for one seed on any
// number of goroutines.
//
// Every method has a seed of its own by default, which Run.Seed of the result reports. So two
// methods asked without a seed are independent, and one checks the other. With one seed they
// see the same jobs: differences between models or methods become sharp, and agreement of two
// methods says little about the error that they share. Example: mjq.Seed(7).
func Seed(seed uint64) Option { return option(func(a *asked) { a.o.SetSeed(seed) }) }

// Level sets the confidence level of all intervals; the default is 0.95. For a search, such as
// for the fewest servers, it is the probability that the answer is right.
func Level(level float64) Option { return option(func(a *asked) { a.o.Level = level }) }

// Workers sets the number of goroutines; the default is one per core. It changes the speed
// only.
func Workers(n int) Option { return option(func(a *asked) { a.o.Workers = n }) }

// NoCache computes the answer again, even if it is cached; see Cache. A stability limit found
// on the way may still come from the cache.
func NoCache() Option { return option(func(a *asked) { a.o.Fresh = true }) }

// Step is the progress of a question: its name, the work Done of the Total, and the Result so
// far, if there is one.
type Step = result.Step

// Progress calls f a few times a second with the progress of the question, one call at a time.
// While the stability limit is being found, Done is 0. An exact solution shows its moments as
// soon as it knows them. A run with a target shows the mean wait of all jobs at each interim
// check. A run of fixed length shows it about twice a second, if no law has a power tail. Without Progress the context may receive it, as that of a notebook does, which shows a
// bar; Progress(nil) turns this off.
func Progress(f func(Step)) Option {
	return option(func(a *asked) { a.progress, a.silent = f, f == nil })
}

// RelErr asks for a relative half-width of at most r for the mean waiting time of all jobs; for
// the rate in Stability and LargestRate, and for the probability in RareEvent. The method then
// runs until it has reached the target; a number of samples set as a field, and MaxJobs, remain
// bounds, and a note says if one came first. Run.Met reports whether the target was reached. If
// the mean has no interval because of heavy tails, that is an error that names the class and the
// missing moment. Example: mjq.RelErr(0.01).
func RelErr(r float64) Option {
	return option(func(a *asked) { a.say("RelErr", r); a.o.RelErr = problem.Give(r) })
}

// HalfWidth is RelErr with an absolute bound h, in units of time. If both are given, both are
// reached.
func HalfWidth(h float64) Option {
	return option(func(a *asked) { a.say("HalfWidth", h); a.o.HalfWidth = problem.Give(h) })
}

// MaxJobs sets the largest number of jobs that the question may spend: the budget if no method
// is given, and a bound for methods that count jobs.
func MaxJobs(n int) Option {
	return option(func(a *asked) { a.say("MaxJobs", n); a.o.MaxJobs = problem.Give(int64(n)) })
}

// Shard computes only the jobs of a sweep whose index is k modulo n: the share of the k-th of n
// machines, k from 0. Give all of them the same sweep, and their results to result.MergeSweeps.
func Shard(k, n int) Option {
	return option(func(a *asked) { a.say("Shard", k, n); a.part, a.parts = k, n })
}

// Options combines several options into one, to be given to more than one question.
func Options(opts ...Option) Option {
	return option(func(a *asked) { a.take(opts) })
}

// asked is what the options of a question come to.
type asked struct {
	question    string
	o           problem.Options
	method      Method
	goals       []planning.Target
	part, parts int
	progress    func(Step)
	silent      bool              // nobody is to be told, even if the context would
	said        map[string]string // by name, options that not every question takes
	faults      check.Faults
}

// say notes an option that not every question takes.
func (a *asked) say(name string, values ...any) {
	if a.said == nil {
		a.said = map[string]string{}
	}
	var texts []string
	for _, v := range values {
		texts = append(texts, fmt.Sprint(v))
	}
	a.said[name] = fmt.Sprintf("%s(%s)", name, strings.Join(texts, ", "))
}

func (a *asked) take(opts []Option) {
	for i, x := range opts {
		if v := reflect.ValueOf(x); x == nil {
			continue
		} else if v.Kind() == reflect.Pointer && v.IsNil() {
			a.faults.Add("option %d is a nil %T; give mjq.%s{}, or leave it out", i+1, x, v.Type().Elem().Name())
			continue
		}
		x.set(a)
	}
}

// by takes a method with its settings.
func (a *asked) by(m Method) {
	if a.method != nil {
		a.faults.Add("%s and %s: a question has one method; leave one of them out", label(a.method), label(m))
	}
	a.method = structOf(m).Interface().(Method)
}

// request is a question with its options.
func (m Model) request(ctx context.Context, question string, opts []Option) (*asked, *problem.Problem, error) {
	a := &asked{question: question, o: problem.Defaults(), parts: 1}
	a.take(opts)
	p, err := m.problem()
	if err != nil {
		return a, nil, err
	}
	q := questionOf(question)
	a.refuse(q)
	q.fits(&a.faults, p.Spec)
	a.report(ctx)
	return a, p, prefixed(a.faults.Err(question))
}

// report has the engine tell of its progress.
func (a *asked) report(ctx context.Context) {
	f := a.progress
	if f == nil && !a.silent {
		f = progress.Of(ctx)
	}
	if f == nil {
		return
	}
	var mu sync.Mutex
	last := Step{What: a.question}
	tell := func(change func()) {
		mu.Lock()
		defer mu.Unlock()
		change()
		f(last)
	}
	a.o.Progress = func(done, total float64) {
		tell(func() { last.Done, last.Total = done, total })
	}
	a.o.Moments = func(r *result.Result) {
		tell(func() { last.Result = r })
	}
	a.o.Interval = func(mean result.Estimate) {
		r := &result.Result{}
		r.All.Waiting.Mean = mean
		tell(func() { last.Result = r })
	}
}

// solve answers for a problem by a method, or by the one that suits.
func (a *asked) solve(ctx context.Context, p *problem.Problem, how run.Method) (r *result.Result, err error) {
	if how != nil {
		r, err = run.Solve(ctx, p, how, a.o)
	} else {
		r, err = methods.Choose(ctx, p, a.o)
	}
	if r != nil {
		r.Unit, r.Limit.Unit = p.Unit, p.Unit
	}
	return r, err
}

// engine is the method given, nil if none is.
func (a *asked) engine() run.Method {
	if a.method == nil {
		return nil
	}
	return a.method.engine()
}
