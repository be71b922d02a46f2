package spec

import "math"

// Rate is the arrival rate λ in jobs per unit of time; NaN without arrivals, and at a
// load, whose rate is not known before the stability limit.
func (s *Spec) Rate() float64 {
	if s.Arrivals == nil || s.Load != nil {
		return math.NaN()
	}
	return s.Arrivals.Rate()
}

// Work is E[α σ], the mean server-time that a job brings.
func (s *Spec) Work() (sum float64) {
	for i := range s.Classes {
		c := &s.Classes[i]
		sum += c.Prob * float64(c.Need) * c.Service.Mean()
	}
	return sum
}

// leastWork is the mean server-time of a job of the class on the number of servers that it uses best.
func (c *Class) leastWork() float64 {
	work := float64(c.Need) * c.Service.Mean()
	if e := c.Elastic; e != nil {
		for k := e.Least; k <= e.Largest(c.Need); k++ {
			work = min(work, float64(k)*c.Service.Mean()*e.Speed.On(c.Need)/e.Speed.On(k))
		}
	}
	return work
}

// TypeWork is E[α_j σ] of type j of the resources, the mean unit-time a job brings.
func (s *Spec) TypeWork(j int) (sum float64) {
	for i := range s.Classes {
		c := &s.Classes[i]
		sum += c.Prob * float64(c.Units[j]) * c.Service.Mean()
	}
	return sum
}

// MeanService is E[σ].
func (s *Spec) MeanService() float64 {
	return s.mean(func(c *Class) float64 { return c.Service.Mean() })
}

// SecondMoment is E[σ²].
func (s *Spec) SecondMoment() float64 {
	return s.mean(func(c *Class) float64 {
		mean := c.Service.Mean()
		return c.Service.Variance() + mean*mean
	})
}

// MeanNeed is E[α].
func (s *Spec) MeanNeed() float64 {
	return s.mean(func(c *Class) float64 { return float64(c.Need) })
}

// mean is the mean over the class of a job.
func (s *Spec) mean(of func(*Class) float64) (sum float64) {
	for i := range s.Classes {
		sum += s.Classes[i].Prob * of(&s.Classes[i])
	}
	return sum
}

// IdealRate returns the arrival rate beyond which servers would be too few even if no job ever
// blocked another. It is s / E[α σ] of identical servers, and the least of s_j / E[α_j σ] over
// typed resources. For named servers it is the least of 1 / E[σ; names the server]. The
// stability limit is at most this.
func (s *Spec) IdealRate() float64 {
	if len(s.Resources) > 0 {
		rate := math.Inf(1)
		for j, r := range s.Resources {
			rate = min(rate, float64(r.Units)/s.TypeWork(j))
		}
		return rate
	}
	rate := float64(s.Servers) / s.mean(func(c *Class) float64 { return c.leastWork() })
	if !s.Identities() {
		return rate
	}
	busy := map[int]float64{} // E[σ; the class names the server]
	for i := range s.Classes {
		c := &s.Classes[i]
		for _, server := range s.PickOf(i).Named {
			busy[server] += c.Prob * c.Service.Mean()
			rate = min(rate, 1/busy[server])
		}
	}
	return rate
}

// SurestRate is an arrival rate that can be served whatever the laws: were all jobs
// as wide as the widest, so many of them would fit side by side, without ever
// blocking one another.
func (s *Spec) SurestRate() float64 {
	fit, alone := math.MaxInt, s.Identities()
	for i := range s.Classes {
		c := &s.Classes[i]
		switch {
		case alone:
			fit = 1
		case len(s.Resources) == 0:
			fit = min(fit, s.Servers/c.Need)
		default:
			for j, r := range s.Resources {
				if c.Units[j] > 0 {
					fit = min(fit, r.Units/c.Units[j])
				}
			}
		}
	}
	return float64(fit) / s.MeanService()
}

// OfferedLoad is λ E[α σ] / s, the fraction of the servers that is busy if the system
// is stable. A value below 1 is not enough for stability. Like Rate it is NaN at a
// load.
func (s *Spec) OfferedLoad() float64 { return s.Rate() / s.IdealRate() }
