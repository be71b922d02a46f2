package loss

import "slices"

// Measures are what follows from a law, by class.
type Measures struct {
	Blocked     []float64 // share of the jobs that is turned away
	BlockedTime []float64 // share of the time in which a job would be
	Jobs        []float64 // mean number in service
	Sent        []float64 // jobs that come in a mean service time, those turned away included
}

// Measures finds them. For each class of users it solves a system of one user less: a user
// that sends a job sees the others as if it were not there.
func (l *Law) Measures() (*Measures, error) {
	m := new(Measures)
	for k, c := range l.Classes {
		blocked := l.Blocked(k)
		m.BlockedTime = append(m.BlockedTime, blocked)
		sent := c.Load
		switch {
		case c.Users > 0:
			seen, err := l.without(k)
			if err != nil {
				return nil, err
			}
			blocked = seen.refused(c.Needs)
			// N (1 + load (1-B)) = users × load (1-B), N being the mean in service.
			in := c.Load * (1 - blocked)
			sent = c.Load * float64(c.Users) / (1 + in)
		case c.Batch != nil:
			blocked = l.batchBlocked(k)
			sent *= c.Batch.mean()
		}
		m.Blocked = append(m.Blocked, blocked)
		m.Jobs = append(m.Jobs, sent*(1-blocked))
		m.Sent = append(m.Sent, sent)
	}
	return m, nil
}

// without is the law with a user of a class less.
func (l *Law) without(class int) (*Law, error) {
	s := *l.System
	s.Classes = slices.Clone(s.Classes)
	if s.Classes[class].Users--; s.Classes[class].Users == 0 {
		s.Classes = slices.Delete(s.Classes, class, class+1)
	}
	return s.Solve()
}

// batchBlocked is 1 - E N / (a E[size]), with E N = a Σ_l F(l) P(busy ≤ s - l b).
func (l *Law) batchBlocked(class int) float64 {
	c := l.Classes[class]
	s, b := l.Units[0], c.Needs[0]
	// The sum over l of F(l) P(busy > s - l b) is taken, which does not cancel.
	above := make([]float64, s+2) // above[j] = P(busy ≥ j)
	for j := s; j >= 0; j-- {
		above[j] = above[j+1] + l.Busy[j]
	}
	lost, tail, l0 := 0.0, 1.0, 1
	for ; l0*b <= s && tail > 0; l0++ {
		lost += tail * above[s-l0*b+1]
		tail = c.Batch.after(l0, tail)
	}
	lost += c.Batch.rest(l0, tail) // of jobs that never fit
	return lost / c.Batch.mean()
}

// after is P(size > l), given P(size ≥ l).
func (b *Batch) after(l int, tail float64) float64 {
	if b.Sizes == nil {
		return tail * b.Ratio
	}
	if l >= len(b.Sizes) {
		return 0
	}
	return max(0, tail-b.Sizes[l-1])
}

// rest is the sum of P(size ≥ i) over i from l on.
func (b *Batch) rest(l int, tail float64) (sum float64) {
	if b.Sizes == nil {
		return tail / (1 - b.Ratio)
	}
	for ; l <= len(b.Sizes); l++ {
		sum += tail
		tail = b.after(l, tail)
	}
	return sum
}
