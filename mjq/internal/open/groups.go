package open

import (
	"cmp"
	"slices"
)

// mostGroups bounds the groups of states; the time that they take is proportional to it.
const mostGroups = 8

// slow puts nodes into groups by how many jobs are in the slowest phases, as many of
// these as there is room for, and returns the number of groups.
func (s *space) slow() (group []int, groups int) {
	order := make([]int, len(s.Phases))
	for p := range order {
		order[p] = p
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.Phases[a].Rate, s.Phases[b].Rate) })
	group, groups = make([]int, len(s.jobs)), 1
	for _, p := range order {
		type part struct {
			group int
			jobs  int32
		}
		seen, finer := map[part]int{}, make([]int, len(s.jobs))
		for node, g := range group {
			k := part{g, s.of(node)[p]}
			if _, ok := seen[k]; !ok {
				seen[k] = len(seen)
			}
			finer[node] = seen[k]
		}
		if len(seen) <= mostGroups {
			group, groups = finer, len(seen)
		}
	}
	return group, groups
}

// Group puts the states of level n into groups.
func (s *steps) Group(n int) []int { return s.group[n] }

// Groups is how many there are.
func (s *steps) Groups() int { return s.groups }
