package events

import "github.com/mjqueue/mjq/mjq/internal/estimate"

// counts are the histograms of waits, responses and slowdowns by class.
type counts struct {
	wait, response, slow []estimate.Histogram
}

func newCounts(classes int) counts {
	return counts{make([]estimate.Histogram, classes), make([]estimate.Histogram, classes), make([]estimate.Histogram, classes)}
}

// moveTo adds the counts to q and forgets them.
func (c *counts) moveTo(q *counts) {
	for i := range c.wait {
		q.wait[i].Merge(&c.wait[i])
		q.response[i].Merge(&c.response[i])
		q.slow[i].Merge(&c.slow[i])
		c.wait[i].Reset()
		c.response[i].Reset()
		c.slow[i].Reset()
	}
}

// moveToFar adds the counts to what is beside the short ones and forgets them.
func (c *counts) moveToFar(q []shorts) {
	for i := range q {
		q[i].wait.Far.Merge(&c.wait[i])
		q[i].response.Far.Merge(&c.response[i])
		q[i].slow.Far.Merge(&c.slow[i])
		c.wait[i].Reset()
		c.response[i].Reset()
		c.slow[i].Reset()
	}
}

// shorts are histograms of the waits, responses and slowdowns of a class.
type shorts struct{ wait, response, slow estimate.Short }

// newShorts has counted nothing, by class, where times are of the order of the unit.
func newShorts(classes int, unit float64) []shorts {
	all := make([]shorts, classes)
	for c := range all {
		all[c].wait.From(unit, estimate.ShortOctaves/2)
		all[c].response.From(unit, estimate.ShortOctaves/2)
		all[c].slow.From(1, 0)
	}
	return all
}

// moveTo adds the counts to q and forgets them.
func moveTo(all []shorts, q *counts) {
	for c := range all {
		all[c].wait.MoveTo(&q.wait[c])
		all[c].response.MoveTo(&q.response[c])
		all[c].slow.MoveTo(&q.slow[c])
	}
}

// spreads say how much the distributions differ between replications, by class and
// last for all jobs.
type spreads struct{ wait, response, slow []estimate.Spread }

func newSpreads(classes int) spreads {
	return spreads{make([]estimate.Spread, classes+1), make([]estimate.Spread, classes+1), make([]estimate.Spread, classes+1)}
}

// add adds a replication.
func (s spreads) add(c *counts) {
	all := len(c.wait)
	for i := range c.wait {
		for _, to := range [...]int{i, all} {
			s.wait[to].Take(&c.wait[i], 1)
			s.response[to].Take(&c.response[i], 1)
			s.slow[to].Take(&c.slow[i], 1)
		}
		s.wait[i].Close()
		s.response[i].Close()
		s.slow[i].Close()
	}
	s.wait[all].Close()
	s.response[all].Close()
	s.slow[all].Close()
}
