package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

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

// answer is what a command has found, in every form in which it can be written. A form
// that is empty or nil is one that the answer does not have.
type answer struct {
	text     string
	data     any // for JSON
	csv      func() string
	picture  func() drawing
	title    string // of the page
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

// form is an answer in the form asked for, or what to ask for instead.
func (o *output) form(a answer) ([]byte, error) {
	switch {
	case o.json && a.data != nil:
		data, err := json.MarshalIndent(a.data, "", "  ")
		data = numbers.ReplaceAllFunc(data, func(list []byte) []byte { return blank.ReplaceAll(list, []byte(" ")) })
		return append(data, '\n'), err
	case o.json:
		return nil, a.lacks("--json: there is no JSON")
	case o.csv && a.csv != nil:
		return []byte(a.csv()), nil
	case o.csv:
		return nil, a.lacks("--csv: there are no comma-separated values")
	case o.svg && a.picture != nil:
		return a.picture().SVG()
	case o.svg:
		return nil, a.lacks("--svg: there is no picture")
	case o.html && a.sections != nil:
		return page(a.title, a.sections())
	case o.html:
		return nil, a.lacks("--html: there is no page")
	case a.text == "":
		return nil, a.lacks("there is no table")
	}
	return []byte(a.text), nil
}

// lacks says that the answer does not have a form, and which ones it has.
func (a answer) lacks(what string) error {
	var has []string
	for flag, is := range map[string]bool{"--html": a.sections != nil, "--csv": a.csv != nil, "--json": a.data != nil, "--svg": a.picture != nil} {
		if is {
			has = append(has, flag)
		}
	}
	slices.Sort(has)
	switch n := len(has); n {
	case 0:
		return input(errors.New(what + " of this; leave it out"))
	case 1:
		return input(errors.New(what + " of this; choose " + has[0]))
	default:
		return input(errors.New(what + " of this; choose " + strings.Join(has[:n-1], ", ") + " or " + has[n-1]))
	}
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
