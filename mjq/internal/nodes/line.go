package nodes

// endless is the number of waiting jobs of which there are always enough.
const endless = 1 << 30

// settle is where the cluster ends when jobs start from the head of a queue of so many jobs
// until one does not fit, the class of each drawn as it comes to the head. How many have
// started follows from the jobs in service.
func (c *cluster) settle(at int32, waiting int) []share {
	if waiting == 0 {
		return []share{{at, 1}}
	}
	key := [2]int32{at, int32(waiting)}
	if known, ok := c.settled[key]; ok {
		return known
	}
	var sum shares
	if q := c.configs[at].refused; q > 0 {
		sum.add(at, q)
	}
	for k, fits := range c.configs[at].fits {
		if fits {
			c.start(at, k, waiting, c.kinds[k].Prob, sum.add)
		}
	}
	c.settled[key] = sum.list()
	return c.settled[key]
}

// start puts the job at the head of a queue of so many, of a known kind that fits, into
// service, and then those behind it.
func (c *cluster) start(at int32, k, waiting int, rate float64, to func(int32, float64)) {
	if waiting < endless {
		waiting--
	}
	for _, p := range c.placements(at, k) {
		for _, q := range c.settle(p.to, waiting) {
			to(q.to, rate*p.rate*q.rate)
		}
	}
}

// follow calls to with what comes after the end of a service that leads from one
// configuration to another, while so many jobs wait.
func (c *cluster) follow(from, after int32, waiting int, rate float64, to func(int32, float64)) {
	if waiting == 0 {
		to(after, rate)
		return
	}
	x, y := c.configs[from], c.configs[after]
	stays := 0.0
	for k := range c.kinds {
		p := c.kinds[k].Prob / x.refused
		switch {
		case x.fits[k]:
		case y.fits[k]:
			c.start(after, k, waiting, rate*p, to)
		default:
			stays += p
		}
	}
	if stays > 0 {
		to(after, rate*stays)
	}
}
