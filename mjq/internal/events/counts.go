package events

import "github.com/mjqueue/mjq/mjq/internal/estimate"

// counts are the histograms of the quantities by class.
type counts [][estimate.Quantities]estimate.Histogram

func newCounts(classes int) counts { return make(counts, classes) }

// moveTo adds the counts to q and forgets them.
func (c counts) moveTo(q counts) {
	for i := range c {
		for k := range c[i] {
			q[i][k].Merge(&c[i][k])
			c[i][k].Reset()
		}
	}
}

// moveToFar adds the counts to what is beside the short ones and forgets them.
func (c counts) moveToFar(to []shorts) {
	for i := range to {
		for k := range c[i] {
			to[i][k].Far.Merge(&c[i][k])
			c[i][k].Reset()
		}
	}
}

// shorts are histograms of the quantities of a class.
type shorts = estimate.Shorts

// newShorts has counted nothing, by class, where times are of the order of the unit.
func newShorts(classes int, unit float64) []shorts {
	all := make([]shorts, classes)
	for c := range all {
		for q := range all[c] {
			all[c][q].From(estimate.Quantity(q).Usual(unit))
		}
	}
	return all
}

// moveTo adds the counts to those given and forgets them.
func moveTo(all []shorts, to counts) {
	for c := range all {
		for k := range all[c] {
			all[c][k].MoveTo(&to[c][k])
		}
	}
}

// spreads say how much the distributions differ between replications, by class and
// last for all jobs.
type spreads [][estimate.Quantities]estimate.Spread

func newSpreads(classes int) spreads { return make(spreads, classes+1) }

// add adds a replication.
func (s spreads) add(c counts) {
	all := &s[len(c)]
	for i := range c {
		for k := range c[i] {
			s[i][k].Take(&c[i][k], 1)
			all[k].Take(&c[i][k], 1)
			s[i][k].Close()
		}
	}
	for k := range all {
		all[k].Close()
	}
}

// tell sets how well the distributions of a class are known.
func (s spreads) tell(t *estimate.Tally, class int) {
	for k := range s[class] {
		t.Of(estimate.Quantity(k)).Precision = s[class][k].Precision()
	}
}
