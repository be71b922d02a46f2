package spec

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
)

// Nodes are nodes that are alike. A job holds units on one of them, or on several at once.
type Nodes struct {
	Count int   `json:"count"`           // nodes
	Units int   `json:"units,omitempty"` // on each; of several types of resources, all units
	Types []int `json:"types,omitempty"` // on each, by type of resource; nil without types
}

// MostNodes is how many nodes there may be, each of which takes memory.
const MostNodes = 10_000_000

// OnNodes reports whether units lie on nodes, so that jobs must fit there.
func (s *Spec) OnNodes() bool { return len(s.Nodes) > 0 }

// NodeCount is the number of nodes of all kinds.
func (s *Spec) NodeCount() (n int) {
	for _, k := range s.Nodes {
		n += k.Count
	}
	return n
}

// Span is on how many nodes a job of a class lies, with equal needs on each; 0 if its units may
// lie anywhere. A need that no node has is one of whole nodes.
func (s *Spec) Span(class int) int {
	c := &s.Classes[class]
	switch largest := s.largestNode(); {
	case c.Scattered:
		return 0
	case c.Nodes > 0:
		return c.Nodes
	case c.Units == nil && c.Need > largest && largest > 0:
		return c.Need / largest
	}
	return 1
}

// Each is what a job of a class needs on each of its nodes, by type of resource; one number
// without types.
func (s *Spec) Each(class int) []int {
	c, span := &s.Classes[class], max(1, s.Span(class))
	if c.Units == nil {
		return []int{c.Need / span}
	}
	each := slices.Clone(c.Units)
	for j := range each {
		each[j] /= span
	}
	return each
}

// Of returns what a node of the kind has, by type of resource; one number without types.
func (n *Nodes) Of() []int {
	if n.Types != nil {
		return n.Types
	}
	return []int{n.Units}
}

// largestNode is the most units that a node has.
func (s *Spec) largestNode() (units int) {
	for _, k := range s.Nodes {
		units = max(units, k.Units)
	}
	return units
}

// AddNodes is the description with more nodes, of the next kind in the order of preference;
// units are by name of a type of resource, "" for units that are alike.
func (s *Spec) AddNodes(count int, units map[string]int, names []string) *Spec {
	c := *s
	kind := Nodes{Count: count, Units: units[""]}
	c.Nodes, c.Resources = slices.Clone(s.Nodes), slices.Clone(s.Resources)
	for _, name := range names {
		j := slices.IndexFunc(c.Resources, func(r Type) bool { return r.Name == name })
		if j < 0 {
			j, c.Resources = len(c.Resources), append(c.Resources, Type{Name: name})
		}
		c.Resources[j].Units += count * units[name]
	}
	for _, r := range c.Resources {
		kind.Types = append(kind.Types, units[r.Name])
		kind.Units += units[r.Name]
	}
	c.Nodes = append(c.Nodes, kind)
	for i := range c.Nodes { // kinds without a type that came later
		for len(c.Nodes[i].Types) < len(c.Resources) {
			c.Nodes[i].Types = append(slices.Clip(c.Nodes[i].Types), 0)
		}
	}
	return &c
}

// NodesShort is the nodes in brief, as on the command line: 16x8, 4x4.
func (s *Spec) NodesShort() string {
	var kinds []string
	for _, k := range s.Nodes {
		kinds = append(kinds, fmt.Sprintf("%dx%d", k.Count, k.Units))
	}
	return strings.Join(kinds, ", ")
}

// WithPlacement is the description with another placement.
func (s *Spec) WithPlacement(p placement.Placement) *Spec {
	c := *s
	c.Placement = p
	return &c
}

// WithNodeSize is the description with as many units in all on nodes of another size, which must
// part them evenly.
func (s *Spec) WithNodeSize(units int) (*Spec, error) {
	switch {
	case len(s.Nodes) != 1 || len(s.Resources) > 0:
		return nil, errors.New("the model does not have nodes of one kind with units of one type; begin with Nodes(m, g)")
	case units < 1 || s.Servers%units != 0:
		return nil, fmt.Errorf("%d units in all cannot be parted into nodes of %d; give a size that divides them", s.Servers, units)
	}
	c := *s
	c.Nodes = []Nodes{{Count: s.Servers / units, Units: units}}
	return &c, nil
}

// WithNodes is the description with another number of nodes of the last kind, which Validate may
// refuse.
func (s *Spec) WithNodes(count int) *Spec {
	c := *s
	c.Nodes, c.Resources = slices.Clone(s.Nodes), slices.Clone(s.Resources)
	last := &c.Nodes[len(c.Nodes)-1]
	for j := range c.Resources {
		c.Resources[j].Units += (count - last.Count) * last.Types[j]
	}
	last.Count, c.Servers = count, 0
	return &c
}

