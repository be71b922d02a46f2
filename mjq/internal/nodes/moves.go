package nodes

// placements are the configurations after a job of a kind that fits has started, with their
// probabilities.
func (c *cluster) placements(at int32, k int) []share {
	x, kind := c.configs[at], &c.kinds[k]
	if x.placed[k] != nil {
		return x.placed[k]
	}
	var sum sums
	for j := kind.Lo; j < kind.Hi; j++ {
		start, place := c.plan.Phases[j].Start, c.place[j]
		switch {
		case start == 0:
		case kind.span > 0:
			sum.add(c.change(x, -1, place), start)
		default:
			content, nodes, all := c.targets(x, kind.Need)
			for i, v := range content {
				sum.add(c.exchange(x, v, uint16(c.contents.plus[v][place])), start*float64(nodes[i])/float64(all))
			}
		}
	}
	x.placed[k] = sum.list
	return sum.list
}

// targets are the contents of the nodes among which the placement draws for a job of a need,
// how many nodes hold each, and how many they are.
func (c *cluster) targets(x *config, need int) (content []uint16, nodes []int, all int) {
	found := -1 // units free on the nodes of the choice
	c.runs(x, func(v uint16, n int) {
		free := c.contents.free[v]
		if free < need {
			return
		}
		if found >= 0 && (c.Placement == BestFit && free < found || c.Placement == WorstFit && free > found) {
			content, nodes, all = nil, nil, 0
			found = -1
		}
		if found < 0 || free == found || c.Placement == RandomFit {
			found = free
			content, nodes, all = append(content, v), append(nodes, n), all+n
		}
	})
	return content, nodes, all
}

// services are the ends of services, and the changes of phase, with their rates.
func (c *cluster) services(at int32) ([]event, []share) {
	x := c.configs[at]
	if x.served {
		return x.ends, x.moves
	}
	x.served = true
	for k := range c.kinds {
		kind := &c.kinds[k]
		for j := kind.Lo; j < kind.Hi; j++ {
			place := c.place[j]
			if kind.span > 0 {
				c.leave(x, k, j, float64(x.at[place]), func(to int) int32 { return c.change(x, place, to) })
				continue
			}
			c.runs(x, func(v uint16, nodes int) {
				left := c.contents.minus[v][place]
				c.leave(x, k, j, float64(nodes)*float64(c.contents.counts[v][place]), func(to int) int32 {
					if to < 0 {
						return c.exchange(x, v, uint16(left))
					}
					return c.exchange(x, v, uint16(c.contents.plus[left][to]))
				})
			})
		}
	}
	return x.ends, x.moves
}

// leave enters what jobs of a phase do: end, to which place -1 leads, or change their phase.
func (c *cluster) leave(x *config, k, phase int, jobs float64, next func(place int) int32) {
	if jobs == 0 {
		return
	}
	ph := &c.plan.Phases[phase]
	if ph.Exit > 0 {
		x.ends = append(x.ends, event{k, share{next(-1), jobs * ph.Exit}})
	}
	for _, m := range ph.Moves {
		x.moves = append(x.moves, share{next(c.place[m.To]), jobs * m.Rate})
	}
}

// sums adds up shares by configuration, in the order in which these come first.
type sums struct {
	list []share
	at   map[int32]int
}

func (s *sums) add(to int32, rate float64) {
	if s.at == nil {
		s.at = map[int32]int{}
	}
	i, known := s.at[to]
	if !known {
		i = len(s.list)
		s.at[to] = i
		s.list = append(s.list, share{to, 0})
	}
	s.list[i].rate += rate
}
