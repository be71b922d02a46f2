package interval

import (
	"math"
	"testing"
)

// TestOverloadOfOneClass is Scheller-Wolf's condition: with s servers and work ρ between
// whole numbers it takes s - ⌊ρ⌋ long jobs, and Index is Sure.
func TestOverloadOfOneClass(t *testing.T) {
	for _, c := range []struct {
		servers int
		work    float64
		jobs    int
	}{{1, 0.7, 1}, {2, 0.9, 2}, {2, 1.1, 1}, {20, 3.5, 17}, {20, 19.5, 1}} {
		s := crowding{Servers: c.servers, Needs: []int{1}, Index: []float64{2.5}, Work: c.work}
		o := s.Least(s.Bounds())
		if want := 1.5 * float64(c.jobs); o.Jobs != c.jobs || o.Index != want || o.Sure != want {
			t.Errorf("%+v: %+v, want %d jobs and index %v", c, o, c.jobs, want)
		}
	}
	// Whole numbers of busy servers are critical: the bounds part.
	critical := crowding{Servers: 3, Needs: []int{1}, Index: []float64{2.5}, Work: 1}
	o := critical.Least(critical.Bounds())
	if o.Index != 3 || o.Sure != 4.5 {
		t.Errorf("ρ = 1 of 3: %+v, want 3 to 4.5", o)
	}
}

func TestOverloadOfSeveralClasses(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name        string
		s           crowding
		index, sure float64
		jobs, class int
	}{
		{"a narrow long job stops jobs of all servers",
			crowding{20, []int{1, 20}, []float64{2.5, inf}, 1}, 1.5, 1.5, 1, 0},
		{"six servers more than the widest needs, at a load of two: three or more",
			crowding{20, []int{1, 15}, []float64{2.5, inf}, 2.5}, 1.5 * 4, 1.5 * 6, 4, 0},
		{"a wide one does it alone",
			crowding{20, []int{1, 15}, []float64{2.5, 4}, 2.5}, 3, 3, 1, 1},
		{"one of each is cheaper than two of either",
			crowding{20, []int{5, 3}, []float64{2.9, 2.1}, 8}, 1.9 + 1.1, 1.1 * 5, 2, 0},
		{"light", crowding{4, []int{1, 2}, []float64{inf, inf}, 2.2}, inf, inf, 0, 0},
	} {
		o := c.s.Least(c.s.Bounds())
		if math.Abs(o.Index-c.index) > 1e-12 && o.Index != c.index || math.Abs(o.Sure-c.sure) > 1e-12 && o.Sure != c.sure ||
			o.Jobs != c.jobs || c.jobs > 0 && o.Class != c.class {
			t.Errorf("%s: %+v, want %+v", c.name, o, c)
		}
	}
}

// TestOverloadOfManyServers counts in steps of several servers, which may only lower the
// index, and not by much.
func TestOverloadOfManyServers(t *testing.T) {
	s := crowding{Servers: 1 << 30, Needs: []int{1 << 20, 1 << 19}, Index: []float64{2.5, math.Inf(1)}, Work: 1 << 28}
	o := s.Least(s.Bounds())
	exact := math.Ceil(float64(1<<30-1<<20+1-1<<28)/(1<<20)) * 1.5
	if o.Index > exact || o.Index < 0.85*exact || o.Sure < o.Index {
		t.Errorf("%+v, want at most %v", o, exact)
	}
}
