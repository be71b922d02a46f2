package mjq

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/spec"
)

// description is what has been said of a model. It is not changed once it is in a model;
// what follows from it is found when it is first asked for.
type description struct {
	said    spec.Spec       // as it was said; rate and load stand below
	needs   []Needs         // by class; nil where they are not by type of resource
	rate    *float64        // arrivals are scaled to it
	poisson bool            // the rate was said by Poisson
	counted bool            // servers were given by number
	load    *float64        // of the limit; not along with a rate
	offered *float64        // share of the servers that all jobs would keep busy; not along with either
	later   []setting       // of classes by name, in the order said
	early   []string        // calls that came before what they change, as faults
	normal  bool            // said is normalised: doing it again would change last bits
	limits  *problem.Limits // what is known of stability, shared by copies with other arrivals

	once sync.Once
	p    *problem.Problem
	err  error
}

// described is the description of the model; empty for the zero Model.
func (m Model) described() *description {
	if m.d == nil {
		return &description{limits: new(problem.Limits)}
	}
	return m.d
}

// changed is a copy of the model with a change. What was known of stability is kept, so
// that a change of anything but the arrivals must begin anew; see structured.
func (m Model) changed(by func(d *description)) Model {
	d := m.described()
	c := &description{said: d.said, needs: d.needs, rate: d.rate, poisson: d.poisson, counted: d.counted, load: d.load,
		offered: d.offered, later: slices.Clip(d.later), early: d.early, normal: d.normal, limits: d.limits}
	by(c)
	return Model{d: c}
}

// structured is a copy with a change of what the stability limit depends on.
func (m Model) structured(by func(d *description)) Model {
	return m.changed(func(d *description) {
		d.limits = new(problem.Limits)
		by(d)
	})
}

// whole is what was said as one description, arrivals at their rate; faulty ones, of which
// nothing can be asked, are left as they are.
func (d *description) whole() *spec.Spec {
	s := &d.said
	if d.load != nil {
		s = s.WithLoad(*d.load)
	}
	if d.rate != nil {
		_ = panics.Call(func() { s = s.WithRate(*d.rate) })
	}
	return s
}

// problem is the model ready to be asked, or all that is wrong with it.
func (m Model) problem() (*problem.Problem, error) {
	if m.d == nil {
		return nil, errors.New("mjq: no servers: begin with mjq.Servers(n)")
	}
	d := m.d
	d.once.Do(func() { d.p, d.err = d.judge() })
	return d.p, d.err
}

// judge validates the description as a whole.
func (d *description) judge() (*problem.Problem, error) {
	var f check.Faults
	s := d.said
	s.Classes = slices.Clone(s.Classes)
	for i, needs := range d.needs {
		if needs != nil {
			s.Classes[i].Units = unitsOf(&f, &s, i, needs)
		}
	}
	d.apply(&f, &s)
	d.rateFaults(&f)
	d.earlyFaults(&f)
	s.Load = d.loaded()
	f.That(!d.counted || len(s.Resources) == 0, "Servers(%d) along with Resources: units are counted by type; leave one of them out", s.Servers)
	f.Join(s.Validate()...)
	if faults := f.List(); len(faults) > 0 {
		return nil, prefixed(fmt.Errorf("the model has %s:\n%w", spec.Count(len(faults), "fault"), errors.Join(faults...)))
	}
	x := &s
	if !d.normal {
		x = s.Normalized()
	}
	switch {
	case x.RandomAssignment:
		x = x.WithRandomAssignment()
	case x.AsPrinted:
		x = x.WithPrinted()
	}
	if d.rate != nil {
		x = x.WithRate(*d.rate)
	}
	if d.load != nil {
		x = x.WithLoad(*d.load)
	}
	if d.offered != nil {
		x = x.WithRate(*d.offered * x.IdealRate())
	}
	return problem.Of(x, d.limits), nil
}

// rateFaults says what is wrong with the rate or the load.
func (d *description) rateFaults(f *check.Faults) {
	if load := d.load; load != nil {
		f.That(*load > 0 && !math.IsInf(*load, 1), "AtLoad(%v): the load is a fraction of the stability limit; give a positive finite one", *load)
	}
	if offered := d.offered; offered != nil {
		f.That(*offered > 0 && !math.IsInf(*offered, 1), "AtOffered(%v): the offered load is a share of the servers; give a positive finite one", *offered)
	}
	if d.rate == nil {
		return
	}
	rate, call := *d.rate, "AtRate"
	if d.poisson {
		call = "Poisson"
	}
	if !(rate > 0) || math.IsInf(rate, 1) {
		f.Add("%s(%v): the arrival rate must be positive and finite", call, rate)
	} else if !(rate >= spec.ShortestMean && rate <= spec.LongestMean) {
		f.Add("%s(%v): powers of the times between arrivals would overflow; choose a unit of time in which the rate lies between %g and %g", call, rate, spec.ShortestMean, spec.LongestMean)
	}
}

// unitsOf is what a class needs by type, in the order of the types.
func unitsOf(f *check.Faults, s *spec.Spec, class int, needs Needs) []int {
	units := make([]int, len(s.Resources))
	var names []string
	for j, r := range s.Resources {
		units[j], names = needs[r.Name], append(names, r.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(needs)) {
		f.That(slices.Contains(names, name), "class %d %q: needs %q, which is not among the resources %s",
			class+1, s.Classes[class].Name, name, strings.Join(names, ", "))
	}
	return units
}

// arrivals are the arrivals said so far, at the rate said so far; nil if there are none.
func (d *description) arrivals() arrival.Process { return d.whole().Arrivals }

// faultsHTML lists faults as a notebook shows them.
func faultsHTML(err error) string {
	lines := strings.Split(err.Error(), "\n")
	text := "<p><b>Not a model yet.</b> " + escape.HTML(lines[0]) + "</p>"
	if len(lines) > 1 {
		text += "<ul>"
		for _, line := range lines[1:] {
			text += "<li>" + escape.HTML(line) + "</li>"
		}
		text += "</ul>"
	}
	return text
}
