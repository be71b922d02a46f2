// Package fairshare has the arithmetic of Slurm's multifactor priorities: trees of shares, the factors
// of Fair Tree and of classic fair share, decayed usage, and the sum of the factors. It knows neither
// jobs nor policies.
//
// The formulas are those of Slurm's src/plugins/priority/multifactor, priority_multifactor.c and
// fair_tree.c; the code is our own.
package fairshare

import (
	"fmt"
	"strconv"
	"strings"
)

// Node is an account or a user of a tree of shares.
type Node struct {
	Name     string
	Shares   float64
	Account  bool
	Children []Node // of an account
}

// Parse reads a tree in one line, such as
//
//	physics=3(ann=1,bob=1) biology=1(cy=2,dee=1)
//
// An account has its users and accounts in parentheses. Commas and spaces separate; a name without a
// number has one share. A name with one of the marks =(),"; or a space stands in double quotes.
func Parse(text string) ([]Node, error) {
	p := parser{rest: text}
	list, err := p.list(0)
	if err == nil && p.rest != "" {
		err = fmt.Errorf("%q closes no account", p.rest)
	}
	if err != nil {
		return nil, fmt.Errorf("shares %q: %w; write physics=3(ann=1,bob=1) biology=1(cy=2)", text, err)
	}
	return list, nil
}

// parser reads a tree from the front of a text.
type parser struct{ rest string }

// deepest is how many accounts may stand in each other.
const deepest = 100

func (p *parser) list(depth int) (list []Node, err error) {
	if depth > deepest {
		return nil, fmt.Errorf("more than %d accounts stand in each other", deepest)
	}
	for {
		p.rest = strings.TrimLeft(p.rest, " \t,")
		if p.rest == "" || p.rest[0] == ')' {
			return list, nil
		}
		n, err := p.node(depth)
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
}

func (p *parser) node(depth int) (n Node, err error) {
	if n.Name, err = p.name(); err != nil {
		return n, err
	}
	n.Shares = 1
	if strings.HasPrefix(p.rest, "=") {
		number := p.rest[1:]
		if end := strings.IndexAny(number, " \t,()"); end >= 0 {
			number = number[:end]
		}
		if n.Shares, err = strconv.ParseFloat(number, 64); err != nil {
			return n, fmt.Errorf("%q of %s is no number of shares", number, n.Name)
		}
		p.rest = p.rest[1+len(number):]
	}
	if !strings.HasPrefix(p.rest, "(") {
		return n, nil
	}
	n.Account = true
	p.rest = p.rest[1:]
	if n.Children, err = p.list(depth + 1); err != nil {
		return n, err
	}
	if !strings.HasPrefix(p.rest, ")") {
		return n, fmt.Errorf("the parenthesis of account %s is not closed", n.Name)
	}
	p.rest = p.rest[1:]
	return n, nil
}

// marks are what ends a name that does not stand in quotes.
const marks = " \t,()=;\""

func (p *parser) name() (name string, err error) {
	if strings.HasPrefix(p.rest, `"`) {
		quoted, err := strconv.QuotedPrefix(p.rest)
		if err != nil {
			return "", fmt.Errorf("the quotes of %s are not closed", p.rest)
		}
		p.rest = p.rest[len(quoted):]
		return strconv.Unquote(quoted)
	}
	end := strings.IndexAny(p.rest, marks)
	if end < 0 {
		end = len(p.rest)
	}
	if end == 0 {
		return "", fmt.Errorf("a name is missing before %q", p.rest)
	}
	name, p.rest = p.rest[:end], p.rest[end:]
	return name, nil
}

// Format writes a tree as Parse reads it.
func Format(list []Node) string {
	var b strings.Builder
	format(&b, list, " ")
	return b.String()
}

func format(b *strings.Builder, list []Node, between string) {
	for i, n := range list {
		if i > 0 {
			b.WriteString(between)
		}
		if n.Name == "" || strings.ContainsAny(n.Name, marks) {
			b.WriteString(strconv.Quote(n.Name))
		} else {
			b.WriteString(n.Name)
		}
		fmt.Fprintf(b, "=%s", strconv.FormatFloat(n.Shares, 'g', -1, 64))
		if n.Account {
			b.WriteString("(")
			format(b, n.Children, ",")
			b.WriteString(")")
		}
	}
}
