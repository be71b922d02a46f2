package estimate

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

// TestCells: a cell is a 256th of its octave and holds what lies in it, as far as
// numbers reach.
func TestCells(t *testing.T) {
	for _, x := range []float64{1, math.Nextafter(2, 0), 2, 3.7e-9, 0.1, 255, 257, 6.02e18, 0x1p-40, math.Nextafter(0x1p64, 0), 1e-300, 1e300} {
		var h Histogram
		h.Add(x)
		d := h.Distribution()
		if len(d.Cells) != 1 || d.Weights[0] != 1 || d.Total != 1 || d.Zero != 0 {
			t.Fatalf("%v is seen as %+v", x, d)
		}
		lo, hi := d.Quantile(1e-300), d.Quantile(1)
		_, exp := math.Frexp(x)
		octave := math.Ldexp(0.5, exp)
		if !(lo <= x && x < hi) || hi-lo != octave/256 {
			t.Errorf("%v lies in the cell from %v to %v, %v wide; its octave begins at %v", x, lo, hi, hi-lo, octave)
		}
	}
	var h Histogram
	h.Add(0)
	h.Add(-1)
	if d := h.Distribution(); d.Zero != 2 || d.Total != 2 || len(d.Cells) != 0 {
		t.Errorf("what is not positive is seen as %+v", d)
	}
}

// threeCells has two zeros, three ones in the cell from 1 to 1 + 1/256, and five
// in the one from 4 to 4 + 1/64.
func threeCells() result.Distribution {
	var h Histogram
	for _, x := range []float64{0, 1, 4, 4, 1, 0, 4, 4.01, 1.003, 4} {
		h.Add(x)
	}
	return h.Distribution()
}

// TestDistributionByHand: mass is spread evenly inside a cell.
func TestDistributionByHand(t *testing.T) {
	d := threeCells()
	for _, c := range []struct{ x, want float64 }{
		{-1e-9, 0}, {0, 0.2}, {0.5, 0.2}, {1, 0.2}, {1 + 1.0/1024, 0.2 + 0.3/4}, {1 + 1.0/256, 0.5}, {3, 0.5}, {4, 0.5},
		{4 + 1.0/128, 0.75}, {4 + 1.0/64, 1}, {1e9, 1}, {math.NaN(), math.NaN()},
	} {
		if got := d.CDF(c.x); !alike(got, c.want) {
			t.Errorf("CDF(%v) = %v, want %v", c.x, got, c.want)
		}
	}
	for _, c := range []struct{ p, want float64 }{
		{0, 0}, {0.2, 0}, {0.35, 1 + 1.0/512}, {0.5, 1 + 1.0/256}, {0.75, 4 + 1.0/128}, {1, 4 + 1.0/64}, {-0.1, math.NaN()}, {1.1, math.NaN()},
	} {
		if got := d.Quantile(c.p); math.IsNaN(got) != math.IsNaN(c.want) || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("Quantile(%v) = %v, want %v", c.p, got, c.want)
		}
	}
	want := []float64{0, 0.3 / 1.5, 0.25 / (4 + 1.0/128 - 2.5)}
	for i, got := range d.Density([]float64{0, 1, 2.5, 4 + 1.0/128}) {
		if !alike(got, want[i]) {
			t.Errorf("density %v in part %d, want %v", got, i, want[i])
		}
	}
	if got := d.Density([]float64{0.5, 1 + 1.0/256}); !alike(got[0], 0.3/(0.5+1.0/256)) {
		t.Errorf("density %v from 0.5 on", got)
	}
	if len(d.Density(nil)) != 0 || len(d.Density([]float64{1})) != 0 {
		t.Error("there is a density without two edges")
	}
	var none result.Distribution
	if !math.IsNaN(none.CDF(1)) || !math.IsNaN(none.Quantile(0.5)) {
		t.Error("nothing observed has a law")
	}
	// Ten tenths add up to less than 1: what rounding leaves lies at the end.
	tenths := result.Distribution{Total: 1}
	for i := range int32(10) {
		tenths.Cells, tenths.Weights = append(tenths.Cells, d.Cells[0]+i), append(tenths.Weights, 0.1)
	}
	if got := tenths.Quantile(1); got != 1+10.0/256 {
		t.Errorf("the largest of ten is %v", got)
	}
	zeros := result.Distribution{Zero: 3, Total: 3}
	if zeros.Quantile(1) != 0 || zeros.CDF(0) != 1 {
		t.Error("nothing but zeros exceeds 0")
	}
}

