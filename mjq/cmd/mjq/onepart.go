package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/result"
)

// swept is a sweep that is divided.
type swept struct {
	model mjq.Model
	opts  []mjq.Option
	text  []byte // all that its results depend on
}

// identity is what the results of a sweep depend on beside the program. The grid has points
// for rates, loads, servers and laws.
type identity struct {
	Model        mjq.Model           `json:"model"`
	Method       json.RawMessage     `json:"method,omitempty"`
	Grid         []result.SweepPoint `json:"grid"`
	Replications int                 `json:"replications"`
	Seed         uint64              `json:"seed"`
	Level        float64             `json:"level"`
	Targets      map[string]any      `json:"targets,omitempty"` // by their flags
}

// described checks the sweep without computing anything of it.
func (d *division) described() (*swept, error) {
	opts, err := d.set.all()
	if err := errors.Join(d.to.check(), err); err != nil {
		return nil, input(err)
	}
	models, err := d.read()
	if err != nil {
		return nil, input(err)
	}
	if len(models) > 1 {
		return nil, input(fmt.Errorf("%s has %d systems, and parts are of one; choose it by --system", d.args[0], len(models)))
	}
	ended, end := context.WithCancel(context.Background())
	end()
	plan, err := d.ask(models[0], ended, opts...)
	if plan == nil {
		return nil, err
	}
	x := identity{Model: models[0], Grid: plan.Points, Replications: plan.Replications, Seed: plan.Seed, Level: plan.Level, Targets: d.set.targets}
	if m, _ := d.set.chosen(); m != nil { // its error is among those above
		if x.Method, err = mjq.MarshalMethod(m); err != nil {
			return nil, input(err)
		}
	}
	text, err := json.Marshal(x)
	return &swept{models[0], opts, text}, err
}

// compute computes a part and keeps it, unless it is kept.
func (d *division) compute() error {
	s, err := d.described()
	if err != nil {
		return err
	}
	k, n := d.part[0], d.part[1]
	name := cache.PartName(s.text, k, n)
	if p, err := cache.RecallPart(d.dir, name); err == nil {
		d.say("part %d of %d was there already: %s", k, n, contents(&p))
		return nil
	}
	if err := cache.Writable(d.dir); err != nil {
		return fmt.Errorf("part %d of %d: %w", k, n, err)
	}
	bar, began := newProgress(d.call, fmt.Sprintf("part %d of %d", k, n)), time.Now()
	res, err := d.ask(s.model, d.ctx(), append(s.opts, mjq.Shard(k, n), bar.option())...)
	bar.end()
	if d.ctx().Err() != nil {
		return failure{temporary, fmt.Errorf("part %d of %d: interrupted, and nothing of it is kept; run the same command again", k, n)}
	}
	if panicked := (*mjq.Panic)(nil); res == nil || errors.As(err, &panicked) {
		return err
	}
	p := cache.PartOf(s.text, res, err, time.Since(began))
	if err := cache.KeepPart(d.dir, name, p); err != nil {
		return fmt.Errorf("part %d of %d: %w", k, n, err)
	}
	d.say("part %d of %d: %s", k, n, contents(&p))
	if err != nil {
		fmt.Fprintln(d.notes, "mjq:", message(err))
	}
	return nil
}

// contents is what a part has, in words.
func contents(p *cache.Part) string {
	text := fmt.Sprintf("jobs with a result: %d", len(p.Result.Jobs))
	if len(p.Failed) > 0 {
		text += ", and some without"
	}
	return fmt.Sprintf("%s; time: %s", text, p.Took.Round(time.Millisecond))
}

// say prints a line for the log of a task.
func (d *division) say(format string, args ...any) {
	fmt.Fprintln(d.out, escape.Lines(fmt.Sprintf(format, args...)))
}