// onNodes is the description with what follows from its nodes: servers, and what is used by
// default.
func (s *Spec) onNodes() *Spec {
	if !s.OnNodes() {
		return s
	}
	c := *s
	c.Servers, c.Nodes = 0, slices.Clone(s.Nodes)
	for i := range c.Nodes {
		k := &c.Nodes[i]
		if k.Types != nil {
			k.Units = 0
			for _, n := range k.Types {
				k.Units += n
			}
		}
		if k.Count > 0 && k.Count <= MostNodes && k.Units > 0 && k.Units <= MostServers {
			c.Servers += k.Count * k.Units
		}
	}
	if c.Placement == nil {
		c.Placement = placement.BestFit{}
	}
	if c.Policy == nil {
		c.Policy = policy.FCFS{}
	}
	return &c
}

// nodeFaults says what is wrong with the nodes.
func (s *Spec) nodeFaults(f *check.Faults) {
	if !s.OnNodes() {
		f.That(s.Placement == nil, "placement %v: there are no nodes; begin with Nodes(m, g), or leave it out", s.Placement)
		return
	}
	for i, k := range s.Nodes {
		f.That(k.Count >= 1, "Nodes: kind %d has %d nodes; give at least 1", i+1, k.Count)
		f.That(k.Units >= 1, "Nodes: a node of kind %d has %d units; give at least 1", i+1, k.Units)
		f.That(len(k.Types) == len(s.Resources), "Nodes: kind %d gives units of %s, and there are %s; give units of each, or begin with NodesOf", i+1, Count(len(k.Types), "type"), Count(len(s.Resources), "type"))
		for j, n := range k.Types {
			f.That(n >= 0 && n <= MostServers, "Nodes: a node of kind %d has %d units of type %d; give a whole number from 0 to %d", i+1, n, j+1, MostServers)
		}
	}
	f.That(s.NodeCount() <= MostNodes, "Nodes: %d nodes; at most %d, for each takes memory", s.NodeCount(), MostNodes)
	for j, r := range s.Resources {
		sum := 0
		for _, k := range s.Nodes {
			if j < len(k.Types) {
				sum += k.Count * k.Types[j]
			}
		}
		f.That(sum == r.Units, "Resources: %d %s, and the nodes have %d; give units by NodesOf alone", r.Units, r.Name, sum)
	}
	f.That(!s.RandomAssignment && !slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Pick != nil }), "RandomAssignment or Specific along with Nodes: the placement chooses the units of a job; leave one of them out")
	f.That(!s.AsPrinted, "AsPrinted is a recursion of servers that are not on nodes; leave one of them out")
	if err := panics.Call(func() { s.Placement.Score([]int{1}, []int{1}, []int{1}) }); err != nil && len(s.Resources) == 0 {
		f.Add("placement %v: %w", s.Placement, err)
	}
	f.That(!s.Keeps(), "Keep along with Nodes: it counts units wherever they lie; leave it out")
}

// spanFaults says what is wrong with the nodes that a class lies on.
func (s *Spec) spanFaults(f *check.Faults, at string, i int) {
	c := &s.Classes[i]
	if !s.OnNodes() {
		f.That(c.Nodes == 0 && !c.Scattered, "%s: OnNodes or Scattered, and there are no nodes; begin with Nodes(m, g), or leave it out", at)
		return
	}
	if c.Need < 1 && c.Units == nil || s.largestNode() < 1 {
		return // which is a fault already
	}
	f.That(c.Nodes >= 0, "%s: on %d nodes; give at least 1", at, c.Nodes)
	f.That(c.Nodes == 0 || !c.Scattered, "%s: both OnNodes and Scattered; leave one of them out", at)
	f.That(!c.Scattered || len(s.Resources) == 0, "%s: Scattered is for nodes with units of one type; give OnNodes", at)
	if c.Scattered || c.Nodes < 0 {
		return
	}
	span, g := s.Span(i), s.largestNode()
	if c.Nodes == 0 && c.Units == nil && c.Need > g && c.Need%g != 0 {
		below := c.Need / g * g
		f.Add("%s: need %d is above the %d units of a node and no multiple of them; give %d or %d for whole nodes, OnNodes for units on each of several, or Scattered for units anywhere", at, c.Need, g, below, below+g)
		return
	}
	needs := c.Units
	if needs == nil {
		needs = []int{c.Need}
	}
	if slices.ContainsFunc(needs, func(n int) bool { return n%span != 0 }) {
		f.Add("%s: needs %v cannot be parted evenly among %d nodes; give a multiple", at, needs, span)
		return
	}
	room := 0
	for _, k := range s.Nodes {
		fits := true
		for j, n := range k.Of() {
			fits = fits && j < len(needs) && needs[j]/span <= n
		}
		if fits {
			room += k.Count
		}
	}
	f.That(room >= span, "%s: needs %v on each of %d nodes, and %s can hold that; such a job could never start", at, s.Each(i), span, Count(room, "node"))
}

// NodesText is the nodes in words: "16 nodes of 8 units, BestFit".
func (s *Spec) NodesText() (text string) {
	for i, k := range s.Nodes {
		if i > 0 {
			text += ", "
		}
		text += Count(k.Count, "node") + " of "
		if k.Types == nil {
			text += Count(k.Units, "unit")
			continue
		}
		for j, n := range k.Types {
			if j > 0 {
				text += " and "
			}
			text += fmt.Sprintf("%d %s", n, s.Resources[j].Name)
		}
	}
	return fmt.Sprintf("%s, %v", text, s.Placement)
}
