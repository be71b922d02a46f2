package loss

// Prices are what changes of a system are worth, for given worths of a job that is carried.
// Source: Kelly, Routing in circuit-switched networks, Advances in Applied Probability 20
// (1988).
type Prices struct {
	Reward float64 // worth carried in a unit of time
	Server float64 // what one more server adds to it
	// Job is, by class, the derivative of the reward by the rate of arrivals: what one more
	// job is worth, turned away or not.
	Job []float64
	// Displaced is what a job in service displaces, by class: the reward that its servers
	// would bring in a mean service time.
	Displaced []float64
}

// PricesFor are the prices of a system of one type of servers with Poisson arrivals one by
// one. The worths are those of a job by class, the means those of the services.
func PricesFor(servers int, classes []Class, worths, means []float64) *Prices {
	q := alike(servers+1, classes)
	normalise(q)
	below := make([]float64, servers+2) // P(busy ≤ j)
	sum := 0.0
	for j, v := range q {
		sum += v
		below[j] = sum
	}
	at := func(j int) float64 {
		if j < 0 {
			return 0
		}
		return below[j]
	}
	reward := func(s int) (r float64) {
		if s < 0 {
			return 0
		}
		for k, c := range classes {
			r += worths[k] / means[k] * c.Load * at(s-c.Needs[0]) / below[s]
		}
		return r
	}
	p := &Prices{Reward: reward(servers)}
	p.Server = reward(servers+1) - p.Reward
	for k, c := range classes {
		b := c.Needs[0]
		displaced := p.Reward - reward(servers-b)
		carried := at(servers-b) / below[servers]
		p.Displaced = append(p.Displaced, means[k]*displaced)
		p.Job = append(p.Job, carried*(worths[k]-means[k]*displaced))
	}
	return p
}

// Slope is the derivative of the share of class k that is carried by the load of class j,
// for one type of servers and Poisson arrivals one by one.
func (l *Law) Slope(k, j int) float64 {
	below := func(n int) (sum float64) {
		for _, v := range l.Busy[:max(0, n+1)] {
			sum += v
		}
		return sum
	}
	s, bk, bj := l.Units[0], l.Classes[k].Needs[0], l.Classes[j].Needs[0]
	if s < bk {
		return 0
	}
	return below(s-bk) * (below(s-bk-bj)/below(s-bk) - below(s-bj))
}
