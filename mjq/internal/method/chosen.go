package method

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/remember"
	"github.com/mjqueue/mjq/mjq/result"
)

// RunChosen is Run of Forward or Certified, of which a target is expected to take the fewer
// steps, each as dear as it usually is, so that the choice depends on the queue and the
// target and not on the machine. Unbiased has no distributions, which a result without a
// chosen method must not lack. Without a target, or with other settings than the target,
// and where nothing can be said beforehand, it is Forward.
func RunChosen(ctx context.Context, p *Problem, o Options) (_ *result.Result, err error) {
	if !o.targeted() || o.given&^(RelErr|HalfWidth) != 0 || Forward.check(p, &o) != nil {
		return Forward.Run(ctx, p, o)
	}
	defer Caught("the choice of a sampler", &err)
	answer := func() (*result.Result, error) {
		best, err := p.choose(ctx, &o)
		if err != nil {
			return nil, err
		}
		r, err := best.Method.Run(ctx, p, best.Options(o))
		if r != nil && r.Stable && best.Set != nil {
			r.Notes = append(r.Notes, fmt.Sprintf("The sampler was chosen for the target: %s gives the same.", best.Query()))
		}
		return r, err
	}
	return remember.Answer(func() *remember.Question { return p.Question("chosen", &o) }, o.Fresh, remembered, o.sound, answer)
}

// choose is the effort of the cheapest sampler.
func (p *Problem) choose(ctx context.Context, o *Options) (best Effort, err error) {
	best = Effort{Method: Forward}
	known, err := p.Resolve(ctx, nil)
	if err != nil {
		return best, err
	}
	st, err := known.Limit(ctx, nil)
	if err != nil {
		return best, err
	}
	load := known.Rate() / st.Rate
	if !known.foreseeable(load) {
		return best, nil // Forward says what is wrong
	}
	t, err := known.try(ctx, false)
	if err != nil {
		return best, err
	}
	e := newEfforts(ctx, known, load, &t, o)
	best = e.forward()
	if _, calculated := known.majorantWork(e.forget); !calculated || len(Certified.Fits(known.Spec)) > 0 {
		return best, nil // a bound to be proved may not be found
	}
	if x := e.certified(e.boundSteps()); x.cost() < best.cost() {
		best = x
	}
	return best, nil
}

// foreseeable reports whether something is known of how long a run takes: below the limit
// and where gaps and services have a variance.
func (p *Problem) foreseeable(load float64) bool {
	forget := p.Relaxation(load)
	return load < 1 && forget > 0 && forget < 1e12
}

// cost is the steps in those of a forward run.
func (e *Effort) cost() float64 { return e.Steps*e.kind + e.extra }

// Options adds the settings of the method for the target.
func (e *Effort) Options(o Options) Options {
	for s, n := range e.Set {
		o.Set(s, n)
	}
	o.Eps = certifiedEps
	return o
}

// Query is how the method is asked for, without the target.
func (e *Effort) Query() string {
	text := "Sample()." + e.Method.Name + "()"
	switch e.Method {
	case Exact, Simulate:
		text = e.Method.Name + "()"
	case Certified:
		text = fmt.Sprintf("Sample().Certified(%v)", certifiedEps)
	}
	for i := range settings.index() {
		s := Setting(1) << i
		n, given := e.Set[s]
		switch {
		case s == ControlVariates && n == closely:
			text += ".CloseControlVariates()"
		case s == ControlVariates && given:
			text += ".ControlVariates()"
		case given:
			text += fmt.Sprintf(".%v(%d)", s, n)
		}
	}
	return text
}
