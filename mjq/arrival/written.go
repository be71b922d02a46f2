package arrival

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/law"
)

// The written forms, with the keys in the order in which they are written.
type (
	renewalForm struct {
		Gap json.RawMessage `json:"gap"`
	}
	poissonForm struct {
		Rate float64 `json:"rate"`
	}
	mapForm struct {
		D0 [][]float64 `json:"D0"`
		D1 [][]float64 `json:"D1"`
	}
	mmppForm struct {
		Rates     []float64   `json:"rates"`
		Generator [][]float64 `json:"generator"`
	}
	markedForm struct {
		D0 [][]float64            `json:"D0"`
		D  map[string][][]float64 `json:"D"`
	}
	batchForm struct {
		D0 [][]float64   `json:"D0"`
		D  [][][]float64 `json:"D"`
	}
	markovForm struct {
		D0     [][]float64 `json:"D0"`
		Events []eventForm `json:"events"`
	}
	eventForm struct {
		Rates [][]float64 `json:"rates"`
		Size  int         `json:"size"`
		Class string      `json:"class"`
	}
	batchesForm struct {
		Of    json.RawMessage `json:"of"`
		Sizes []float64       `json:"sizes"`
	}
	superpositionForm struct {
		Of []json.RawMessage `json:"of"`
	}
	profileForm struct {
		Period float64         `json:"period"`
		Rates  []float64       `json:"rates"`
		Of     json.RawMessage `json:"of,omitempty"`
	}
)

// Marshal writes a process as JSON: the name of its type or constructor and the parameters, as
// {"arrivals":"MAP","D0":[[-2]],"D1":[[2]]}. Numbers have as many digits as they need to be
// read back bit-identical. It fails on a process that is not valid, on a type from outside this
// package, and on laws that have no written form.
func Marshal(p Process) ([]byte, error) {
	if p == nil {
		return nil, errors.New("arrival: there is no process to write; give one, for example Poisson(1)")
	}
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("arrival: writing: %w", err)
	}
	name, form, err := written(p)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(form)
	if err != nil {
		return nil, fmt.Errorf("arrival: writing %s: %w", name, err)
	}
	return slices.Concat(fmt.Appendf(nil, `{"arrivals":%q,`, name), bytes.TrimPrefix(text, []byte("{"))), nil
}

// written is the name and the form of a process.
func written(p Process) (name string, form any, err error) {
	switch p := p.(type) {
	case Renewal:
		gap, err := law.Marshal(p.Gap)
		return "Renewal", renewalForm{gap}, err
	case Markov:
		name, form := p.written()
		return name, form, nil
	case Batches:
		of, err := Marshal(p.Of)
		return "Batches", batchesForm{of, p.Sizes}, err
	case Superposition:
		f := superpositionForm{}
		for _, part := range p {
			of, err := Marshal(part)
			if err != nil {
				return "", nil, err
			}
			f.Of = append(f.Of, of)
		}
		return "Superposition", f, nil
	case Profile:
		f := profileForm{Period: p.Period, Rates: p.Rates}
		if p.Of != nil {
			f.Of, err = Marshal(p.Of)
		}
		return "Profile", f, err
	}
	return "", nil, fmt.Errorf("arrival: %s has no written form; the processes of package arrival have", check.Shorten(p.String()))
}

func (m Markov) written() (name string, form any) {
	switch name := m.form(); name {
	case "MAP":
		return name, mapForm{m.D0, m.Events[0].Rates}
	case "BatchMAP":
		f := batchForm{D0: m.D0}
		for _, e := range m.Events {
			f.D = append(f.D, e.Rates)
		}
		return name, f
	case "MarkedMAP":
		f := markedForm{m.D0, map[string][][]float64{}}
		for _, e := range m.Events {
			f.D[e.Class] = e.Rates
		}
		return name, f
	}
	f := markovForm{D0: m.D0}
	for _, e := range m.Events {
		f.Events = append(f.Events, eventForm(e))
	}
	return "Markov", f
}
