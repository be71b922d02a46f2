package spec

import "slices"

// Pooled is the description with the units of all nodes in one pool, where every job fits that
// needs no more than is free.
func (s *Spec) Pooled() *Spec {
	c := *s
	c.Nodes, c.Placement, c.Classes = nil, nil, slices.Clone(s.Classes)
	for i := range c.Classes {
		c.Classes[i].Nodes, c.Classes[i].Scattered = 0, false
	}
	return &c
}
