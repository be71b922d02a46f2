package nodes

import (
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/chain"
)

// tooMany is the error for a system with more of something than is listed.
func tooMany(what string, most float64) error {
	return chain.Large(most, 0, "the nodes have more than %.3g %s", most, what).Out("use mjq.Simulation{}, which takes any number")
}

// Size is how large the chains of a system are, by counting.
type Size struct {
	Contents int     // what a node can hold
	Configs  float64 // multisets of contents over the nodes: the most that can be met
	Jobs     int     // the most in service
}

// Size counts the configurations of a system. With c contents, n nodes have
// (n+c-1 choose c-1) multisets of them.
func (s *System) Size() (Size, error) {
	c, err := s.compile()
	if err != nil {
		return Size{}, err
	}
	z := Size{Contents: len(c.contents.counts)}
	var spans []int // of jobs on whole nodes
	least := math.Inf(1)
	for _, k := range c.kinds {
		least = min(least, float64(k.units))
		if k.span > 0 {
			spans = append(spans, slices.Repeat([]int{k.span}, k.Hi-k.Lo)...)
		}
	}
	for n, w := range chain.Ways(s.Nodes, spans...) {
		z.Configs += w * multisets(s.Nodes-n, z.Contents)
	}
	z.Jobs = s.Nodes * int(float64(s.Units)/least)
	if least > float64(s.Units) {
		z.Jobs = int(float64(s.Nodes*s.Units) / least)
	}
	return z, nil
}

// multisets is how many multisets of so many elements of c kinds there are.
func multisets(n, c int) float64 {
	a, _ := math.Lgamma(float64(n + c))
	b, _ := math.Lgamma(float64(n + 1))
	d, _ := math.Lgamma(float64(c))
	return math.Round(math.Exp(a - b - d))
}
