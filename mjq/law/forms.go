package law

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// The parameters of the written forms, in the order of the arguments of the
// constructors.
type (
	meanForm struct {
		M float64 `json:"mean"`
	}
	rateForm struct {
		Rate float64 `json:"rate"`
	}
	valueForm struct {
		X float64 `json:"value"`
	}
	valuesForm struct {
		Values []float64 `json:"values"`
	}
	erlangForm struct {
		K int     `json:"phases"`
		M float64 `json:"mean"`
	}
	mixtureForm struct {
		P  float64 `json:"p"`
		M1 float64 `json:"mean1"`
		M2 float64 `json:"mean2"`
	}
	seriesForm struct {
		M1 float64 `json:"mean1"`
		M2 float64 `json:"mean2"`
		P  float64 `json:"p"`
	}
	secondForm struct {
		M   float64 `json:"mean"`
		CV2 float64 `json:"scv"`
	}
	paretoForm struct {
		Lo    float64 `json:"lo"`
		Hi    float64 `json:"hi"`
		Shape float64 `json:"shape"`
	}
	powerForm struct {
		Lo    float64 `json:"lo"`
		Hi    float64 `json:"hi"`
		Power float64 `json:"power"`
	}
	boundsForm struct {
		Lo float64 `json:"lo"`
		Hi float64 `json:"hi"`
	}
	scaleForm struct {
		Shape float64 `json:"shape"`
		Scale float64 `json:"scale"`
	}
	shapeForm struct {
		Shape float64 `json:"shape"`
		M     float64 `json:"mean"`
	}
	phasesForm struct {
		Alpha []float64   `json:"alpha"`
		A     [][]float64 `json:"A"`
	}
	weighedForm struct {
		Values []float64 `json:"values"`
		UpTo   []float64 `json:"upTo"`
	}
)

// forms are all forms. The first that knows how to write a law does.
func forms() []form {
	return []form{
		formOf("ExpMean", func(l Exponential) meanForm { return meanForm(l) }, func(p meanForm) Law { return Exponential(p) }),
		formOf[rateForm, Exponential]("ExpRate", nil, func(p rateForm) Law { return ExpRate(p.Rate) }),
		formOf("ErlangMean", func(l Erlang) erlangForm { return erlangForm(l) }, func(p erlangForm) Law { return Erlang(p) }),
		formOf("HyperExp", func(l HyperExponential) mixtureForm { return mixtureForm{l.P, l.M1, l.M2} },
			func(p mixtureForm) Law { return HyperExp(p.P, p.M1, p.M2) }),
		formOf[secondForm, HyperExponential]("HyperExpMeanSCV", nil, func(p secondForm) Law { return HyperExpMeanSCV(p.M, p.CV2) }),
		formOf("Cox2", func(l Coxian2) seriesForm { return seriesForm(l) }, func(p seriesForm) Law { return Coxian2(p) }),
		formOf("PhaseType", func(l PH) phasesForm { return phasesForm(l) }, func(p phasesForm) Law { return PH(p) }),
		formOf("BoundedPareto", func(l BoundedPareto) paretoForm { return paretoForm(l) }, func(p paretoForm) Law { return BoundedPareto(p) }),
		formOf("Lomax", func(l Lomax) scaleForm { return scaleForm(l) }, func(p scaleForm) Law { return Lomax(p) }),
		formOf("Deterministic", func(l Deterministic) valueForm { return valueForm(l) }, func(p valueForm) Law { return Deterministic(p) }),
		formOf("Uniform", func(l Uniform) boundsForm { return boundsForm(l) }, func(p boundsForm) Law { return Uniform(p) }),
		formOf("LogNormalMeanSCV", func(l LogNormal) secondForm { return secondForm(l) }, func(p secondForm) Law { return LogNormal(p) }),
		formOf("WeibullMean", func(l Weibull) shapeForm { return shapeForm(l) }, func(p shapeForm) Law { return Weibull(p) }),
		formOf("Empirical", func(l Empirical) valuesForm { return valuesForm(l) }, func(p valuesForm) Law { return NewEmpirical(p.Values) }),
		formOf("BoundedPower", func(l boundedPower) powerForm { return powerForm(l) }, func(p powerForm) Law { return boundedPower(p) }),
		formOf("Weighed", func(l weighed) weighedForm { return weighedForm{l.values, l.upTo} },
			func(p weighedForm) Law { return weighed{p.Values, p.UpTo} }),
		{name: "Spread", write: writeSpread, read: readSpread},
	}
}

// spreadOf holds the law that another is the spread of.
type spreadOf struct {
	Of json.RawMessage `json:"of"`
}

// writeSpread writes those spreads that hold the law they are of.
func writeSpread(l Law) (any, bool) {
	var of Law
	switch l := l.(type) {
	case lomaxSpread:
		of = l.of
	case weibullSpread:
		of = l.of
	default:
		return nil, false
	}
	text, err := Marshal(of)
	return spreadOf{text}, err == nil
}

// mostSpreads is how many times the spread of a spread is read: each time means
// going over all of the text within, and takes another moment from the law.
const mostSpreads = 8

func readSpread(given map[string]json.RawMessage) (Law, error) {
	p, err := parameters[spreadOf](given)
	if err != nil {
		return nil, err
	}
	if n := bytes.Count(p.Of, []byte(`"Spread"`)); n > mostSpreads {
		return nil, fmt.Errorf("of: %d spreads within each other; give at most %d", n, mostSpreads)
	}
	of, err := Unmarshal(p.Of)
	if err != nil {
		return nil, fmt.Errorf("of: %w", err)
	}
	return Spread(of), nil
}
