package playground

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/mjq"
)

// placements are those of the page.
var placements = []mjq.Placement{mjq.BestFit(), mjq.WorstFit(), mjq.RandomFit(), mjq.LowestFit()}

// Placements are their names.
func Placements() (names []string) {
	for _, p := range placements {
		names = append(names, p.String())
	}
	return names
}

// units are the servers of the model: one pool, or nodes.
func (s *Setting) units() (mjq.Model, error) {
	size := s.NodeSize
	if size == 0 {
		return mjq.Servers(s.Servers), nil
	}
	if size < 1 || s.Servers%size != 0 {
		above := (s.Servers/max(1, size) + 1) * size
		return mjq.Model{}, fmt.Errorf("%d servers cannot be parted into nodes of %d; give %d servers, or another size", s.Servers, size, above)
	}
	at := slices.Index(Placements(), s.Placement)
	if at < 0 && s.Placement != "" {
		return mjq.Model{}, fmt.Errorf("placement %q is not known; choose one of %s", s.Placement, strings.Join(Placements(), ", "))
	}
	return mjq.Nodes(s.Servers/size, size).Placement(placements[max(0, at)]), nil
}

// takeNodes takes over the nodes of a model.
func (s *Setting) takeNodes(m mjq.Model) error {
	given := m.Spec()
	if !given.OnNodes() {
		return nil
	}
	if len(given.Nodes) > 1 {
		return errors.New("playground: a page has nodes of one size")
	}
	if given.Load != nil {
		return errors.New("playground: on nodes a page takes offered loads, the model one of its limit; show what Resolve gives")
	}
	for _, c := range given.Classes {
		if c.Nodes > 0 || c.Scattered {
			return fmt.Errorf("playground: class %s: a page has neither OnNodes nor Scattered", c.Name)
		}
	}
	s.NodeSize, s.Placement = given.Nodes[0].Units, given.Placement.String()
	if !slices.Contains(Placements(), s.Placement) {
		return fmt.Errorf("playground: a page has the placements %s, and not %s", strings.Join(Placements(), ", "), s.Placement)
	}
	return nil
}

// offered reports whether a load is that of the servers: the limit is not known, or there is none.
func (s *Setting) offered() bool { return s.NodeSize > 0 || s.turns() || s.beyond() }

// count is a number of servers in words, or of the nodes that have them.
func (s *Setting) count(servers int) string {
	switch {
	case s.NodeSize == 0:
		return fmt.Sprintf("%d servers", servers)
	case servers == s.NodeSize:
		return fmt.Sprintf("1 node of %d servers", servers)
	}
	return fmt.Sprintf("%d nodes of %d servers", servers/s.NodeSize, s.NodeSize)
}

// unitsCode is how a Go program makes the servers. Only a placement of the page becomes code.
func (s *Setting) unitsCode() code {
	if s.NodeSize == 0 {
		return line("mjq.Servers(%s)", s.Servers)
	}
	nodes := line("mjq.Nodes(%s, %s)", s.Servers/s.NodeSize, s.NodeSize)
	if at := slices.Index(Placements(), s.Placement); at > 0 {
		nodes += line(".Placement(mjq.%s())", code(placements[at].String()))
	}
	return nodes
}
