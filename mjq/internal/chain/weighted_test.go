package chain

import "testing"

func TestWeighted(t *testing.T) {
	var w Weighted[string, int]
	for i := range 9 {
		w.Add(string(rune('a'+i%3)), i%3, float64(i))
	}
	want := []float64{9, 12, 15}
	w.Each(func(s int, weight float64) {
		if weight != want[s] {
			t.Errorf("state %d has the weight %v, want %v", s, weight, want[s])
		}
	})
	if len(w.States) != 3 {
		t.Errorf("%d states of 3", len(w.States))
	}
}
