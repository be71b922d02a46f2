package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
)

// form is a description as it is written. The order of the fields is part of the
// canonical form.
type form struct {
	Servers          int             `json:"servers,omitempty"` // not with types of resources
	Resources        []typeForm      `json:"resources,omitempty"`
	RandomAssignment bool            `json:"randomAssignment,omitempty"`
	AsPrinted        bool            `json:"asPrinted,omitempty"`
	Arrivals         json.RawMessage `json:"arrivals,omitempty" also:"rate" is:"how jobs arrive, as {\"arrivals\":\"Poisson\",\"rate\":1.4}"`
	Load             *float64        `json:"load,omitempty"`
	Policy           json.RawMessage `json:"policy,omitempty"`
	Classes          []classForm     `json:"classes"`
	Notes            []string        `json:"notes,omitempty"`
	Room             *int            `json:"room,omitempty"`
	AlsoPreempted    bool            `json:"alsoPreempted,omitempty"`
	Nodes            []nodesForm     `json:"nodes,omitempty"`
	Placement        string          `json:"placement,omitempty" is:"how jobs are placed on nodes, as \"BestFit\""`
}

type nodesForm struct {
	Count int   `json:"count"`
	Units int   `json:"units,omitempty"` // on each node
	Types []int `json:"types,omitempty"` // the same by type of resource
}

type typeForm struct {
	Name  string `json:"name"`
	Units int    `json:"units"`
}

type classForm struct {
	Name    string          `json:"name"`
	Need    int             `json:"need,omitempty" also:"servers" is:"the number of servers of a job, as \"need\":4"`
	Units   []int           `json:"units,omitempty"` // by type of resource
	Pick    *Pick           `json:"pick,omitempty"`
	Prob    float64         `json:"prob" also:"probability share" is:"the share of the class of all jobs, as \"prob\":0.25"`
	Service json.RawMessage `json:"service" also:"mean_service mean" is:"the distribution of its time, as {\"law\":\"ExpMean\",\"mean\":3}"`

	Keep     int             `json:"keep,omitempty"`
	Patience json.RawMessage `json:"patience,omitempty"`
	Users    int             `json:"users,omitempty"`
	Think    json.RawMessage `json:"think,omitempty"`

	Nodes     int  `json:"nodes,omitempty"`
	Scattered bool `json:"scattered,omitempty"`
}

// roundedSum is how far from 1 the probabilities may sum through rounding alone, for
// each class.
const roundedSum = 1e-15

