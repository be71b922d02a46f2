package product

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// reads fails unless an answer is read from JSON as it was written, and is whole as text, HTML and
// comma-separated values.
func reads(t testing.TB, what string, x any) {
	t.Helper()
	if m, ok := x.(mjq.Model); ok {
		if legible(t, what, m.String()); m.Err() == nil {
			return // written by TestModelsDescribeThemselves
		}
	}
	text, err := json.Marshal(x)
	if err != nil {
		t.Errorf("%s: JSON: %v", what, err)
		return
	}
	back := reflect.New(reflect.TypeOf(x))
	if err := json.Unmarshal(text, back.Interface()); err != nil {
		t.Errorf("%s: JSON is not read: %v", what, err)
	} else if again, err := json.Marshal(back.Interface()); err != nil || string(again) != string(text) {
		t.Errorf("%s: JSON is read as another answer, %v\n%.300s\n%.300s", what, err, text, again)
	}
	if s, ok := x.(fmt.Stringer); ok {
		legible(t, what, s.String())
	} else {
		t.Errorf("%s: %T has no text", what, x)
	}
	if h, ok := x.(interface{ HTML() string }); ok {
		wellFormed(t, what, h.HTML())
	} else {
		t.Errorf("%s: %T has no HTML", what, x)
	}
	if table, ok := x.(interface{ Table() *result.Table }); ok {
		if rows, err := csv.NewReader(strings.NewReader(table.Table().CSV())).ReadAll(); err != nil || len(rows) < 1 {
			t.Errorf("%s: CSV with %d rows, %v", what, len(rows), err)
		}
	}
}

// damaged is what no text for people has: unknown numbers by their name in Go, verbs of fmt that
// went wrong, integers that overflowed.
var damaged = regexp.MustCompile(`\bNaN\b|%!|-?9223372036854775[0-9]{3}|&#34;NaN|0x[0-9a-f]{8}`)

// legible fails if a text is damaged.
func legible(t testing.TB, what, text string) {
	t.Helper()
	if bad := damaged.FindString(text); bad != "" {
		t.Errorf("%s: %q in\n%.1500s", what, bad, text)
	}
}

// wellFormed fails if a piece of HTML is damaged or does not close what it opens.
func wellFormed(t testing.TB, what, html string) {
	t.Helper()
	legible(t, what, html)
	d := xml.NewDecoder(strings.NewReader("<div>" + html + "</div>"))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Errorf("%s: HTML: %v in\n%.1000s", what, err, html)
			return
		}
	}
}
