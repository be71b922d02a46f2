package events

import (
	"cmp"
	"slices"
)

// hitWork is what a pair of systems compares of a job on servers that fail.
type hitWork struct {
	hits    int32
	detects bool
	evicted bool
	kept    float64 // work left as its run began
	seats   uint64  // its servers
}

// hitWork fills it in.
func (f *failing) hitWork(s *Simulator, w *work, id int32) {
	j, r := &s.system.all[id], &f.runs[id]
	w.hit = hitWork{r.hits, r.detects, r.evicted, j.left, 0}
	w.ran, w.need = r.held, j.Need
	if r.detects {
		w.left = f.detects.heap[f.detects.place[id]].at - s.view.Now
	}
	if s.nodes == nil && (j.running || r.detects) {
		for _, p := range r.seats {
			w.hit.seats += scrambled(uint64(p.word)*golden+1) * p.mask
		}
	}
}

// sameHits reports whether failures have left a job in the same state in both: that it was hit matters,
// for its recovery, and how often where its service is drawn anew.
func (p *pair) sameHits(a, b *work, near func(x, y float64) bool) bool {
	x, y := &a.hit, &b.hit
	return (x.hits > 0) == (y.hits > 0) && x.detects == y.detects && x.evicted == y.evicted && x.seats == y.seats &&
		near(x.kept, y.kept) && near(a.service, b.service)
}

// follows begins anew from here, with all servers up and the failures to come of another system: failures of an
// exponential kind do not remember when they began.
func (f *failing) follows(s *Simulator, of *failing) {
	copy(f.clocks.streams, of.clocks.streams)
	f.upTime = 0
	s.soon = f.next(s)
}

// sameServers reports whether the servers of two systems are in the same state.
func (f *failing) sameServers(g *failing, s, t *Simulator, near func(x, y float64) bool) bool {
	if f.isUp != g.isUp || f.held != g.held || f.open != g.open || f.crews != g.crews || f.broken.Len() != g.broken.Len() ||
		len(f.repairs.heap) != len(g.repairs.heap) || !slices.Equal(f.seats.up, g.seats.up) || !slices.Equal(f.seats.free, g.seats.free) {
		return false
	}
	if s.nodes != nil && !slices.Equal(s.nodes.down, t.nodes.down) {
		return false
	}
	for i := range f.broken.Len() {
		if a, b := f.broken.At(i), g.broken.At(i); a.server != b.server || !near(a.repair, b.repair) {
			return false
		}
	}
	inOrder := func(list []departure) []departure {
		list = slices.Clone(list)
		slices.SortFunc(list, func(a, b departure) int { return cmp.Compare(a.id, b.id) })
		return list
	}
	return slices.EqualFunc(inOrder(f.repairs.heap), inOrder(g.repairs.heap), func(a, b departure) bool {
		return a.id == b.id && near(a.at-s.view.Now, b.at-t.view.Now)
	})
}
