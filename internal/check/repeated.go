package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Repeated finds members that an object of a JSON text has more than once, at any depth, each
// with its place. Package encoding/json takes the last of them in silence. The syntax must be
// right.
func Repeated(text []byte) []error {
	r := repeats{text: text}
	r.value()
	return r.List()
}

// repeats walks through a text.
type repeats struct {
	Faults
	text []byte
	at   int
	open [][]byte // the names of the objects that it is in, one after another
	path []step   // to where it is
}

// step is a member of an object, or an element of a list where there is no name.
type step struct {
	name  []byte
	index int
}

// place is the path in words.
func (r *repeats) place() (at string) {
	for _, s := range r.path {
		if s.name == nil {
			at += fmt.Sprintf("[%d]", s.index)
		} else {
			at = below(at, string(s.name))
		}
	}
	return at
}

// few names are compared one by one.
const few = 32

// below walks over a value that is a step further.
func (r *repeats) below(s step) {
	r.path = append(r.path, s)
	r.value()
	r.path = r.path[:len(r.path)-1]
}

// value walks over a value.
func (r *repeats) value() {
	switch r.next() {
	case '{':
		r.object()
	case '[':
		r.at++
		for i := 0; r.at < len(r.text) && r.next() != ']'; i++ {
			r.below(step{index: i})
			r.comma()
		}
		r.at++
	case '"':
		r.quoted()
	default: // a number or a word
		for r.at++; r.at < len(r.text) && strings.IndexByte(",]} \t\r\n", r.text[r.at]) < 0; r.at++ {
		}
	}
}

// object walks over the members of an object.
func (r *repeats) object() {
	begin := len(r.open)
	var many map[string]bool
	r.at++
	for r.next() == '"' {
		name := r.quoted()
		known := many[string(name)]
		if many == nil {
			for _, other := range r.open[begin:] {
				known = known || bytes.Equal(other, name)
			}
		}
		if known {
			r.path = append(r.path, step{name: name})
			r.Add("%s: given twice; leave one of them out", r.place())
			r.path = r.path[:len(r.path)-1]
		}
		if r.open = append(r.open, name); many == nil && len(r.open)-begin > few {
			many = map[string]bool{}
			for _, other := range r.open[begin:] {
				many[string(other)] = true
			}
		} else if many != nil {
			many[string(name)] = true
		}
		r.next() // the colon
		r.at++
		r.below(step{name: name})
		r.comma()
	}
	r.at++
	r.open = r.open[:begin]
}

// next goes to the next character that is no blank, and returns it; 0 at the end.
func (r *repeats) next() byte {
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// comma goes beyond a comma, if one comes.
func (r *repeats) comma() {
	if r.next() == ',' {
		r.at++
	}
}

// quoted goes beyond a string, and returns it.
func (r *repeats) quoted() []byte {
	begin, escaped := r.at, false
	for r.at++; r.at < len(r.text) && r.text[r.at] != '"'; r.at++ {
		if r.text[r.at] == '\\' {
			escaped = true
			r.at++
		}
	}
	r.at = min(r.at+1, len(r.text))
	whole := r.text[begin:r.at]
	var name string
	if escaped && json.Unmarshal(whole, &name) == nil {
		return []byte(name)
	}
	return whole[1:max(1, len(whole)-1)]
}
