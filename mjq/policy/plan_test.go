package policy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// flatPlan is a plan as its definition stands: a list of steps that is looked through.
type flatPlan []step

func (p *flatPlan) reserve(need int, from, length float64) {
	to := max(from+length, math.Nextafter(from, forever))
	p.cut(from)
	p.cut(to)
	for i := range *p {
		if s := &(*p)[i]; s.from >= from && s.from < to {
			s.free -= need
		}
	}
}

func (p *flatPlan) cut(at float64) {
	i := 0
	for i+1 < len(*p) && (*p)[i+1].from <= at {
		i++
	}
	if (*p)[i].from != at {
		*p = slices.Insert(*p, i+1, step{at, (*p)[i].free})
	}
}

func (p *flatPlan) place(need int, length, earliest float64) float64 {
	for i := -1; i < len(*p); i++ {
		at := earliest
		if i >= 0 {
			at = (*p)[i].from
		}
		if at >= earliest && p.free(at, at+length) >= need {
			return at
		}
	}
	return math.NaN()
}

// free is the least that is free from a time on, up to another.
func (p *flatPlan) free(from, to float64) int {
	least := math.MaxInt
	for i, s := range *p {
		if ends := i+1 < len(*p) && (*p)[i+1].from <= from; !ends && (s.from <= from || s.from < to) {
			least = min(least, s.free)
		}
	}
	return least
}

func (p *flatPlan) forward(now float64) {
	for len(*p) > 1 && (*p)[1].from <= now {
		*p = (*p)[1:]
	}
	(*p)[0].from = now
}

func (p *flatPlan) until(need int) float64 {
	for _, s := range *p {
		if s.free < need {
			return s.from
		}
	}
	return forever
}

// The plan in stretches against that of one list, on whatever is asked of it.
func TestPlanAgainstOneList(t *testing.T) {
	const servers = 40
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 7))
		var running ends
		free, flat := servers, flatPlan{}
		for i := range r.IntN(300) {
			if need := 1 + r.IntN(3); need <= free {
				running.insert(int32(i), int64(i), need, float64(r.IntN(40)))
				free -= need
			}
		}
		var needs []int
		for n := 1; n <= servers; n++ {
			if seed%2 == 0 || n == 1 || r.IntN(3) == 0 {
				needs = append(needs, n)
			}
		}
		p := newPlan(needs)
		now := 5.
		for range 2 { // a plan that is used again
			p.reset(now, free, &running)
			flat = append(flat[:0], step{now, free})
			running.each(func(at float64, servers int) {
				if last := &flat[len(flat)-1]; at <= last.from {
					last.free += servers
				} else {
					flat = append(flat, step{at, last.free + servers})
				}
			})
			for op := range 700 {
				need, length, earliest := 1+r.IntN(servers), float64(r.IntN(12))*r.Float64(), now+float64(r.IntN(3))*r.Float64()*50
				got, want := p.place(need, length, earliest), flat.place(need, length, earliest)
				if got != want {
					t.Fatalf("seed %d, operation %d: %d servers for %v from %v on at %v, want %v", seed, op, need, length, earliest, got, want)
				}
				if op%3 > 0 {
					p.reserve(need, got, length)
					flat.reserve(need, got, length)
				}
				if op%50 == 0 {
					now += r.Float64() * 30
					p.forward(now)
					flat.forward(now)
				}
				if got, want := p.until(need), flat.until(need); got != want {
					t.Fatalf("seed %d, operation %d: %d servers until %v, want %v", seed, op, need, got, want)
				}
			}
			now++
		}
	}
}