// MarshalJSON writes the description so that UnmarshalJSON gives back the same to the
// bit, with the same results for the same seed: for other machines, and for files that
// a person can read and write. The form is canonical: equal descriptions are written
// alike. Laws are written by their constructors, {"law":"ExpMean","mean":1}; see
// law.Marshal. It fails on a law without a written form, and names all of them.
func (s *Spec) MarshalJSON() ([]byte, error) {
	out := form{RandomAssignment: s.RandomAssignment, AsPrinted: s.AsPrinted, Load: s.Load, Notes: s.Notes, Room: s.Room, AlsoPreempted: s.AlsoPreempted, Classes: make([]classForm, len(s.Classes))}
	if len(s.Resources) == 0 && !s.OnNodes() {
		out.Servers = s.Servers
	}
	for _, k := range s.Nodes {
		kind := nodesForm(k)
		if k.Types != nil {
			kind.Units = 0
		}
		out.Nodes = append(out.Nodes, kind)
	}
	for _, r := range s.Resources {
		out.Resources = append(out.Resources, typeForm(r))
	}
	var faults []error
	written := func(at string, l law.Law) json.RawMessage {
		text, err := law.Marshal(l)
		if err != nil {
			faults = append(faults, fmt.Errorf("writing a model: %s: %w", at, err))
		}
		return text
	}
	if l := s.Load; l != nil && !(*l > 0 && !math.IsInf(*l, 1)) {
		faults = append(faults, fmt.Errorf("writing a model: AtLoad(%v): give a positive finite load", *l))
	}
	if s.Arrivals != nil {
		out.Arrivals = s.writtenArrivals(&faults)
	}
	if s.Policy != nil {
		text, err := policy.Marshal(s.Policy)
		if err != nil {
			faults = append(faults, fmt.Errorf("writing a model: %w", err))
		}
		out.Policy = text
	}
	if s.Placement != nil {
		name, err := placement.Written(s.Placement)
		if err != nil {
			faults = append(faults, fmt.Errorf("writing a model: %w", err))
		}
		out.Placement = name
	}
	for i, c := range s.Classes {
		at := fmt.Sprintf("class %q", c.Name)
		f := classForm{Name: c.Name, Units: c.Units, Pick: c.Pick, Prob: s.OpenProb(i), Service: written(at, c.Service), Keep: c.Keep, Users: c.Users, Nodes: c.Nodes, Scattered: c.Scattered}
		if c.Patience != nil {
			f.Patience = written(at+": patience", c.Patience)
		}
		if c.Think != nil {
			f.Think = written(at+": think", c.Think)
		}
		if c.Units == nil && c.Pick == nil {
			f.Need = c.Need
		}
		out.Classes[i] = f
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes. Probabilities that sum to 1 up to rounding are
// normalised. The error names all faults of Validate at once. Arrivals may be left out. A
// member that it does not know is an error.
func (s *Spec) UnmarshalJSON(data []byte) error {
	var in form
	var faults []error
	for _, fault := range check.Members("", data, in) {
		faults = append(faults, fmt.Errorf("reading a model: %w", fault))
	}
	if len(faults) > 0 {
		return errors.Join(faults...)
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("reading a model: %w", err)
	}
	read := func(at string, text json.RawMessage) law.Law {
		if len(text) == 0 {
			faults = append(faults, fmt.Errorf(`reading a model: %s: no service; give the distribution of its time, as {"law":"ExpMean","mean":3}`, at))
			return law.ExpMean(1)
		}
		l, err := law.Unmarshal(text)
		if err != nil {
			faults = append(faults, fmt.Errorf("reading a model: %s: %w", at, err))
			return law.ExpMean(1) // so that the other faults are found
		}
		return l
	}
	optional := func(at string, text json.RawMessage) law.Law {
		if len(text) == 0 {
			return nil
		}
		return read(at, text)
	}
	out := &Spec{Servers: in.Servers, RandomAssignment: in.RandomAssignment, AsPrinted: in.AsPrinted, Load: in.Load, Notes: in.Notes, Room: in.Room, AlsoPreempted: in.AlsoPreempted}
	for _, r := range in.Resources {
		out.Resources = append(out.Resources, Type(r))
	}
	for _, k := range in.Nodes {
		out.Nodes = append(out.Nodes, Nodes(k))
	}
	if in.Placement != "" {
		p, err := placement.Named(in.Placement)
		if err != nil {
			faults = append(faults, fmt.Errorf("reading a model: %w", err))
		}
		out.Placement = p
	}
	if len(in.Arrivals) > 0 {
		out.Arrivals = readArrivals(in.Arrivals, &faults)
	}
	if len(in.Policy) > 0 {
		p, err := policy.Unmarshal(in.Policy)
		if err != nil {
			faults = append(faults, fmt.Errorf("reading a model: %w", err))
		}
		out.Policy = p
	}
	if l := in.Load; l != nil && !(*l > 0) {
		faults = append(faults, fmt.Errorf("reading a model: the load is %v; give a positive fraction of the stability limit, or leave it out", *l))
	}
	sum := 0.0
	for _, c := range in.Classes {
		at := fmt.Sprintf("class %q", c.Name)
		out.Classes = append(out.Classes, Class{Name: c.Name, Need: c.Need, Units: c.Units, Pick: c.Pick, Prob: c.Prob, Service: read(at, c.Service),
			Keep: c.Keep, Patience: optional(at+": patience", c.Patience), Users: c.Users, Think: optional(at+": think", c.Think), Nodes: c.Nodes, Scattered: c.Scattered})
		sum += c.Prob
	}
	if faults = append(faults, out.Validate()...); len(faults) > 0 {
		return errors.Join(faults...)
	}
	out = out.Normalized()
	if math.Abs(sum-1) <= roundedSum*float64(len(in.Classes)) {
		for i, c := range in.Classes { // normalising again would change the last bit
			out.Classes[i].Prob = c.Prob
		}
		out.open = nil
		out.mark()
	}
	*s = *out
	return nil
}

// Hash is a fingerprint of the canonical form: equal for equal descriptions, on any
// machine, and in practice different for different ones. It fails as MarshalJSON does.
func (s *Spec) Hash() (string, error) {
	text, err := s.MarshalJSON()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// writtenArrivals writes independent gaps by their law alone.
func (s *Spec) writtenArrivals(faults *[]error) (text json.RawMessage) {
	var err error
	if gap, ok := s.Gap(); ok {
		text, err = law.Marshal(gap)
	} else {
		text, err = arrival.Marshal(s.Arrivals)
	}
	if err != nil {
		*faults = append(*faults, fmt.Errorf("writing a model: arrivals: %w", err))
	}
	return text
}

// readArrivals reads a law of the gaps, or a process.
func readArrivals(text json.RawMessage, faults *[]error) arrival.Process {
	var head struct {
		Arrivals string `json:"arrivals"`
	}
	if json.Unmarshal(text, &head) == nil && head.Arrivals != "" {
		p, err := arrival.Unmarshal(text)
		if err != nil {
			*faults = append(*faults, fmt.Errorf("reading a model: arrivals: %w", err))
			return nil
		}
		return p
	}
	gap, err := law.Unmarshal(text)
	if err != nil {
		*faults = append(*faults, fmt.Errorf("reading a model: arrivals: %w", err))
		return nil
	}
	return arrival.Renewal{Gap: gap}
}
