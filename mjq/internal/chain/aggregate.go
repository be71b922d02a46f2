package chain

import "context"

// aggregate scales the layers so that the flows between them balance, by elimination. Those
// without any mass are left out. Nothing is scaled as long as some have no flow downward.
func (s *Sweeps) aggregate() {
	mass := make([]float64, len(s.l.Starts)-1)
	for at, p := range s.p {
		mass[s.layer[at]] += p
	}
	place, n := make([]int, len(mass)), 0 // among those with mass
	for l, m := range mass {
		if place[l] = -1; m > 0 {
			place[l] = n
			n++
		}
	}
	b := newBand(n, func(i int) (from, to int) { return max(0, i-s.down), min(n, i+s.up+1) })
	for at, l := range s.layer {
		for e := s.start[at]; e < s.start[at+1]; e++ {
			from := s.from[e]
			if k := s.layer[from]; k != l && place[k] >= 0 && place[l] >= 0 {
				b.add(place[k], place[l], s.p[from]*s.rate[e])
			}
		}
	}
	if stuck, _ := b.eliminate(context.Background(), 1, nil); stuck >= 0 {
		return
	}
	factor := b.law()
	for at, l := range s.layer {
		if k := place[l]; k >= 0 {
			s.p[at] *= factor[k]
		}
	}
	s.normalise()
}
