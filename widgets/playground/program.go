package playground

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Program is a Go program that asks what the page asks.
func (s *Setting) Program() string {
	return fmt.Sprintf("package main\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\n\t\"github.com/mjqueue/mjq/mjq\"\n)\n\nfunc main() {\n\tctx := context.Background()\n%s\tfmt.Println(mjq.Must(m.Solve(ctx)))\n}\n", s.built())
}

// built are the lines that make the model m.
func (s *Setting) built() string {
	if s.given() {
		return s.read()
	}
	total := 0.0
	for _, c := range s.Classes {
		total += c.Share
	}
	var b strings.Builder
	if s.unit() == s.Unit {
		fmt.Fprintf(&b, "\t// Times are in %s.\n", s.times())
	}
	b.WriteString("\tm := " + s.unitsText())
	if s.Load <= 0 {
		fmt.Fprintf(&b, ".Poisson(%v)", s.Rate)
	}
	for _, c := range s.Classes {
		l, err := chosen(Laws, c.Law)
		if err != nil {
			l = &Laws[0]
		}
		shape := c.Shape
		if shape == 0 {
			shape = l.Usual
		}
		// Arguments that a law does not take are left out by their numbers.
		service := strings.Split(fmt.Sprintf(l.text, c.Mean, shape, int(shape)), "%!(EXTRA")[0]
		fmt.Fprintf(&b, ".\n\t\tClass(%q, %d, %.6g, %s)", c.Name, c.Need, c.Share/total, service)
	}
	b.WriteString(s.unservedText())
	if s.Load > 0 {
		of := "AtLoad"
		if s.offered() {
			of = "AtOffered"
		}
		fmt.Fprintf(&b, ".\n\t\t%s(%v)", of, s.Load)
	}
	if p, err := chosen(Policies, s.Policy); err == nil && p.Name != "FCFS" {
		if s.Load > 0 && !s.offered() { // it is that of the limit first come first served
			fmt.Fprintf(&b, "\n\tm = mjq.Must(m.Resolve(ctx)).Policy(%s)", p.text)
		} else {
			fmt.Fprintf(&b, ".\n\t\tPolicy(%s)", p.text)
		}
	}
	return b.String() + "\n"
}

// read are the lines that make the model of its written form, where the page has no names
// for what is in it.
func (s *Setting) read() string {
	m, err := s.Model()
	if err != nil {
		return "\t// The queue on the page has a fault: " + plain(err) + "\n"
	}
	p, err := s.rule()
	if err == nil && p != nil {
		m = m.Policy(p)
	}
	text, err := m.MarshalJSON()
	if err != nil {
		return "\t// The queue on the page cannot be written: " + plain(err) + "\n"
	}
	lines := "\tvar m mjq.Model\n\tmjq.Must(&m, m.UnmarshalJSON([]byte(`" + strings.ReplaceAll(string(text), "`", "'") + "`)))\n"
	if s.Load > 0 && p != nil && !s.offered() {
		lines += "\tm = m.AtRate(mjq.Must(m.Policy(mjq.FCFS()).Resolve(ctx)).Rate())\n"
	}
	return lines
}

// Notebook is a notebook for the kernel "Go (mjq)" that asks the same.
func (s *Setting) Notebook() []byte {
	imports := "import (\n\t\"context\"\n\n\t\"github.com/mjqueue/mjq/mjq\"\n\t\"github.com/mjqueue/mjq/widgets\"\n)\n\nvar ctx = context.Background()\n\nfunc model() mjq.Model {\n" +
		s.built() + "\treturn m\n}"
	cells := []any{
		cell("markdown", "# A queue from the playground"),
		cell("code", imports),
		cell("code", "%%\nwidgets.Show(model())"),
		cell("code", "%%\nwidgets.Show(mjq.Must(model().Solve(ctx)))"),
		cell("code", "%%\nwidgets.Show(widgets.Gantt(mjq.Must(model().Path(ctx, 0, 100))))"),
	}
	book := map[string]any{"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{
		"kernelspec":    map[string]any{"display_name": "Go (mjq)", "language": "go", "name": "mjq"},
		"language_info": map[string]any{"name": "go", "file_extension": ".go"}}}
	text, err := json.MarshalIndent(book, "", " ")
	if err != nil {
		return nil // texts and numbers alone cannot fail
	}
	return append(text, '\n')
}

func cell(kind, source string) map[string]any {
	lines := strings.SplitAfter(source, "\n")
	c := map[string]any{"cell_type": kind, "metadata": map[string]any{}, "source": lines}
	if kind == "code" {
		c["execution_count"], c["outputs"] = nil, []any{}
	}
	return c
}
