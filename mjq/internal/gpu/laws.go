package gpu

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/kernels/cuda"
	"github.com/mjqueue/mjq/mjq/law"
)

// inUnits is a law in numbers, its times in the given unit. That the law itself
// has such a form is asked first: one that a user builds around another may
// lose what it adds when it is scaled.
func inUnits(m *cuda.Model, l law.Law, unit float64) (cuda.Law, error) {
	if _, err := plain(new(cuda.Model), l); err != nil {
		return cuda.Law{}, err
	}
	return plain(m, l.Scaled(1/unit))
}

// plain is a law in numbers; lists go to the model's.
func plain(m *cuda.Model, l law.Law) (cuda.Law, error) {
	f, _ := law.FormOf(l)
	numbers, ok := kernels[f.Name]
	if !ok {
		return cuda.Law{}, fmt.Errorf("the law %v has no form for a GPU; use Device: mjq.CPU", l)
	}
	return numbers(m, f), nil
}

// kernels are the laws that the kernels draw, by the names of their forms. What
// Sample computes from the parameters alone is computed here, in the same way.
var kernels = map[string]func(m *cuda.Model, f law.Form) cuda.Law{
	"ExpMean": func(_ *cuda.Model, f law.Form) cuda.Law {
		return cuda.Law{Kind: cuda.Exponential, A: f.Float("mean")}
	},
	"ErlangMeanPhases": func(_ *cuda.Model, f law.Form) cuda.Law {
		return cuda.Law{Kind: cuda.Erlang, N: int32(f.Int("phases")), A: f.Float("mean") / f.Float("phases")}
	},
	"HyperExpMeans": func(_ *cuda.Model, f law.Form) cuda.Law {
		return cuda.Law{Kind: cuda.HyperExp, A: f.Float("p"), B: f.Float("mean1"), C: f.Float("mean2")}
	},
	"Cox2": func(_ *cuda.Model, f law.Form) cuda.Law {
		return cuda.Law{Kind: cuda.Cox2, A: f.Float("mean1"), B: f.Float("mean2"), C: f.Float("p")}
	},
	"PhaseType": phases,
	"BoundedPareto": func(_ *cuda.Model, f law.Form) cuda.Law {
		lo, hi, shape := f.Float("lo"), f.Float("hi"), f.Float("shape")
		return cuda.Law{Kind: cuda.Bounded, A: lo, B: hi, C: math.Pow(lo/hi, shape), D: -1 / shape}
	},
	"LomaxScaleShape": func(_ *cuda.Model, f law.Form) cuda.Law {
		return cuda.Law{Kind: cuda.Lomax, A: f.Float("scale"), B: 1 / f.Float("shape")}
	},
	"WeibullMeanShape": func(_ *cuda.Model, f law.Form) cuda.Law {
		shape := f.Float("shape")
		return cuda.Law{Kind: cuda.Weibull, A: f.Float("mean") / math.Gamma(1+1/shape), B: 1 / shape}
	},
	"LogNormalMeanSCV": func(_ *cuda.Model, f law.Form) cuda.Law {
		v := math.Log1p(f.Float("scv"))
		return cuda.Law{Kind: cuda.LogNormal, A: math.Log(f.Float("mean")) - v/2, B: math.Sqrt(v)}
	},
	"Deterministic": func(_ *cuda.Model, f law.Form) cuda.Law {
		return cuda.Law{Kind: cuda.Constant, A: f.Float("value")}
	},
	"Uniform": func(_ *cuda.Model, f law.Form) cuda.Law {
		return cuda.Law{Kind: cuda.Rectangular, A: f.Float("lo"), B: f.Float("hi")}
	},
	"Empirical": func(m *cuda.Model, f law.Form) cuda.Law {
		values, at := f.Floats("values"), int64(len(m.Numbers))
		m.Numbers = append(m.Numbers, values...)
		return cuda.Law{Kind: cuda.Observed, N: int32(len(values)), Table: at}
	},
}

// phases lays out the start of a phase-type law and the rows of its generator,
// each with a mark that reports whether the chain can end there, and the mean of the phase.
func phases(m *cuda.Model, f law.Form) cuda.Law {
	l := law.PH{Alpha: f.Floats("alpha"), A: f.Matrix("A")}
	at := int64(len(m.Numbers))
	atom, ends := l.Walk()
	m.Numbers = append(append(m.Numbers, l.Alpha...), mark(atom))
	for i, row := range l.A {
		m.Numbers = append(append(m.Numbers, row...), mark(ends[i]), -1/row[i])
	}
	return cuda.Law{Kind: cuda.Phases, N: int32(len(l.Alpha)), Table: at}
}

func mark(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
