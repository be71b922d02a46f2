package check

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Members finds what keeps a JSON text from becoming a value of the type of like: names
// that its objects do not have, and values of another kind, each with its place below at,
// as classes[0].need. The syntax must be right. Fields of the type json.RawMessage and
// those that read themselves are passed over. A field says by its tags what a wrong name
// may have meant:
//
//	Need int `json:"need" also:"servers" is:"the number of servers of a job"`
func Members(at string, text []byte, like any) []error {
	var f Faults
	f.members(at, text, reflect.TypeOf(like))
	return f.List()
}

// readsItself is a type whose text is the business of somebody else.
var readsItself = reflect.TypeFor[json.Unmarshaler]()

func (f *Faults) members(at string, text []byte, t reflect.Type) {
	switch {
	case reflect.PointerTo(t).Implements(readsItself) || string(text) == "null":
	case t.Kind() == reflect.Pointer:
		f.members(at, text, t.Elem())
	case t.Kind() == reflect.Struct:
		f.object(at, text, t)
	case t.Kind() == reflect.Slice:
		var list []json.RawMessage
		if json.Unmarshal(text, &list) != nil {
			f.Add("%s%s is not a list; put it in brackets", before(at), Shorten(string(text)))
		}
		for i, element := range list {
			f.members(fmt.Sprintf("%s[%d]", at, i), element, t.Elem())
		}
	case json.Unmarshal(text, reflect.New(t).Interface()) != nil:
		f.Add("%s%s is %s", before(at), Shorten(string(text)), notOf(t.Kind(), text))
	}
}

// shape is what the objects of a type may have: the fields by their names in small letters and by
// what else they may be called, and the names in their order.
type shape struct {
	names, meant map[string]*reflect.StructField
	inOrder      []string
}

// shapes are those of the types that were met; a list may have a million of one.
var shapes sync.Map

// membersOf is the shape of a type.
func membersOf(t reflect.Type) *shape {
	if s, known := shapes.Load(t); known {
		return s.(*shape)
	}
	s := &shape{names: map[string]*reflect.StructField{}, meant: map[string]*reflect.StructField{}}
	for _, field := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
			s.names[strings.ToLower(name)], s.inOrder = &field, append(s.inOrder, name)
			for _, other := range strings.Fields(field.Tag.Get("also")) {
				s.meant[other] = &field
			}
		}
	}
	shapes.Store(t, s)
	return s
}

// object looks at the members of an object.
func (f *Faults) object(at string, text []byte, t reflect.Type) {
	s := membersOf(t)
	var given map[string]json.RawMessage
	if json.Unmarshal(text, &given) != nil {
		f.Add("%s%s is not an object; write {%q: ...}", before(at), Shorten(string(text)), s.inOrder[0])
		return
	}
	as := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		place, lower := below(at, name), strings.ToLower(name)
		if other := as[lower]; other != "" && s.names[lower] != nil {
			f.Add("%s: given twice, as %s too; leave one of them out", place, other)
		}
		as[lower] = name
		if field := s.names[lower]; field != nil {
			f.members(place, given[name], field.Type)
		} else if field := s.meant[name]; field != nil {
			right, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			f.Add("%s: unknown; %s is %s", place, right, field.Tag.Get("is"))
		} else if hint := DidYouMean(name, s.inOrder); hint != "" {
			f.Add("%s: unknown%s", place, hint)
		} else {
			f.Add("%s: unknown; there are %s", place, strings.Join(s.inOrder, ", "))
		}
	}
}

// before is a place that stands before a value; the whole text has none.
func before(at string) string {
	if at == "" {
		return ""
	}
	return at + ": "
}

// plain is a name that is clear without quotes.
var plain = regexp.MustCompile(`^\w+$`)

// below is the place of a member.
func below(at, name string) string {
	if !plain.MatchString(name) {
		name = fmt.Sprintf("%q", name)
	}
	if at == "" {
		return name
	}
	return at + "." + name
}

// notOf says what a value is not, and what to do.
func notOf(kind reflect.Kind, text []byte) string {
	quoted := func(what, example string) string {
		var within string
		if json.Unmarshal(text, &within) == nil && json.Unmarshal([]byte(within), new(float64)) == nil {
			return what + "; write it without quotes"
		}
		return what + "; give one as " + example
	}
	switch kind {
	case reflect.Int:
		return quoted("not a whole number", "4")
	case reflect.Float64:
		return quoted("not a number", "0.5")
	case reflect.Bool:
		return "neither true nor false"
	case reflect.String:
		return "not a text; put it in quotes"
	}
	return "not of the kind that is wanted"
}
