package stream

import "github.com/mjqueue/mjq/mjq/law"

// Plain is a source laid open, for a device that has to draw the same jobs.
type Plain struct {
	Key     uint64
	Gap     law.Law // nil unless gaps are independent and of one law
	Unit    float64 // a power of two, of the order of the mean service
	Classes []PlainClass
}

// PlainClass is a class and the cell of the alias table at its index.
type PlainClass struct {
	Need       int32
	Service    law.Law
	Keep       uint64 // below it the cell is Own, else Other
	Own, Other int32
}

// Plain lays the source open.
func (s *Source) Plain() Plain {
	p := Plain{Key: s.key, Gap: s.gap, Unit: s.unit}
	for i, c := range s.services {
		at := s.classes.cells[i]
		p.Classes = append(p.Classes, PlainClass{c.need, c.law, at.keep, at.own, at.other})
	}
	return p
}
