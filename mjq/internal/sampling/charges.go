package sampling

// Charges bound the height of a pile by a sum over its jobs. The sum of all services does,
// but is far too high where hundreds of jobs are served side by side. Call jobs of more
// than a servers wide, and let a wide job be served alone. The others, which come between
// two wide ones, are cut into groups that fit side by side: a group ends where the next job
// does not fit, so that all but the last before a wide job hold more than s - a servers.
// The groups one after the other are higher than the pile (external monotonicity), and a
// group is as high as its longest service, which is at most
//
//	t + Σ (σ - t)⁺
//
// for any t. So a pile is at most t plus, for each job, σ + t if it is wide and else
// (σ - t)⁺ + t α/(s - a + 1). With t = 0 that is the sum of services.
type Charges struct {
	Once float64   // t, which every pile is charged besides
	Free []float64 // by class: the part of a service that is not charged
	Each []float64 // by class: what every job is charged whatever its service
}

// charge is the most by which a job adds to a pile; without charges, its service.
func (c *Charges) charge(class int32, service float64) float64 {
	if c == nil {
		return service
	}
	return max(0, service-c.Free[class]) + c.Each[class]
}

// once is what a pile is charged besides.
func (c *Charges) once() float64 {
	if c == nil {
		return 0
	}
	return c.Once
}

// ChargesBy are those of a given t, with jobs of more than the widest need taken alone.
func (s *System) ChargesBy(t float64, widest int) *Charges {
	c := &Charges{Once: t, Free: make([]float64, len(s.Needs)), Each: make([]float64, len(s.Needs))}
	for k, need := range s.Needs {
		if c.Each[k] = t; int(need) <= widest {
			c.Free[k], c.Each[k] = t, t*float64(need)/float64(s.Servers-widest+1)
		}
	}
	return c
}
