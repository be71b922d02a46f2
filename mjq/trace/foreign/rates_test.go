package foreign

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/trace"
)

func TestRates(t *testing.T) {
	for text, want := range map[string][]float64{
		"[0.0001, 0.29272631578947367,1]": {0.0001, 0.29272631578947367, 1},
		"\r\n [ 2\r\n,1e-3 , \n3, ]\n\n":  {2, 1e-3, 3},
		"[7]":                             {7},
	} {
		got, err := ReadRates("r", strings.NewReader(text))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestRatesFaults(t *testing.T) {
	for text, parts := range map[string][]string{
		"":                          {"r:1: there is no list in brackets"},
		"0.1, 0.2":                  {"r:1: there is no list"},
		"]1[":                       {"r:1: there is no list"},
		"\n[ ]":                     {"r:2: the list is empty"},
		"[1,\n x,\n\n -2,0,3, NaN]": {`r:2: rate 2 is "x"`, `r:4: rate 3 is "-2"`, `r:4: rate 4 is "0"`, `r:4: rate 6 is "NaN"`},
		"[1,,2]":                    {`r:1: rate 2 is ""`},
		"[1e999]":                   {`r:1: rate 1 is "1e999"`},
		"rates\n= [1]\n[2]":         {`r:1: "rates`, `r:3: "[2]" stands outside the brackets`},
		"[" + strings.Repeat("1, ", mostRates/3) + "1]":   {"more than 1048576 bytes"},
		"[" + strings.Repeat("0, ", 3*mostProblems) + "]": {"rate 10 is", "and 20 more"},
	} {
		got, err := ReadRates("r", strings.NewReader(text))
		for _, part := range parts {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%.40q: %v, error %v does not say %q", text, got, err, part)
			}
		}
	}
	var line *trace.LineError
	if _, err := ReadRates("r", strings.NewReader("[1,\n\nx]")); !errors.As(err, &line) || line.Line != 3 {
		t.Errorf("no line 3 in %v", err)
	}
}
