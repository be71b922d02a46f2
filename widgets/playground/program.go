package playground

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/mjq"
)

// Program is a Go program that asks what the page asks. If the setting has a fault, it is a
// program that says so.
func (s *Setting) Program() string {
	begin, imports, ask := code("\tctx := context.Background()\n"), code("\t\"context\"\n\t\"fmt\"\n\n\t\"github.com/mjqueue/mjq/mjq\"\n"), code("\tfmt.Println(mjq.Must(m.Solve(ctx)))\n")
	lines, err := s.built()
	if err != nil {
		begin, imports, lines, ask = "", "\t\"fmt\"\n", "", line("\tfmt.Println(%s)\n", fault(err))
	}
	return string("package main\n\nimport (\n" + imports + ")\n\nfunc main() {\n" + begin + lines + ask + "}\n")
}

// fault is what a program or a notebook says of a setting with a fault.
func fault(err error) string { return "The queue on the page has a fault: " + plain(err) }

// built are the lines that make the model m, or what is wrong with the setting.
func (s *Setting) built() (code, error) {
	m, err := s.Model()
	if err != nil {
		return "", err
	}
	rule, err := s.rule()
	if err != nil {
		return "", err
	}
	if s.given() {
		return s.read(m, rule)
	}
	var lines code
	if s.unit() == s.Unit {
		lines = code("\t// Times are in " + s.times() + ".\n") // one of Units
	}
	lines += "\tm := " + s.unitsCode()
	if s.Load <= 0 && !s.sent() {
		lines += line(".Poisson(%s)", s.Rate)
	}
	for i, c := range m.Spec().Classes {
		l, err := chosen(Laws, s.Classes[i].Law)
		if err != nil {
			return "", err
		}
		prob, err := strconv.ParseFloat(fmt.Sprintf("%.6g", c.Prob), 64)
		if err != nil {
			return "", err
		}
		lines += line(".\n\t\tClass(%s, %s, %s, %s)", c.Name, c.Need, prob, l.source(s.Classes[i].Mean, s.Classes[i].shape(l)))
	}
	properties, err := s.properties()
	if err != nil {
		return "", err
	}
	lines += properties.code()
	switch {
	case s.sent():
	case s.Load > 0 && s.offered():
		lines += line(".\n\t\tAtOffered(%s)", s.Load)
	case s.Load > 0:
		lines += line(".\n\t\tAtLoad(%s)", s.Load)
	}
	if p, err := chosen(Policies, s.Policy); err == nil && p.Name != "FCFS" {
		if s.Load > 0 && !s.offered() { // it is that of the limit first come first served
			lines += line("\n\tm = mjq.Must(m.Resolve(ctx)).Policy(%s)", p.code)
		} else {
			lines += line(".\n\t\tPolicy(%s)", p.code)
		}
	}
	return lines + "\n", nil
}

// read are the lines that make the model of its written form, where the page has no names
// for what is in it.
func (s *Setting) read(m mjq.Model, rule mjq.Policy) (code, error) {
	if rule != nil {
		m = m.Policy(rule)
	}
	text, err := m.MarshalJSON()
	if err != nil {
		return "", err
	}
	lines := line("\tvar m mjq.Model\n\tmjq.Must(&m, m.UnmarshalJSON([]byte(%s)))\n", raw(string(text)))
	if s.Load > 0 && rule != nil && !s.offered() {
		lines += "\tm = m.AtRate(mjq.Must(m.Policy(mjq.FCFS()).Resolve(ctx)).Rate())\n"
	}
	return lines, nil
}

// Notebook is a notebook for the kernel "Go (mjq)" that asks the same, or says what is wrong
// with the setting.
func (s *Setting) Notebook() []byte {
	cells := []any{cell("markdown", "# A queue from the playground")}
	if lines, err := s.built(); err != nil {
		cells = append(cells, cell("code", line("%%%%\nfmt.Println(%s)", fault(err))))
	} else {
		cells = append(cells,
			cell("code", "import (\n\t\"context\"\n\n\t\"github.com/mjqueue/mjq/mjq\"\n\t\"github.com/mjqueue/mjq/widgets\"\n)\n\nvar ctx = context.Background()\n\nfunc model() mjq.Model {\n"+
				lines+"\treturn m\n}"),
			cell("code", "%%\nwidgets.Show(model())"),
			cell("code", "%%\nwidgets.Show(mjq.Must(model().Solve(ctx)))"),
			cell("code", "%%\nwidgets.Show(widgets.Gantt(mjq.Must(model().Path(ctx, 0, 100))))"))
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

// cell is a cell of a notebook. What it holds is code or a text of this package.
func cell(kind string, source code) map[string]any {
	lines := strings.SplitAfter(string(source), "\n")
	c := map[string]any{"cell_type": kind, "metadata": map[string]any{}, "source": lines}
	if kind == "code" {
		c["execution_count"], c["outputs"] = nil, []any{}
	}
	return c
}
