package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/spec"
	"github.com/mjqueue/mjq/mjq/trace"
)

// sized is a class with the sizes of its jobs and their speed.
type sized struct {
	class       string
	least, most int
	speed       spec.Speed
}

// stretching defines the flags that say which jobs of the model of a file run on more or fewer servers than they need.
func (f *modelFlags) stretching(flags *pflag.FlagSet) {
	flags.Var(kind[sized]{"class=least:most:speed", "train=2:16:Power(0.8)", func(text string) (sized, error) { return readSized(text, 2) }}.then(
		altering(f, func(m mjq.Model, s sized) mjq.Model { return m.Elastic(s.class, s.least, s.most, s.speed) })),
		"elastic", "class whose jobs run on LEAST to MOST servers as these are free, with the speed Linear, Power(P), Amdahl(SHARE) or Speeds(ON1,ON2,...); can be repeated")
	flags.Var(kind[sized]{"class=least:speed", "train=2:Linear", func(text string) (sized, error) { return readSized(text, 1) }}.then(
		altering(f, func(m mjq.Model, s sized) mjq.Model { return m.Partial(s.class, s.least, s.speed) })),
		"partial-class", "class whose jobs start on what is free, from LEAST servers to their need, and keep it; can be repeated")
	f.toggle(flags, "oldest", "free servers go to elastic jobs in order of their starts, in place of one at a time to the smallest", mjq.Model.Oldest)
}

// readSized reads a class with one size or two, and a speed.
func readSized(text string, sizes int) (sized, error) {
	class, rest, both := strings.Cut(text, "=")
	parts := strings.SplitN(rest, ":", sizes+1)
	if !both || len(parts) != sizes+1 {
		return sized{}, fmt.Errorf("%q is no class with %d of its sizes and a speed; give it as %s", text, sizes, [...]string{"train=2:Linear", "train=2:16:Power(0.8)"}[sizes-1])
	}
	s := sized{class: strings.TrimSpace(class)}
	for i, at := range []*int{&s.least, &s.most}[:sizes] {
		n, err := readWhole(parts[i])
		if err != nil {
			return sized{}, err
		}
		*at = n
	}
	var err error
	s.speed, err = readSpeed(strings.TrimSpace(parts[sizes]))
	return s, err
}

// readSpeed reads a speed in JSON or as its call.
func readSpeed(text string) (s spec.Speed, err error) {
	if strings.HasPrefix(text, "{") {
		return s, json.Unmarshal([]byte(text), &s)
	}
	name, rest, called := strings.Cut(text, "(")
	inside, closed := strings.CutSuffix(rest, ")")
	var x []float64
	if strings.TrimSpace(inside) != "" {
		for _, part := range strings.Split(inside, ",") {
			v, err := readNumber(part)
			if err != nil {
				return s, err
			}
			x = append(x, v)
		}
	}
	switch {
	case called != closed:
	case name == "Linear" && len(x) == 0:
		return mjq.Linear(), nil
	case name == "Power" && len(x) == 1:
		return mjq.Power(x[0]), nil
	case name == "Amdahl" && len(x) == 1:
		return mjq.Amdahl(x[0]), nil
	case name == "Speeds" && len(x) > 0:
		return mjq.Speeds(x...), nil
	}
	return s, fmt.Errorf("%q is no speed; give Linear, Power(0.8), Amdahl(0.9) or Speeds(1,1.9,2.7)", text)
}

// elasticLogFlags say which jobs of a log run on more or fewer servers than they asked for.
type elasticLogFlags struct {
	jobs   []trace.Elastic
	oldest bool
}

// add defines the flags.
func (f *elasticLogFlags) add(flags *pflag.FlagSet) {
	read := func(partial bool, form string) func(text string) (trace.Elastic, error) {
		return func(text string) (trace.Elastic, error) { return readElastic(text, partial, form) }
	}
	keep := func(e trace.Elastic) { f.jobs = append(f.jobs, e) }
	const elastic, partial = "train=0.25:2:Power(0.8)", "need:8=0.5:Linear"
	flags.Var(kind[trace.Elastic]{"jobs=least:most:speed[:share]", elastic, read(false, elastic)}.then(keep), "elastic",
		"jobs that run on LEAST to MOST times the servers that they asked for, as these are free; JOBS is a class (partition), user:NAME, need:SERVERS (at least) or all, SPEED as of mjq solve, SHARE the part of the jobs that can; also {...} with the keys of the scenarios of mjq advise; can be repeated, and the first that has a job counts")
	flags.Var(kind[trace.Elastic]{"jobs=least:speed[:share]", partial, read(true, partial)}.then(keep), "partial-class",
		"jobs that start on what is free, from LEAST times what they asked for to all of it, and keep it; can be repeated")
	flags.BoolVar(&f.oldest, "oldest", false, "free servers go to elastic jobs in order of their starts, in place of one at a time to the smallest")
}

// replayed is the replay of a log with what the flags say.
func (f *elasticLogFlags) replayed(how trace.Replay) trace.Replay {
	how.Elastic, how.Oldest = f.jobs, f.oldest
	return how
}

// readElastic reads which jobs are elastic, or partial, how far and how fast they are.
func readElastic(text string, partial bool, form string) (e trace.Elastic, err error) {
	if e.Partial = partial; strings.HasPrefix(text, "{") {
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		if err := errors.Join(append(check.Repeated([]byte(text)), d.Decode(&e))...); err != nil {
			return e, fmt.Errorf(`%q: %w; give it as {"need":8,"least":0.25,"most":2,"speed":{"law":"power","x":0.8}}`, text, err)
		}
		return e, nil
	}
	into := []*float64{&e.Least, &e.Most}
	if partial {
		into = into[:1]
	}
	jobs, rest, both := strings.Cut(text, "=")
	parts := strings.Split(rest, ":")
	if n := len(parts) - len(into) - 1; !both || n < 0 || n > 1 {
		return e, fmt.Errorf("%q has no jobs with %d of their sizes and a speed; give it as %s", text, len(into), form)
	}
	for i, at := range into {
		if *at, err = readNumber(parts[i]); err == nil && *at <= 0 {
			err = fmt.Errorf("%v is no size; give a multiple of what jobs ask for, above 0", *at)
		}
		if err != nil {
			return e, err
		}
	}
	if e.Speed, err = readSpeed(strings.TrimSpace(parts[len(into)])); err != nil {
		return e, err
	}
	if len(parts) > len(into)+1 {
		if e.Share, err = readShare(parts[len(into)+1]); err == nil && !(e.Share > 0 && e.Share <= 1) {
			err = fmt.Errorf("%v is no share of the jobs; give one above 0, at most 1", e.Share)
		}
		if err != nil {
			return e, err
		}
	}
	return e, readJobs(&e, strings.TrimSpace(jobs))
}

// readJobs reads which jobs of a log are meant.
func readJobs(e *trace.Elastic, text string) (err error) {
	key, value, both := strings.Cut(text, ":")
	switch {
	case text == "":
		return errors.New("no jobs are named; give a class, user:NAME, need:SERVERS or all")
	case text == "all":
	case !both:
		e.Class = text
	case key == "user":
		e.User = value
	case key == "need":
		if e.Need, err = readWhole(value); err == nil && e.Need < 1 {
			err = fmt.Errorf("need:%d are no jobs; give at least 1 server", e.Need)
		}
	case key == "class":
		e.Class = value
	default:
		err = fmt.Errorf("%q is no choice of jobs; give a class, user:NAME, need:SERVERS or all", text)
	}
	return err
}
