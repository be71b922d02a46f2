package events

import "slices"

// integrals are what a run has accumulated over a stretch of time.
type integrals struct {
	area     Area
	presence []float64 // by class, jobs in the system
	units    []float64 // by type of resource, idle and wasted; nil without types
	nodes    []float64 // see TakeNodes; nil without nodes
	away     []float64 // see TakeAway; nil where no server fails
	full     []float64 // by class, time in which a job would be turned away; nil where that is not looked at
}

func (p *Plan) newIntegrals() integrals {
	x := integrals{presence: make([]float64, p.Classes)}
	if p.Types != nil {
		x.units = make([]float64, 2*len(p.Types.Units))
	}
	if p.Nodes != nil {
		x.nodes = make([]float64, nodeAverages)
	}
	if p.Failing != nil {
		x.away = make([]float64, awayAverages)
	}
	if p.Room != nil && p.limited() {
		x.full = make([]float64, p.Classes)
	}
	return x
}

func (x *integrals) lists() [5]*[]float64 {
	return [...]*[]float64{&x.presence, &x.units, &x.nodes, &x.away, &x.full}
}

func (x integrals) clone() integrals {
	for _, list := range x.lists() {
		*list = slices.Clone(*list)
	}
	return x
}

// add adds the integrals over the time that follows.
func (x *integrals) add(y *integrals) {
	x.area.add(&y.area, 1)
	to := x.lists()
	for k, list := range y.lists() {
		for i, more := range *list {
			(*to[k])[i] += more
		}
	}
}

func (x *integrals) clear() {
	x.area = Area{}
	for _, list := range x.lists() {
		clear(*list)
	}
}

func (x *integrals) time() float64 { return x.area.Time }

// take adds what has been accumulated since the last take so many times, but the presence once, and
// forgets it.
func (s *Simulator) take(to *integrals, times float64) {
	area := s.Take()
	to.area.add(&area, times)
	if to.presence != nil {
		takePresence(s.presence, s.view.Now, to.presence)
	}
	s.TakeUnits(to.units, times)
	s.TakeNodes(to.nodes, times)
	s.TakeAway(to.away, times)
}
