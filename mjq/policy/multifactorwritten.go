package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// multifactorForm is a Multifactor as it is written.
type multifactorForm struct {
	Age        float64            `json:"age,omitempty"`
	MaxAge     float64            `json:"maxAge,omitempty"`
	FairShare  float64            `json:"fairShare,omitempty"`
	HalfLife   json.RawMessage    `json:"halfLife,omitempty"`
	CalcPeriod float64            `json:"calcPeriod,omitempty"`
	Size       float64            `json:"size,omitempty"`
	FavorSmall bool               `json:"favorSmall,omitempty"`
	Class      float64            `json:"class,omitempty"`
	Factors    map[string]float64 `json:"factors,omitempty"`
	Partition  float64            `json:"partition,omitempty"`
	Partitions map[string]float64 `json:"partitions,omitempty"`
	Nice       map[string]float64 `json:"nice,omitempty"`
	Other      map[string]float64 `json:"other,omitempty"`
	Shares     string             `json:"shares,omitempty"`
	Classic    bool               `json:"classic,omitempty"`
	Damping    float64            `json:"damping,omitempty"`
	Tier       [][]string         `json:"tier,omitempty"`
	Within     json.RawMessage    `json:"within,omitempty"`
}

// endless is how an infinite half-life is written.
const endless = `"inf"`

// MarshalJSON writes the members that Marshal puts behind the name of the policy.
func (p Multifactor) MarshalJSON() ([]byte, error) {
	out := multifactorForm{p.Age, p.MaxAge, p.FairShare, nil, p.CalcPeriod, p.Size, p.FavorSmall, p.Class, p.Factors, p.Partition, p.Partitions, p.Nice, p.Other,
		p.shares(), p.Classic, p.Damping, p.Levels, nil}
	var faults [2]error
	switch {
	case math.IsInf(p.HalfLife, 1):
		out.HalfLife = json.RawMessage(endless)
	case p.HalfLife != 0:
		out.HalfLife, faults[0] = json.Marshal(p.HalfLife)
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
func (p *Multifactor) UnmarshalJSON(data []byte) error {
	in, err := read[multifactorForm](data)
	if err != nil {
		return err
	}
	out := Multifactor{in.Age, in.MaxAge, in.FairShare, 0, in.CalcPeriod, in.Size, in.FavorSmall, in.Class, in.Factors, in.Partition, in.Partitions, in.Nice, in.Other,
		in.Shares, in.Classic, in.Damping, in.Tier, nil}
	if string(in.HalfLife) == endless {
		out.HalfLife = math.Inf(1)
	} else if len(in.HalfLife) > 0 {
		if err := json.Unmarshal(in.HalfLife, &out.HalfLife); err != nil {
			return fmt.Errorf("halfLife is %s; give a time, or %s", in.HalfLife, endless)
		}
	}
	if len(in.Within) > 0 {
		inner, err := Unmarshal(in.Within)
		if err != nil {
			return fmt.Errorf("within: %w", err)
		}
		out = out.Within(inner)
	}
	*p = out
	return nil
}
