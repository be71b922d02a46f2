package nodes

import (
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// mostContents is how many contents of a node are told apart: they are numbered in 16 bits.
const mostContents = 1<<16 - 1

// contents are the multisets of phases that can share a node; number 0 is the empty node.
type contents struct {
	phases      []int     // of the plan, by place
	counts      [][]uint8 // jobs by content and place
	free        []int     // by content, units of the plan
	plus, minus [][]int32 // by content and place: the content with one job more or less; -1 if there is none
}

// newContents lists what fits into a node of so many units.
func newContents(p *states.Plan, phases []int, units int) (*contents, error) {
	c := &contents{phases: phases}
	number := map[string]int32{}
	add := func(counts []uint8, free int) int32 {
		at, known := number[string(counts)]
		if !known {
			at = int32(len(c.counts))
			number[string(counts)] = at
			c.counts, c.free = append(c.counts, append([]uint8(nil), counts...)), append(c.free, free)
			none := make([]int32, 2*len(phases))
			for i := range none {
				none[i] = -1
			}
			c.plus, c.minus = append(c.plus, none[:len(phases)]), append(c.minus, none[len(phases):])
		}
		return at
	}
	add(make([]uint8, len(phases)), units)
	for i := 0; i < len(c.counts); i++ {
		counts := append([]uint8(nil), c.counts[i]...)
		for j, phase := range phases {
			rest := c.free[i] - p.Needs[phase]
			if rest < 0 {
				continue
			}
			if counts[j] == 255 {
				return nil, fmt.Errorf("nodes: a node would hold more than 255 jobs of a class; use fewer units to a node")
			}
			counts[j]++
			to := add(counts, rest)
			counts[j]--
			c.plus[i][j], c.minus[to][j] = to, int32(i)
		}
		if len(c.counts) > mostContents {
			return nil, tooMany("contents of a node", mostContents)
		}
	}
	return c, nil
}
