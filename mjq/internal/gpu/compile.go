package gpu

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/kernels/cuda"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
)

// compile lays the input of a queue out for the kernels.
func compile(servers int, input *stream.Source) (*cuda.Model, error) {
	p := input.Plain()
	m := &cuda.Model{Key: p.Key, Servers: int64(servers), Numbers: law.LogTable()}
	var err error
	if m.Gap, err = plain(m, p.Gap); err != nil {
		return nil, err
	}
	for _, c := range p.Classes {
		service, err := plain(m, c.Service)
		if err != nil {
			return nil, err
		}
		m.Classes = append(m.Classes, cuda.Class{Need: int64(c.Need), Service: service})
		m.Cells = append(m.Cells, cuda.Cell{Keep: c.Keep, Own: int64(c.Own), Other: int64(c.Other)})
	}
	return m, nil
}

// plain is a law in numbers; what its Sample computes from the parameters alone
// is computed here, in the same way.
func plain(m *cuda.Model, l law.Law) (cuda.Law, error) {
	switch l := l.(type) {
	case law.Exponential:
		return cuda.Law{Kind: cuda.Exponential, A: l.M}, nil
	case law.Erlang:
		return cuda.Law{Kind: cuda.Erlang, N: int64(l.K), A: l.M / float64(l.K)}, nil
	case law.HyperExponential:
		return cuda.Law{Kind: cuda.HyperExp, A: l.P, B: l.M1, C: l.M2}, nil
	case law.Coxian2:
		return cuda.Law{Kind: cuda.Cox2, A: l.M1, B: l.M2, C: l.P}, nil
	case law.PH:
		return phases(m, l), nil
	case law.TruncatedPareto:
		return cuda.Law{Kind: cuda.Bounded, A: l.Lo, B: l.Hi, C: math.Pow(l.Lo/l.Hi, l.Shape), D: -1 / l.Shape}, nil
	case law.ParetoII:
		return cuda.Law{Kind: cuda.Lomax, A: l.Range, B: l.Shape}, nil
	case law.Weibull:
		return cuda.Law{Kind: cuda.Weibull, A: l.M / math.Gamma(1+1/l.Shape), B: 1 / l.Shape}, nil
	case law.LogNormal:
		v := math.Log1p(l.CV2)
		return cuda.Law{Kind: cuda.LogNormal, A: math.Log(l.M) - v/2, B: math.Sqrt(v)}, nil
	case law.Constant:
		return cuda.Law{Kind: cuda.Constant, A: l.X}, nil
	case law.Rectangular:
		return cuda.Law{Kind: cuda.Rectangular, A: l.Lo, B: l.Hi}, nil
	case law.Observed:
		at := int64(len(m.Numbers))
		m.Numbers = append(m.Numbers, l.Values...)
		return cuda.Law{Kind: cuda.Observed, N: int64(len(l.Values)), Table: at}, nil
	}
	return cuda.Law{}, fmt.Errorf("mjq: the law %v has no form for a GPU; use .On(mjq.CPU)", l)
}

// phases lays out the start of a phase-type law and the rows of its generator,
// each with a mark that says whether the chain can end there.
func phases(m *cuda.Model, l law.PH) cuda.Law {
	at := int64(len(m.Numbers))
	atom, ends := l.Walk()
	m.Numbers = append(append(m.Numbers, l.Alpha...), mark(atom))
	for i, row := range l.A {
		m.Numbers = append(append(m.Numbers, row...), mark(ends[i]))
	}
	return cuda.Law{Kind: cuda.Phases, N: int64(len(l.Alpha)), Table: at}
}

func mark(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
