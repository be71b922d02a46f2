package mjq

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/law"
)

// modelForm is a model as it is written.
type modelForm struct {
	Servers  int             `json:"servers"`
	Arrivals json.RawMessage `json:"arrivals,omitempty"`
	Load     *float64        `json:"load,omitempty"` // of a model at a load
	Classes  []classForm     `json:"classes"`
}

type classForm struct {
	Name    string          `json:"name"`
	Need    int             `json:"need"`
	Prob    float64         `json:"prob"`
	Service json.RawMessage `json:"service"`
}

// roundedSum is how far from 1 the probabilities of a model may sum through
// rounding alone, for each class.
const roundedSum = 1e-15

// MarshalJSON writes the model so that UnmarshalJSON gives back the same model
// to the bit, with the same results for the same seed: for other machines, and
// for files that a person can read and write. Laws are written by their
// constructors, {"law":"ExpMean","mean":1}; see law.Marshal. A model at a load is
// written with its load; the stability limit is not part of it. It fails on a law that has no form (see law.Former)
// and on the queue of a Cluster.
func (m *Model) MarshalJSON() ([]byte, error) {
	if m.variant != nil {
		return nil, fmt.Errorf("mjq: writing a model: %s has no written form; only the plain queue has", m.variant.title())
	}
	out := modelForm{Servers: m.servers, Load: m.load, Classes: make([]classForm, len(m.classes))}
	var faults []error
	written := func(at string, l Law) json.RawMessage {
		text, err := law.Marshal(l)
		if err != nil {
			faults = append(faults, fmt.Errorf("mjq: writing a model: %s: %w", at, err))
		}
		return text
	}
	if l := m.load; l != nil && !(*l > 0 && !math.IsInf(*l, 1)) {
		faults = append(faults, fmt.Errorf("mjq: writing a model: AtLoad(%v): give a positive finite load", *l))
	}
	if m.arrivals != nil {
		out.Arrivals = written("arrivals", m.arrivals)
	}
	for i, c := range m.classes {
		out.Classes[i] = classForm{c.Name, c.Need, c.Prob, written(fmt.Sprintf("class %q", c.Name), c.Service)}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes. Probabilities that do not sum to
// 1 but for the last digits are normalised as by Build, and the faults are
// named as by Build, all at once. Arrivals may be left out.
func (m *Model) UnmarshalJSON(data []byte) error {
	var in modelForm
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("mjq: reading a model: %w", err)
	}
	var faults []error
	read := func(at string, text json.RawMessage) Law {
		l, err := law.Unmarshal(text)
		if err != nil {
			faults = append(faults, fmt.Errorf("mjq: reading a model: %s: %w", at, err))
			return ExpMean(1) // so that the other faults are found
		}
		return l
	}
	b := Servers(in.Servers)
	if len(in.Arrivals) > 0 {
		b = b.Arrivals(read("arrivals", in.Arrivals))
	}
	if l := in.Load; l != nil && !(*l > 0) {
		faults = append(faults, fmt.Errorf("mjq: reading a model: the load is %v; give a positive fraction of the stability limit, or leave it out", *l))
	}
	sum := 0.0
	for _, c := range in.Classes {
		b = b.Class(c.Name, c.Need, c.Prob, read(fmt.Sprintf("class %q", c.Name), c.Service))
		sum += c.Prob
	}
	built, err := b.Build()
	if err := errors.Join(append(faults, err)...); err != nil {
		return err
	}
	if math.Abs(sum-1) <= roundedSum*float64(len(in.Classes)) {
		for i, c := range in.Classes { // normalising again would change the last bit
			built.classes[i].Prob = c.Prob
		}
	}
	built.load = in.Load
	*m = *built
	return nil
}
