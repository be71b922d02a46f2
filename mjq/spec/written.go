package spec

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
)

// MarshalJSON writes the description so that UnmarshalJSON gives back the same to the
// bit, with the same results for the same seed: for other machines, and for files that
// a person can read and write. The form is canonical: equal descriptions are written
// alike. Laws are written by their constructors, {"law":"ExpMean","mean":1}; see
// law.Marshal. It fails on a law without a written form, and names all of them.
func (s *Spec) MarshalJSON() ([]byte, error) {
	w := writer{check.Faults{Of: doing("writing a model")}}
	var out form
	share(&out, s)
	if len(s.Resources) > 0 || s.OnNodes() {
		out.Servers = 0
	}
	out.Nodes = slices.Clone(s.Nodes)
	for i := range out.Nodes {
		if k := &out.Nodes[i]; k.Types != nil {
			k.Units = 0
		}
	}
	if l := s.Load; l != nil {
		w.That(*l > 0 && !math.IsInf(*l, 1), "AtLoad(%v): give a positive finite load", *l)
	}
	out.Arrivals, out.Policy, out.Placement, out.Failures = w.arrivals(s), w.policy(s.Policy), w.placement(s.Placement), w.failures(s)
	out.Sleep = w.sleep(s)
	out.Classes = make([]classForm, len(s.Classes))
	for i := range s.Classes {
		out.Classes[i] = w.class(s, i)
	}
	if err := w.Err(""); err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

// writer collects the faults of writing a description.
type writer struct{ check.Faults }

func (w *writer) class(s *Spec, i int) classForm {
	c, at := &s.Classes[i], fmt.Sprintf("class %q", s.Classes[i].Name)
	var f classForm
	share(&f, c)
	f.Prob, f.Service = s.OpenProb(i), w.law(at, c.Service)
	if c.Patience != nil {
		f.Patience = w.law(at+": patience", c.Patience)
	}
	if c.Think != nil {
		f.Think = w.law(at+": think", c.Think)
	}
	if c.Units != nil || c.Pick != nil {
		f.Need = 0
	}
	return f
}

func (w *writer) law(at string, l law.Law) json.RawMessage {
	text, err := law.Marshal(l)
	if err != nil {
		w.Add("%s: %w", at, err)
	}
	return text
}

func (w *writer) policy(p policy.Policy) json.RawMessage {
	if p == nil {
		return nil
	}
	text, err := policy.Marshal(p)
	if err != nil {
		w.Add("%w", err)
	}
	return text
}

func (w *writer) placement(p placement.Placement) string {
	if p == nil {
		return ""
	}
	name, err := placement.Written(p)
	if err != nil {
		w.Add("%w", err)
	}
	return name
}

// arrivals writes independent gaps by their law alone.
func (w *writer) arrivals(s *Spec) (text json.RawMessage) {
	if s.Arrivals == nil {
		return nil
	}
	var err error
	if gap, ok := s.Gap(); ok {
		text, err = law.Marshal(gap)
	} else {
		text, err = arrival.Marshal(s.Arrivals)
	}
	if err != nil {
		w.Add("arrivals: %w", err)
	}
	return text
}
