package chain

import "context"

// aggregate scales the layers so that the flows between them balance, by elimination. Those
// without any mass are left out. Nothing is scaled as long as some have no flow downward.
func (s *Sweeps) aggregate() {
	place, n := s.massive()
	b := newBand(n, func(i int) (from, to int) { return max(0, i-s.down), min(n, i+s.up+1) })
	flow := make([]float64, s.up+s.down+1) // into a layer, from those that are so many above the lowest
	for l, to := range place {
		if to < 0 {
			continue
		}
		lowest := int32(l - s.up)
		clear(flow)
		for e := s.start[s.l.Starts[l]]; e < s.start[s.l.Starts[l+1]]; e++ {
			from := s.from[e]
			flow[s.layer[from]-lowest] += s.p[from] * s.rate[e]
		}
		for k, v := range flow {
			if from := l - s.up + k; v > 0 && from != l && place[from] >= 0 {
				b.add(place[from], to, v)
			}
		}
	}
	if stuck, _ := b.eliminate(context.Background(), 1, nil); stuck >= 0 {
		return
	}
	factor := b.law()
	for l, k := range place {
		if k >= 0 {
			for at := s.l.Starts[l]; at < s.l.Starts[l+1]; at++ {
				s.p[at] *= factor[k]
			}
		}
	}
	s.normalise()
}

// massive numbers the layers that have any mass; -1 stands for one without.
func (s *Sweeps) massive() (place []int, n int) {
	place = make([]int, len(s.l.Starts)-1)
	for l := range place {
		place[l] = -1
		for _, p := range s.p[s.l.Starts[l]:s.l.Starts[l+1]] {
			if p > 0 {
				place[l] = n
				n++
				break
			}
		}
	}
	return place, n
}
