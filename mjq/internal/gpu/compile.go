package gpu

import (
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/fastmath"
	"github.com/mjqueue/mjq/kernels/cuda"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
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
	if p.Gap == nil {
		return nil, errors.New("the GPU runs arrivals with independent gaps, not MAPs, batches or profiles; use Device: mjq.CPU")
	}
	m := &cuda.Model{Key: p.Key, Servers: int64(sys.Servers), Numbers: cuda.Logs(fastmath.LogTable())}
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
		m.Cells = append(m.Cells, cuda.Cell{Keep: c.Keep, Own: int32(c.Own), Other: int32(c.Other)})
	}
	switch {
	case sys.Alike():
		return m, nil
	case sys.Types != nil:
		return m, typed(m, sys)
	}
	return nil, errors.New("the GPU runs the plain queue and the one with types of resources, not one with named servers or random assignment; use Device: mjq.CPU")
}

// typed lays out the types of resources and what the classes need of them.
func typed(m *cuda.Model, sys *sampling.System) error {
	v := sys.Types
	if len(v.Units) > cuda.MostTypes {
		return fmt.Errorf("the GPU takes up to %d types of resources, and this queue has %d; leave out types that never run short, or use Device: mjq.CPU",
			cuda.MostTypes, len(v.Units))
	}
	m.Printed = sys.AsPrinted
	for k, units := range v.Units {
		m.Resources = append(m.Resources, cuda.Resource{Units: int32(units), Slots: groups(sys, k), Share: 1 / float64(units)})
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
func groups(sys *sampling.System, k int) int32 {
	v, least := sys.Types, math.MaxInt32
	for _, needs := range v.Needs {
		if needs[k] > 0 {
			least = min(least, needs[k])
		}
	}
	switch {
	case least == math.MaxInt32:
		return 0
	case sys.AsPrinted:
		least = 1
	}
	return int32(v.Units[k] / least)
}