// TestMixByHand: by probability, whatever the numbers of observations.
func TestMixByHand(t *testing.T) {
	d := threeCells()
	var h Histogram
	for range 4 {
		h.Add(4)
	}
	m := result.Mix([]result.Distribution{d, h.Distribution(), {}}, []float64{0.5, 0.3, 0.2})
	if !alike(m.Zero, 0.1) || !alike(m.Total, 0.8) || !reflect.DeepEqual(m.Cells, d.Cells) || !alike(m.Weights[0], 0.15) || !alike(m.Weights[1], 0.25+0.3) {
		t.Errorf("the mixture is %+v", m)
	}
}

// TestAddCells: what was counted elsewhere, and Reset.
func TestAddCells(t *testing.T) {
	d := threeCells()
	cells := make([]uint64, d.Cells[1]+1)
	cells[d.Cells[0]], cells[d.Cells[1]] = 3, 5
	var h Histogram
	h.AddCells(2, cells, 0)
	if got := h.Distribution(); !reflect.DeepEqual(got, d) {
		t.Errorf("cells give %+v, observations %+v", got, d)
	}
	var one, again Histogram
	one.Add(3.3)
	seen := one.Distribution()
	again.AddCells(0, append(make([]uint64, seen.Cells[0]), 1), 0)
	if got := again.Distribution(); !reflect.DeepEqual(got, seen) {
		t.Errorf("its cell gives %+v, the observation %+v", got, seen)
	}
	h.AddCells(2, cells, 0)
	if got := h.Distribution(); got.Total != 20 || got.Weights[1] != 10 {
		t.Errorf("twice the cells give %+v", got)
	}
	h.Reset()
	if got := h.Distribution(); got.Total != 0 || len(got.Cells) != 0 {
		t.Errorf("what is forgotten is still %+v", got)
	}
}

// TestOctaves: memory is that of the octaves between the smallest and the largest number,
// of those only where something was seen, and in any order.
func TestOctaves(t *testing.T) {
	var h, merged Histogram
	for _, x := range []float64{8, 1, 1.5, 64, 8} {
		h.Add(x)
	}
	merged.Merge(&h)
	made := 0
	for _, c := range h.list {
		if c != nil {
			made++
		}
	}
	if len(h.list) != 7 || made != 3 || len(merged.list) != 7 {
		t.Errorf("%d octaves from 1 to 64, %d of them in use, %d after merging", len(h.list), made, len(merged.list))
	}
	var cells, signed Histogram
	cells.AddCells(0, make([]uint64, 5*octave), 0)
	if len(cells.list) != 0 {
		t.Errorf("%d octaves of nothing", len(cells.list))
	}
	for _, x := range []float64{0.3, 0.77, 1, 1.9, 3.3, 500} {
		cells.Add(x)
		signed.AddMany(x, 1)
	}
	if !reflect.DeepEqual(cells.Distribution(), signed.Distribution()) {
		t.Errorf("one by one %+v, by times %+v", cells.Distribution(), signed.Distribution())
	}
	var s Spread
	s.Take(&h, 1)
	if h.Reset(); len(s.list) != 7 {
		t.Errorf("a spread has %d octaves from 1 to 64", len(s.list))
	}
	var none Spread
	if none.Take(&h, 1); len(none.list) != 0 {
		t.Errorf("a spread has %d octaves of nothing", len(none.list))
	}
	for _, x := range []float64{8, 1, 64} {
		none.Observe(x, 1)
	}
	if len(none.list) != 7 {
		t.Errorf("a spread has %d octaves from 1 to 64, one by one", len(none.list))
	}
}

// TestCellsMet: a histogram that is read by the strides that it has met gives every count, in
// order, however few there are, after merging and after a reset.
func TestCellsMet(t *testing.T) {
	for _, n := range []int{0, 1, 3, 100, 20_000} {
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		var h, q Histogram
		h.Add(7)
		h.Reset()
		want := map[int32]float64{}
		for i := range n {
			x := rng.ExpFloat64()
			want[int32(int(math.Float64bits(x)>>cellShift)-lowest<<cellBits)]++
			if i%2 == 0 {
				h.Add(x)
			} else {
				q.Add(x)
			}
		}
		h.Merge(&q)
		d := h.Distribution()
		if len(d.Cells) != len(want) || d.Total != float64(n) || !slices.IsSorted(d.Cells) {
			t.Fatalf("%d observations: %d cells with %v, want %d", n, len(d.Cells), d.Total, len(want))
		}
		for i, c := range d.Cells {
			if d.Weights[i] != want[c] {
				t.Errorf("cell %d: %v, want %v", c, d.Weights[i], want[c])
			}
		}
	}
}
