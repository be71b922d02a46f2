package playground

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// asGiven is the name of a law or a policy that the page does not offer itself: the
// setting has its written form.
const asGiven = "as given"

// Of returns the setting of a model of identical servers, or of nodes of one size, with any laws,
// arrivals and policy. It fails with the faults of the model, and if a page cannot show it. A page
// cannot show typed resources, nodes of several sizes, OnNodes, Scattered, named servers, random
// assignment, no arrivals or Keep. Servers fail and sleep, jobs stretch and users wait as they can on the
// page, which has fewer choices than package mjq. It does not take patience that is not exponential or not
// that of all classes, or more servers or classes than fit. It takes a load of the stability
// limit of one pool under first come, first served alone.
func Of(m mjq.Model) (Setting, error) {
	if err := m.Err(); err != nil {
		return Setting{}, err
	}
	given := m.Spec()
	s := Setting{Servers: given.Servers}
	switch {
	case len(given.Resources) > 0 || given.RandomAssignment || given.AsPrinted:
		return s, errors.New("playground: only identical servers can be shown, whose jobs take any of them")
	case given.Arrivals == nil && given.Load == nil && !sentBy(given.Classes):
		return s, errors.New("playground: the model has no arrivals; give a rate by AtRate or a load by AtLoad")
	case given.Load != nil && !given.FirstCome() && !given.OnNodes():
		return s, errors.New("playground: a page takes loads of the limit first come first served, the model one of the limit under its policy; show what Resolve gives")
	case s.tooLarge(len(given.Classes)) != nil:
		return s, s.tooLarge(len(given.Classes))
	}
	var faults []error
	if err := errors.Join(s.takeTurned(m), s.takeNodes(m), s.takeProperties(m)); err != nil {
		return s, err
	}
	for i, c := range given.Classes {
		form, err := law.Marshal(c.Service)
		if c.Pick != nil {
			err = errors.New("its servers have identities")
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("playground: class %s: %w", c.Name, err))
		}
		s.Classes = append(s.Classes, Class{Name: c.Name, Need: c.Need, Share: c.Prob, Law: asGiven, Mean: c.Service.Mean(), Form: form}.plain())
		taken := &s.Classes[i]
		if err := taken.take(c); err != nil {
			faults = append(faults, fmt.Errorf("playground: class %s: %w", c.Name, err))
		}
	}
	var err error
	if given.Arrivals != nil {
		if _, poisson := arrival.IsPoisson(given.Arrivals); !poisson {
			s.Arrivals, err = arrival.Marshal(given.Arrivals)
			faults = append(faults, err)
		}
	}
	if sentBy(given.Classes) {
		s.Load = 1 // of no jobs
	} else if s.Load = m.Load(); math.IsNaN(s.Load) {
		s.Load, s.Rate = 0, m.Rate()
	}
	if given.Policy != nil {
		s.Policy, s.Rule, err = written(given.Policy)
		faults = append(faults, err)
	}
	return s, errors.Join(faults...)
}

// plain is the class with its law by a name that the page offers, if it is exponential or
// constant.
func (c Class) plain() Class {
	for _, l := range Laws[:2] {
		if form, err := law.Marshal(l.of(c.Mean, 0)); err == nil && string(form) == string(c.Form) {
			c.Law, c.Form = l.Name, nil
		}
	}
	return c
}

// written is a policy by its name on the page, or in its written form.
func written(p mjq.Policy) (name string, rule json.RawMessage, err error) {
	for _, offered := range Policies {
		if offered.rule().String() == p.String() {
			return offered.Name, nil, nil
		}
	}
	rule, err = policy.Marshal(p)
	return asGiven, rule, err
}

// service is the law of a class.
func (c *Class) service() (mjq.Law, error) {
	if c.Law == asGiven {
		return law.Unmarshal(c.Form)
	}
	l, err := chosen(Laws, c.Law)
	if err != nil {
		return nil, err
	}
	return l.of(c.Mean, c.shape(l)), nil
}

// shape is the parameter of a law apart from its mean.
func (c *Class) shape(l *Choice) float64 {
	if c.Shape == 0 {
		return l.Usual
	}
	return c.Shape
}

// rule is the policy; nil is first come first served.
func (s *Setting) rule() (mjq.Policy, error) {
	if s.Policy == asGiven {
		return policy.Unmarshal(s.Rule)
	}
	p, err := chosen(Policies, s.Policy)
	if err != nil || p.Name == "FCFS" {
		return nil, err
	}
	return p.rule(), nil
}

// given reports whether something is in its written form.
func (s *Setting) given() bool {
	if s.Policy == asGiven || s.Arrivals != nil {
		return true
	}
	for _, c := range s.Classes {
		if c.Law == asGiven {
			return true
		}
	}
	return false
}
