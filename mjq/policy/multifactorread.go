package policy

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/fairshare"
)

// ReadMultifactor reads what stands in the parentheses of a Multifactor as String writes it:
// Age=1000,MaxAge=168,Factors=(normal=0.1,urgent=1),FavorSmall.
func ReadMultifactor(text string) (p Multifactor, err error) {
	for _, part := range separated(text) {
		name, value, given := strings.Cut(part, "=")
		if err := p.set(strings.TrimSpace(name), strings.TrimSpace(value), given); err != nil {
			return Multifactor{}, err
		}
	}
	return p, nil
}

// set reads a setting.
func (p *Multifactor) set(name, value string, given bool) (err error) {
	names := []string{"Shares"}
	for _, n := range p.numbers() {
		if names = append(names, n.name); n.name == name {
			if *n.value, err = strconv.ParseFloat(value, 64); err != nil {
				return fmt.Errorf("Multifactor: %s takes a number, not %q", name, value)
			}
			return nil
		}
	}
	for _, b := range p.switches() {
		if names = append(names, b.name); b.name == name {
			if *b.value = true; given {
				return fmt.Errorf("Multifactor: %s takes nothing, not %q", name, value)
			}
			return nil
		}
	}
	for _, m := range p.tables() {
		if names = append(names, m.name); m.name != name {
			continue
		}
		inside, opened := strings.CutPrefix(value, "(")
		inside, closed := strings.CutSuffix(inside, ")")
		list, err := fairshare.Parse(inside)
		if err != nil || !opened || !closed {
			return fmt.Errorf("Multifactor: %s takes numbers by name, not %q; write %s=(normal=0.1,urgent=1)", name, value, name)
		}
		*m.value = map[string]float64{}
		for _, n := range list {
			(*m.value)[n.Name] = n.Shares
		}
		return nil
	}
	if name != "Shares" {
		return fmt.Errorf("Multifactor: %q is not known%s", name, check.OneOf(name, slices.Sorted(slices.Values(names))))
	}
	p.Shares = value
	return nil
}

// separated splits a text at commas outside of parentheses and quotes.
func separated(text string) (parts []string) {
	depth, quoted, from := 0, false, 0
	for i, c := range text {
		switch {
		case c == '"' && (i == 0 || text[i-1] != '\\'):
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			parts = append(parts, text[from:i])
			from = i + 1
		}
	}
	if strings.TrimSpace(text[from:]) != "" {
		parts = append(parts, text[from:])
	}
	return parts
}

// With is the policy with a number by the name of its field, as Age or HalfLife.
func (p Multifactor) With(name string, value float64) (Multifactor, error) {
	var names []string
	for _, n := range p.numbers() {
		if names = append(names, n.name); n.name == name {
			*n.value = value
			return p, nil
		}
	}
	return p, fmt.Errorf("Multifactor: %q is no number of it%s", name, check.OneOf(name, names))
}

// Varied is a policy with a number by the name of its field, see Multifactor.With; ok is false of a policy
// without such numbers.
func Varied(p Policy, name string, value float64) (varied Policy, ok bool, err error) {
	m, ok := p.(Multifactor)
	if !ok {
		return p, false, nil
	}
	m, err = m.With(name, value)
	return m, true, err
}

// Number is a number by the name of its field; NaN if there is no such field.
func (p Multifactor) Number(name string) float64 {
	for _, n := range p.numbers() {
		if n.name == name {
			return *n.value
		}
	}
	return math.NaN()
}
