package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/mjq/result"
)

// drawing is a figure, or several.
type drawing interface {
	SVG() ([]byte, error)
	Title() string
}

// section is a part of a page: what writes itself as HTML, or a picture.
type section struct {
	heading string
	html    string
	picture drawing
}

// answer is what a command has found, in every form in which it can be written.
type answer struct {
	text     string
	data     any // for JSON
	csv      func() string
	picture  func() drawing // nil if there is none
	title    string
	sections func() []section
}

// output says in which form and where an answer is written.
type output struct {
	streams
	json, csv, svg, html bool
	file                 string
}

// add defines the flags.
func (o *output) add(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVar(&o.json, "json", false, "write JSON: null is unknown, Infinity a string")
	flags.BoolVar(&o.csv, "csv", false, "write comma-separated values with full precision")
	flags.BoolVar(&o.svg, "svg", false, "write a picture")
	flags.BoolVar(&o.html, "html", false, "write a page that stands alone, with pictures")
	c.MarkFlagsMutuallyExclusive("json", "csv", "svg", "html")
	flags.StringVarP(&o.file, "output", "o", "", "write to this file instead of standard output")
}

// write writes an answer. A file is written as a whole or not at all.
func (o *output) write(a answer) error {
	data, err := o.form(a)
	if err != nil {
		return err
	}
	if o.file != "" {
		if err := writeFile(o.file, data); err != nil {
			return fmt.Errorf("writing the answer: %w", err)
		}
		return nil
	}
	_, err = o.out.Write(data)
	return err
}

// numbers is a list of numbers in indented JSON, each in a line of its own.
var numbers = regexp.MustCompile(`\[\n[^\[\]{}"]*\]`)

var blank = regexp.MustCompile(`\s+`)

// form is an answer in the form asked for.
func (o *output) form(a answer) ([]byte, error) {
	switch {
	case o.json:
		data, err := json.MarshalIndent(a.data, "", "  ")
		data = numbers.ReplaceAllFunc(data, func(list []byte) []byte { return blank.ReplaceAll(list, []byte(" ")) })
		return append(data, '\n'), err
	case o.csv:
		return []byte(a.csv()), nil
	case o.svg:
		if a.picture == nil {
			return nil, input(errors.New("--svg: there is no picture of this; choose --html, --csv or --json"))
		}
		return a.picture().SVG()
	case o.html:
		return page(a.title, a.sections())
	}
	return []byte(a.text), nil
}

// interruption is the note of an answer that an interrupt has cut short.
const interruption = "Interrupted: these numbers are of what was done by then."

// outcome is the failure that goes with results that were written: an interrupt, or a
// target that was not reached.
func outcome(err error, targeted bool, results ...*result.Result) error {
	if err != nil {
		return failure{interrupted, errors.New("interrupted; what was done by then is written")}
	}
	for _, r := range results {
		if targeted && r.Stable && !r.Run.Met {
			return failure{notMet, errors.New("the interval is wider than --rel-err or --half-width asks for; the notes say why")}
		}
	}
	return nil
}
