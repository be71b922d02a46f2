package nodes

import "github.com/mjqueue/mjq/mjq/internal/chain"

// Fits reports whether a job of a kind can start.
func (c *cluster) Fits(at int32, k int) bool { return c.configs[at].fits[k] }

// Jobs is how many jobs are in service.
func (c *cluster) Jobs(at int32) int { return c.configs[at].jobs }

// Free is how many units of the system are free.
func (c *cluster) Free(at int32) int { return c.configs[at].free }

// Serves is how many jobs of a kind are in service.
func (c *cluster) Serves(at int32, k int) (n int) {
	x, kind := c.configs[at], &c.kinds[k]
	for j := kind.Lo; j < kind.Hi && kind.span > 0; j++ {
		n += int(x.at[c.place[j]])
	}
	c.runs(x, func(v uint16, nodes int) {
		for j := kind.Lo; j < kind.Hi && kind.span == 0; j++ {
			n += nodes * int(c.contents.counts[v][c.place[j]])
		}
	})
	return n
}

// Starts are the configurations after a job of a kind that fits has started, with their
// probabilities.
func (c *cluster) Starts(at int32, k int) []share {
	x, kind := c.configs[at], &c.kinds[k]
	if x.placed[k] != nil {
		return x.placed[k]
	}
	var sum chain.Weighted[int32, int32] // equal ones are joined
	add := func(to int32, p float64) { sum.Add(to, to, p) }
	for j := kind.Lo; j < kind.Hi; j++ {
		start, place := c.plan.Phases[j].Start, c.place[j]
		switch {
		case start == 0:
		case kind.span > 0:
			add(c.change(x, -1, place), start)
		default:
			content, nodes, all := c.targets(x, kind)
			for i, v := range content {
				add(c.exchange(x, v, uint16(c.contents.plus[v][place])), start*float64(nodes[i])/float64(all))
			}
		}
	}
	sum.Each(func(to int32, p float64) { x.placed[k] = append(x.placed[k], share{To: to, Rate: p}) })
	return x.placed[k]
}

// targets are the contents of the nodes among which a job is put at random, how many nodes
// hold each, and how many they are.
func (c *cluster) targets(x *config, k *kind) (content []uint16, nodes []int, all int) {
	least := 0.0
	c.runs(x, func(v uint16, n int) {
		if c.contents.free[v] < k.Need {
			return
		}
		score := c.Score(c.spare(v), k.units)
		if all > 0 && score > least {
			return
		}
		if score < least {
			content, nodes, all = nil, nil, 0
		}
		least = score
		content, nodes, all = append(content, v), append(nodes, n), all+n
	})
	return content, nodes, all
}

// spare is the units of the system that are free on a node.
func (c *cluster) spare(content uint16) int {
	return c.Units - (c.units-c.contents.free[content])*c.plan.Unit
}

// Services are what follows the ends of services, and the changes of phase, with their rates.
func (c *cluster) Services(at int32) (ends, moves []share) {
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
				c.leave(x, j, float64(x.at[place]), func(to int) int32 { return c.change(x, place, to) })
				continue
			}
			c.runs(x, func(v uint16, nodes int) {
				left := c.contents.minus[v][place]
				c.leave(x, j, float64(nodes)*float64(c.contents.counts[v][place]), func(to int) int32 {
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
func (c *cluster) leave(x *config, phase int, jobs float64, next func(place int) int32) {
	if jobs == 0 {
		return
	}
	ph := &c.plan.Phases[phase]
	if ph.Exit > 0 {
		x.ends = append(x.ends, share{To: next(-1), Rate: jobs * ph.Exit})
	}
	for _, m := range ph.Moves {
		x.moves = append(x.moves, share{To: next(c.place[m.To]), Rate: jobs * m.Rate})
	}
}
