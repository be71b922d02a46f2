package states

import (
	"errors"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/chain"
)

func exponential(servers int, needs []int, probs []float64) System {
	s := System{Servers: servers}
	for i, need := range needs {
		s.Classes = append(s.Classes, Class{Need: need, Prob: probs[i], Alpha: []float64{1}, A: [][]float64{{-float64(i + 1)}}})
	}
	return s
}

// TestIndex numbers the multisets of 20 servers: all that hold a number of
// servers are visited once, in the order of their ranks, and counted without
// looking as many as there are by brute force.
func TestIndex(t *testing.T) {
	x, err := NewIndex(exponential(20, []int{10, 1, 5}, []float64{0.2, 0.5, 0.3}).Compile())
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Needs; got[0] != 1 || got[1] != 5 || got[2] != 10 {
		t.Fatalf("needs %v are not ascending", got)
	}
	for used := 0; used <= 20; used++ {
		brute := 0
		for a := 0; a <= used/10; a++ {
			brute += (used-10*a)/5 + 1 // the rest is of need 1
		}
		place := 0
		x.Each(used, func(counts []int32) bool {
			held := 0
			for j, n := range counts {
				held += int(n) * x.Needs[j]
			}
			if held != used || int(x.Rank(counts, used)) != place {
				t.Errorf("%v holds %d of %d servers at place %v, met at %d", counts, held, used, x.Rank(counts, used), place)
			}
			place++
			return true
		})
		if place != brute || x.Count(used) != brute {
			t.Errorf("%d servers: %d visited, %d counted, %d by brute force", used, place, x.Count(used), brute)
		}
	}
}

// TestCompile: servers are counted in the divisor of the needs, classes that the
// servers cannot tell apart count once, phases that are never reached are left
// out, and every class knows its kind.
func TestCompile(t *testing.T) {
	s := exponential(9, []int{4, 2, 4, 2}, []float64{0.1, 0.2, 0.3, 0})
	s.Classes[2].A = s.Classes[0].A
	s.Classes[1] = Class{Need: 2, Prob: 0.6, Alpha: []float64{1, 0, 0}, A: [][]float64{{-2, 1, 0}, {0, -3, 0}, {0, 0, -5}}}
	p := s.Compile()
	if p.Unit != 2 || p.Servers != 4 || len(p.Kinds) != 2 || len(p.Phases) != 3 {
		t.Fatalf("%d units of %d servers, %d kinds, %d phases", p.Servers, p.Unit, len(p.Kinds), len(p.Phases))
	}
	if of := p.Of; of[0] != 1 || of[1] != 0 || of[2] != 1 || of[3] != -1 {
		t.Errorf("classes are of kinds %v", of)
	}
	if k := p.Kinds[1]; k.Prob != 0.4 || k.Need != 2 {
		t.Errorf("merged kind %+v", k)
	}
	if first := p.Phases[0]; first.Exit != 1 || first.Rate != 2 || first.Moves[0] != (Move{1, 1}) {
		t.Errorf("first phase %+v", first)
	}
	if q := p.Above(1); q != 0.4 {
		t.Errorf("a job needs more than one unit with probability %v", q)
	}
}

func TestTooLarge(t *testing.T) {
	_, err := NewIndex(exponential(1<<25, []int{1, 3}, []float64{0.5, 0.5}).Compile())
	var large *chain.TooLarge
	if !errors.As(err, &large) || !strings.Contains(err.Error(), "mjq.Pile{}") {
		t.Errorf("error %v", err)
	}
}
