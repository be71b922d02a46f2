package policy

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mjqueue/mjq/mjq/law"
)

// priorityForm is a Priority as it is written.
type priorityForm struct {
	Levels   [][]string      `json:"levels"`
	Preempt  Preemption      `json:"preempt,omitempty"`
	Passing  bool            `json:"passing,omitempty"`
	Exempt   float64         `json:"exempt,omitempty"`
	Overhead json.RawMessage `json:"overhead,omitempty"`
	Within   json.RawMessage `json:"within,omitempty"`
}

// MarshalJSON writes the members that Marshal puts behind the name of the policy.
func (p Priority) MarshalJSON() ([]byte, error) {
	out := priorityForm{Levels: p.Levels, Preempt: p.Preempts, Passing: p.Passes, Exempt: p.ExemptFor}
	if out.Levels == nil {
		out.Levels = [][]string{}
	}
	var faults [2]error
	if p.Added != nil {
		out.Overhead, faults[0] = law.Marshal(p.Added)
	}
	if p.Inner != nil {
		out.Within, faults[1] = Marshal(p.Inner)
	}
	if err := errors.Join(faults[:]...); err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Priority) UnmarshalJSON(data []byte) error {
	in, err := read[priorityForm](data)
	if err != nil {
		return err
	}
	out := Priority{Preempts: in.Preempt, Passes: in.Passing, ExemptFor: in.Exempt}
	if len(in.Levels) > 0 {
		out.Levels = in.Levels
	}
	var faults []error
	if len(in.Overhead) > 0 {
		l, err := law.Unmarshal(in.Overhead)
		if err != nil {
			faults = append(faults, fmt.Errorf("overhead: %w", err))
		}
		out.Added = l
	}
	if len(in.Within) > 0 {
		inner, err := Unmarshal(in.Within)
		if err != nil {
			faults = append(faults, fmt.Errorf("within: %w", err))
		}
		out = out.Within(inner)
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	*p = out
	return nil
}
