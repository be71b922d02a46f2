package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

// group is what one replication has seen: observations and their weights.
type group struct{ x, w []float64 }

// groupsOf are groups of different sizes that differ in scale; some are far above or
// below all before, one is empty.
func groupsOf(rng *rand.Rand) (gs []group) {
	for i := range 40 {
		var g group
		scale := math.Exp(rng.NormFloat64())
		switch i {
		case 20:
			scale = 1e4
		case 25:
			scale = 1e-5
		case 30:
			gs = append(gs, g)
			continue
		}
		for range 1 + rng.IntN(60) {
			x := scale * rng.ExpFloat64()
			if rng.Float64() < 0.2 {
				x = 0
			}
			g.x, g.w = append(g.x, x), append(g.w, 0.5+float64(rng.IntN(2)))
		}
		gs = append(gs, g)
	}
	return gs
}

// TestSpread holds what it tells against the groups themselves, at every edge.
func TestSpread(t *testing.T) {
	gs := groupsOf(rand.New(rand.NewPCG(1, 8)))
	var s Spread
	for _, g := range gs {
		var half, more Histogram // of weights 1/2 and 3/2
		for i, x := range g.x {
			switch {
			case i%3 == 0:
				s.Observe(x, g.w[i])
			case g.w[i] < 1:
				half.Add(x)
			default:
				more.Add(x)
			}
		}
		s.Take(&half, 0.5)
		s.Take(&more, 1.5)
		s.Close()
	}
	if s.groups != len(gs)-1 {
		t.Fatalf("%d groups of %d, one of them empty", s.groups, len(gs))
	}
	edges, far := 0, 0
	check := func(got below, edge float64) {
		var want below
		for _, g := range gs {
			c, n := 0.0, 0.0
			for i, x := range g.x {
				n += g.w[i]
				if x <= 0 || x < edge {
					c += g.w[i]
				}
			}
			want.add(c, n)
		}
		if !near9(got.c, want.c) || !near9(got.cc, want.cc) || !near9(got.cn, want.cn) {
			t.Errorf("at %v: %+v, by hand %+v", edge, got, want)
		}
		if edges++; got.c > 0 && got.c < s.n {
			far++
		}
	}
	check(s.zero, 0)
	for k, o := range s.list {
		if o == nil {
			continue
		}
		for i := range o.at {
			_, edge := edgesOf(s.first+k-lowest, i)
			check(o.upTo(i), edge)
		}
	}
	if edges < 2000 || far < 1500 {
		t.Errorf("%d edges, %d of them in the range", edges, far)
	}
}

// edgesOf are the ends of a cell of an octave.
func edgesOf(k, i int) (lo, hi float64) {
	d := result.Distribution{Total: 1, Cells: []int32{int32(k<<cellBits + i)}, Weights: []float64{1}}
	return d.Quantile(1e-300), d.Quantile(1)
}

// TestPrecision: n groups of one observation, or of several that are equal, are worth
// n independent ones less 1, at every probability; groups of m independent ones are
// worth all of them, within five standard errors of a variance from n groups.
func TestPrecision(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 8))
	const n = 400
	var one, same, many Spread
	for range n {
		x := rng.ExpFloat64()
		one.Observe(x, 3)
		one.Close()
		for range 7 {
			same.Observe(x, 1)
		}
		same.Close()
		for range 25 {
			many.Observe(rng.ExpFloat64(), 1)
		}
		many.Close()
	}
	for name, s := range map[string]*Spread{"one": &one, "same": &same} {
		p := s.Precision()
		if p.Groups != n || len(p.Effective) != 37 {
			t.Fatalf("%s: %+v", name, p)
		}
		for k, got := range p.Effective {
			if math.Abs(got-(n-1)) > 1e-6*n {
				t.Errorf("%s: worth %v at %v", name, got, result.PrecisionAt(k))
			}
		}
	}
	p := many.Precision()
	for _, prob := range []float64{0.1, 0.5, 0.9} {
		if got := p.At(prob); math.Abs(got/(25*n)-1) > 5*math.Sqrt(2./n) {
			t.Errorf("%d groups of 25 are worth %v at %v", n, got, prob)
		}
	}
	// Between the points the logarithm is linear in the log-odds, beyond them constant.
	q := result.Precision{Groups: 2, Effective: make([]float64, 37)}
	for k := range q.Effective {
		q.Effective[k] = math.Exp(float64(k))
	}
	odds := func(u float64) float64 { return 1 / (1 + math.Exp(-u)) }
	for _, c := range []struct{ u, want float64 }{{-9, 1}, {-8.5, math.E}, {-8.75, math.Exp(0.5)}, {0, math.Exp(18)}, {0.125, math.Exp(18.25)}, {9, math.Exp(36)}, {12, math.Exp(36)}, {-12, 1}} {
		if got := q.At(odds(c.u)); math.Abs(got/c.want-1) > 1e-8 {
			t.Errorf("at log-odds %v: %v, want %v", c.u, got, c.want)
		}
	}
	if q.At(0) != 1 || q.At(1) != math.Exp(36) || result.PrecisionAt(18) != 0.5 {
		t.Errorf("ends %v, %v; middle %v", q.At(0), q.At(1), result.PrecisionAt(18))
	}
	var j result.Precision
	j.Join(&q)
	j.Join(&result.Precision{})
	j.Join(&q)
	if j.Groups != 4 || !near9(j.Effective[3], 2*math.Exp(3)) || !near9(q.Effective[3], math.Exp(3)) {
		t.Errorf("joined: %d groups, %v", j.Groups, j.Effective[3])
	}
	var none Spread
	none.Observe(1, 1)
	none.Close()
	if p := none.Precision(); p.Groups != 0 || p.Effective != nil {
		t.Errorf("one group: %+v", p)
	}
}
