package gpu

import (
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/kernels/cuda"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/law"
)

// Takes says why no device runs a system, whatever device it is; nil if one may.
func Takes(sys *sampling.System) error {
	_, err := compile(sys)
	return err
}

// compile lays a queue out for the kernels. They have tolerances and a range of
// cells that suit times of the order of 1; so the device's unit of time is the
// system's own, a power of two, and what comes back is multiplied by it.
func compile(sys *sampling.System) (*cuda.Model, error) {
	p := sys.Input.Plain()
	m := &cuda.Model{Key: p.Key, Servers: int64(sys.Servers), Numbers: law.LogTable()}
	var err error
	if m.Gap, err = inUnits(m, p.Gap, p.Unit); err != nil {
		return nil, err
	}
	for _, c := range p.Classes {
		service, err := inUnits(m, c.Service, p.Unit)
		if err != nil {
			return nil, err
		}
		m.Classes = append(m.Classes, cuda.Class{Need: int64(c.Need), Service: service})
		m.Cells = append(m.Cells, cuda.Cell{Keep: c.Keep, Own: int64(c.Own), Other: int64(c.Other)})
	}
	switch v := sys.Variant.(type) {
	case nil:
		return m, nil
	case *sampling.Typed:
		return m, typed(m, v)
	}
	return nil, errors.New("mjq: the GPU runs the plain queue and the one with types of resources, not one with named servers or random assignment; use .On(mjq.CPU)")
}

// typed lays out the types of resources and what the classes need of them.
func typed(m *cuda.Model, v *sampling.Typed) error {
	if len(v.Units) > cuda.MostTypes {
		return fmt.Errorf("mjq: the GPU takes up to %d types of resources, and this queue has %d; leave out types that never run short, or use .On(mjq.CPU)",
			cuda.MostTypes, len(v.Units))
	}
	m.Printed = v.AsPrinted
	for k, units := range v.Units {
		m.Resources = append(m.Resources, cuda.Resource{Units: int64(units), Slots: groups(v, k)})
	}
	for _, needs := range v.Needs {
		for _, n := range needs {
			m.Needs = append(m.Needs, int64(n))
		}
	}
	return nil
}

// groups is how many groups can hold units of type k. As printed a job takes the
// lowest units, and what is left of the group that had them may be a single one.
func groups(v *sampling.Typed, k int) int64 {
	least := int32(math.MaxInt32)
	for _, needs := range v.Needs {
		if needs[k] > 0 {
			least = min(least, needs[k])
		}
	}
	switch {
	case least == math.MaxInt32:
		return 0
	case v.AsPrinted:
		least = 1
	}
	return int64(v.Units[k]) / int64(least)
}

// inUnits is a law in numbers, its times in the given unit. That the law itself
// has such a form is asked first: one that a user builds around another may
// lose what it adds when it is scaled.
func inUnits(m *cuda.Model, l law.Law, unit float64) (cuda.Law, error) {
	if _, err := plain(new(cuda.Model), l); err != nil {
		return cuda.Law{}, err
	}
	return plain(m, l.Scaled(1/unit))
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
	case law.BoundedPareto:
		return cuda.Law{Kind: cuda.Bounded, A: l.Lo, B: l.Hi, C: math.Pow(l.Lo/l.Hi, l.Shape), D: -1 / l.Shape}, nil
	case law.Lomax:
		return cuda.Law{Kind: cuda.Lomax, A: l.Scale, B: l.Shape}, nil
	case law.Weibull:
		return cuda.Law{Kind: cuda.Weibull, A: l.M / math.Gamma(1+1/l.Shape), B: 1 / l.Shape}, nil
	case law.LogNormal:
		v := math.Log1p(l.CV2)
		return cuda.Law{Kind: cuda.LogNormal, A: math.Log(l.M) - v/2, B: math.Sqrt(v)}, nil
	case law.Deterministic:
		return cuda.Law{Kind: cuda.Constant, A: l.X}, nil
	case law.Uniform:
		return cuda.Law{Kind: cuda.Rectangular, A: l.Lo, B: l.Hi}, nil
	case law.Empirical:
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
