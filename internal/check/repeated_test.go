package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestRepeated: members given twice are named with their places, and nothing else is.
func TestRepeated(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"b":2}`: "",
		`{"a":1,"a":2}`: "a",
		` { "a" : { "b" : [1, {"c":1 , "c":2}] } } `: "a.b[1].c",
		`[{"a":"}"},{"a":"\"","b":"a"},{"a":1}]`:     "",
		`{"a":1,"\u0061":2}`:                         "a",
		`{"a":{"x":1},"b":{"x":1},"x":1}`:            "",
		`{"a":{"x":1,"x":1},"a":{"x":1},"":0,"":0}`:  `a.x a ""`,
		`{"x y":null,"x y":true}`:                    `"x y"`,
		`3`:                                          "", `"a"`: "", `[]`: "", `{}`: "", `null`: "", `[[],{},-1.5e7,false]`: "",
	} {
		var places []string
		for _, err := range Repeated([]byte(text)) {
			place, _, _ := strings.Cut(err.Error(), ": given twice; leave one of them out")
			places = append(places, place)
		}
		if got := strings.Join(places, " "); got != want || !json.Valid([]byte(text)) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, `"n%d":%d,`, i, i)
	}
	if err := errors.Join(Repeated([]byte("{" + many.String() + `"n7":1,"n999":2,"m":3}`))...); err == nil || strings.Count(err.Error(), "twice") != 2 {
		t.Error(err)
	}
}

// FuzzRepeated: no text, right or wrong, is walked over the end.
func FuzzRepeated(f *testing.F) {
	f.Add(`{"a":[1,{"b":"c\\"}]}`)
	f.Add(`{"a`)
	f.Fuzz(func(_ *testing.T, text string) { Repeated([]byte(text)) })
}
