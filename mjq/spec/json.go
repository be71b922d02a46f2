package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"

	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// form is a description as it is written. The order of the fields is part of the
// canonical form. What has the name and the type that it has in Spec needs no more than its
// line here; see share.
type form struct {
	Servers          int             `json:"servers,omitempty"` // not with types of resources
	Resources        []Type          `json:"resources,omitempty"`
	RandomAssignment bool            `json:"randomAssignment,omitempty"`
	AsPrinted        bool            `json:"asPrinted,omitempty"`
	Arrivals         json.RawMessage `json:"arrivals,omitempty" also:"rate" is:"how jobs arrive, as {\"arrivals\":\"Poisson\",\"rate\":1.4}"`
	Load             *float64        `json:"load,omitempty"`
	Policy           json.RawMessage `json:"policy,omitempty"`
	Classes          []classForm     `json:"classes"`
	Notes            []string        `json:"notes,omitempty"`
	Room             *int            `json:"room,omitempty"`
	AlsoPreempted    bool            `json:"alsoPreempted,omitempty"`
	Nodes            []Nodes         `json:"nodes,omitempty"`
	Placement        string          `json:"placement,omitempty" is:"how jobs are placed on nodes, as \"BestFit\""`
	Unit             result.Unit     `json:"unit,omitempty" is:"the unit of time, as \"min\""`
	Failures         []failureForm   `json:"failures,omitempty"`
	Crews            *int            `json:"crews,omitempty"`
	Spares           int             `json:"spares,omitempty"`
	Sleep            *sleepForm      `json:"sleep,omitempty"`
	Awake            int             `json:"awake,omitempty"`
	Watts            *Watts          `json:"watts,omitempty"`
	Reservations     []Reservation   `json:"reservations,omitempty"`
	Oldest           bool            `json:"oldest,omitempty"`
}

// classForm is a class as it is written, as form is.
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

	After   *policy.Checkpoint `json:"after,omitempty"`
	Elastic *Elastic           `json:"elastic,omitempty"`

	Nodes     int  `json:"nodes,omitempty"`
	Scattered bool `json:"scattered,omitempty"`
}

// share gives a struct what another has in fields of the same names and types.
func share(to, from any) {
	x, y := reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem()
	for i := range x.NumField() {
		if f := y.FieldByName(x.Type().Field(i).Name); f.IsValid() && x.Type().Field(i).IsExported() && f.Type() == x.Field(i).Type() {
			x.Field(i).Set(f)
		}
	}
}

// doing is what a fault of reading or writing begins with.
type doing string

// String returns it.
func (d doing) String() string { return string(d) }

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
