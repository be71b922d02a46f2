package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	sweeps "github.com/mjqueue/mjq/mjq/beam"
	"github.com/mjqueue/mjq/mjq/trace/foreign"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/law"
)

// numbers is a flag of numbers with commas between.
type numbers[T int | float64] struct{ to *[]T }

// String is the numbers as JSON writes them.
func (n numbers[T]) String() string {
	if n.to == nil || *n.to == nil {
		return ""
	}
	return strings.Trim(fmt.Sprint(*n.to), "[]")
}

// Set replaces the numbers.
func (n numbers[T]) Set(text string) error {
	*n.to = nil
	if err := json.Unmarshal([]byte("["+text+"]"), n.to); err != nil {
		return fmt.Errorf("%q is not a list of numbers with commas between: %w", text, err)
	}
	return nil
}

// shapes is a flag of named laws.
type shapes struct{ to *[]sweeps.Shape }

// String is empty: there is no default.
func (s shapes) String() string { return "" }

// Set adds a shape written as name=law.
func (s shapes) Set(text string) error {
	name, form, found := strings.Cut(text, "=")
	if !found {
		return fmt.Errorf("%q has no name; write name=law", text)
	}
	l, err := law.Unmarshal([]byte(form))
	if err == nil {
		*s.to = append(*s.to, sweeps.Shape{Name: name, Law: l})
	}
	return err
}

// readModel reads a model from a file by the ending of its name.
func readModel(name string) (mjq.Model, error) {
	if name == "" {
		return mjq.Model{}, errors.New("no model given; add -model file.json or -model file.toml")
	}
	if !strings.HasSuffix(name, ".toml") {
		text, err := os.ReadFile(name)
		if err != nil {
			return mjq.Model{}, err
		}
		var m mjq.Model
		if err := json.Unmarshal(text, &m); err != nil {
			return mjq.Model{}, fmt.Errorf("%s: %w", name, err)
		}
		return m, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return mjq.Model{}, err
	}
	defer file.Close()
	x, err := foreign.ReadTOML(name, file)
	if err != nil {
		return mjq.Model{}, err
	}
	runs := x.FirstCome()
	if len(runs) != 1 {
		return mjq.Model{}, fmt.Errorf("%s has %d first-come first-served runs; give a file with one", name, len(runs))
	}
	m := runs[0].Model()
	return m, m.Err()
}
