package check

import (
	"encoding/json"
	"testing"
)

// like is what the texts of the test are to become.
type like struct {
	Name  string          `json:"name"`
	Need  *int            `json:"need,omitempty" also:"servers" is:"a number of servers, as 4"`
	Parts []like          `json:"parts,omitempty"`
	Raw   json.RawMessage `json:"raw,omitempty"`
	On    bool            `json:"on"`
	Rows  [][]float64     `json:"rows"`
	Rule  map[string]int  `json:"rule"`
	inner int
}

// TestMembers: each fault is named with its place, and what is right has none.
func TestMembers(t *testing.T) {
	for text, want := range map[string]string{
		`{"name":"a","need":null,"parts":[{"need":3,"on":true}],"raw":{"any":1},"rows":[[1,2.5]],"rule":{"x":1}}`: "",
		`{"NAME":"a"}`:                 "",
		`{"need":1,"Need":2}`:          "f.need: given twice, as Need too; leave one of them out",
		`null`:                         "",
		`{"parts":[{},{"servers":3}]}`: "f.parts[1].servers: unknown; need is a number of servers, as 4",
		`{"parts":[{"nam":3}]}`:        "f.parts[0].nam: unknown; did you mean name?",
		`{"inner":3}`:                  "f.inner: unknown; there are name, need, parts, raw, on, rows, rule",
		`{"rows":[[1,"2"]]}`:           `f.rows[0][1]: "2" is not a number; write it without quotes`,
		`{"rows":[[1,"two"]]}`:         `f.rows[0][1]: "two" is not a number; give one as 0.5`,
		`{"rule":3}`:                   "f.rule: 3 is not of the kind that is wanted",
		`{"parts":3}`:                  "f.parts: 3 is not a list; put it in brackets",
		`3`:                            `f: 3 is not an object; write {"name": ...}`,
		`{"on":1,"need":1.5}`:          "f.need: 1.5 is not a whole number; give one as 4\nf.on: 1 is neither true nor false",
		`{"name":1,"a.b":2}`:           "f.\"a.b\": unknown; there are name, need, parts, raw, on, rows, rule\nf.name: 1 is not a text; put it in quotes",
	} {
		var f Faults
		f.Join(Members("f", []byte(text), like{inner: 0})...)
		got := ""
		if err := f.Err(""); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if list := Members("", []byte(`{"on":1}`), like{}); len(list) != 1 || list[0].Error() != "on: 1 is neither true nor false" {
		t.Error(list)
	}
}
