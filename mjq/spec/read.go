package spec

import (
	"encoding/json"
	"fmt"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
)

// UnmarshalJSON reads what MarshalJSON writes. Probabilities that sum to 1 up to rounding are
// normalised. The error names all faults of Validate at once. Arrivals may be left out. A
// member that it does not know is an error.
func (s *Spec) UnmarshalJSON(data []byte) error {
	r := reader{check.Faults{Of: doing("reading a model")}}
	var in form
	for _, fault := range append(check.Repeated(data), check.Members("", data, in)...) {
		r.Add("%w", fault)
	}
	if err := r.Err(""); err != nil {
		return err
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("reading a model: %w", err)
	}
	out := r.spec(&in)
	r.Join(out.Validate()...)
	if err := r.Err(""); err != nil {
		return err
	}
	*s = *out.rounded(in.Classes)
	return nil
}

// reader collects the faults of reading a description.
type reader struct{ check.Faults }

func (r *reader) spec(in *form) *Spec {
	out := new(Spec)
	share(out, in)
	out.Placement, out.Arrivals, out.Policy, out.Failures = r.placement(in.Placement), r.arrivals(in.Arrivals), r.policy(in.Policy), r.failures(in.Failures)
	if l := in.Load; l != nil {
		r.That(*l > 0, "the load is %v; give a positive fraction of the stability limit, or leave it out", *l)
	}
	out.Sleep = r.sleep(in.Sleep)
	for i := range in.Classes {
		out.Classes = append(out.Classes, r.class(&in.Classes[i]))
	}
	return out
}

func (r *reader) class(in *classForm) Class {
	at := fmt.Sprintf("class %q", in.Name)
	var c Class
	share(&c, in)
	c.Service = r.law(at, in.Service)
	if len(in.Patience) > 0 {
		c.Patience = r.law(at+": patience", in.Patience)
	}
	if len(in.Think) > 0 {
		c.Think = r.law(at+": think", in.Think)
	}
	return c
}

// law reads one, or takes another in place of a faulty one, so that the other faults are found.
func (r *reader) law(at string, text json.RawMessage) law.Law {
	if len(text) == 0 {
		r.Add(`%s: no service; give the distribution of its time, as {"law":"ExpMean","mean":3}`, at)
		return law.ExpMean(1)
	}
	l, err := law.Unmarshal(text)
	if err != nil {
		r.Add("%s: %w", at, err)
		return law.ExpMean(1)
	}
	return l
}

func (r *reader) placement(name string) placement.Placement {
	if name == "" {
		return nil
	}
	p, err := placement.Named(name)
	if err != nil {
		r.Add("%w", err)
	}
	return p
}

func (r *reader) policy(text json.RawMessage) policy.Policy {
	if len(text) == 0 {
		return nil
	}
	p, err := policy.Unmarshal(text)
	if err != nil {
		r.Add("%w", err)
	}
	return p
}

// arrivals reads a law of the gaps, or a process.
func (r *reader) arrivals(text json.RawMessage) arrival.Process {
	if len(text) == 0 {
		return nil
	}
	var head struct {
		Arrivals string `json:"arrivals"`
	}
	if json.Unmarshal(text, &head) == nil && head.Arrivals != "" {
		p, err := arrival.Unmarshal(text)
		if err != nil {
			r.Add("arrivals: %w", err)
			return nil
		}
		return p
	}
	gap, err := law.Unmarshal(text)
	if err != nil {
		r.Add("arrivals: %w", err)
		return nil
	}
	return arrival.Renewal{Gap: gap}
}
