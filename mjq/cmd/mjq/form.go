package main

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
)

// drawing is a figure, or several.
type drawing interface {
	SVG() ([]byte, error)
	Title() string
}

// picture is one that --plot can choose.
type picture[T comparable] struct {
	name string
	draw func(found []T) drawing
}

// together draws all answers in one figure.
func together[T comparable](name string, draw func(found ...T) *figure.Figure) picture[T] {
	return picture[T]{name, func(found []T) drawing { return draw(found...) }}
}

// apiece draws a figure for each answer.
func apiece[T comparable](name string, draw func(x T) *figure.Figure) picture[T] {
	return picture[T]{name, func(found []T) drawing {
		if len(found) == 1 {
			return draw(found[0])
		}
		var figures []*figure.Figure
		for _, x := range found {
			figures = append(figures, draw(x))
		}
		return figure.Grid(2, figures...)
	}}
}

// form is how answers of a type are written. What is nil follows from the answers, which
// write themselves as text and HTML, and are plain data.
type form[T comparable] struct {
	title    string
	table    func(x T) *result.Table   // in place of the text
	rows     func(x T) [][]string      // of CSV, with a header, if not those of the table
	data     func(x T) any             // of JSON
	pictures []picture[T]              // the first unless usual says otherwise
	usual    func(found []T) string    // the name of the picture that shows most
	parts    func(x T) []section       // of a page
	several  func(found []T) []section // at the end of the page of several answers
	missed   func(x T) bool            // its target
	partial  bool                      // an answer may come along with an error
	page     bool                      // in place of text
}

// names are those of the pictures.
func (f *form[T]) names() (names []string) {
	for _, p := range f.pictures {
		names = append(names, p.name)
	}
	return names
}

// picture is that of the name, or the usual one; nil if there is none.
func (f *form[T]) picture(name string, found []T) drawing {
	if name == "" && f.usual != nil {
		name = f.usual(found)
	}
	for _, p := range f.pictures {
		if name == "" || p.name == name {
			return p.draw(found)
		}
	}
	return nil
}

// text is an answer for people.
func (f *form[T]) text(x T) string {
	if f.table != nil {
		return f.table(x).String()
	}
	return strings.TrimSuffix(any(x).(fmt.Stringer).String(), "\n") + "\n"
}

// html is an answer on a page.
func (f *form[T]) html(x T) string {
	if f.table != nil {
		return f.table(x).HTML()
	}
	return any(x).(interface{ HTML() string }).HTML()
}

// plain is an answer as data.
func (f *form[T]) plain(x T) any {
	if f.data != nil {
		return f.data(x)
	}
	return x
}

// lines are those of CSV: the header, and what each answer has, after its number from 1.
func (f *form[T]) lines(found []T) (lines [][]string, err error) {
	for i, x := range found {
		var rows [][]string
		switch tabled, is := any(x).(interface{ Table() *result.Table }); {
		case f.rows != nil:
			rows = f.rows(x)
		case f.table != nil:
			rows, err = rowsOf(f.table(x))
		case is:
			rows, err = rowsOf(tabled.Table())
		}
		if err != nil {
			return nil, err
		}
		for k, row := range rows {
			if first := k == 0; first && i == 0 {
				lines = append(lines, slices.Concat([]string{"answer"}, row))
			} else if !first {
				lines = append(lines, slices.Concat([]string{strconv.Itoa(i + 1)}, row))
			}
		}
	}
	return lines, nil
}

// rowsOf are the rows of a table as it writes them.
func rowsOf(t *result.Table) ([][]string, error) {
	return csv.NewReader(strings.NewReader(t.CSV())).ReadAll()
}

// sections are the parts of a page.
func (f *form[T]) sections(found []T) (all []section) {
	for _, x := range found {
		if f.parts != nil {
			all = append(all, f.parts(x)...)
			continue
		}
		all = append(all, section{heading: f.title, html: f.html(x), picture: f.picture("", []T{x})})
	}
	if f.several != nil && len(found) > 1 {
		all = append(all, f.several(found)...)
	}
	return all
}
