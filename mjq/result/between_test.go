package result

import "testing"

// TestBetween asks for differences that were measured, that are none, and that nobody knows.
func TestBetween(t *testing.T) {
	one := &Result{Classes: []ClassResult{{Name: "a"}}}
	measured := Change{Name: "a", Waiting: Exact(2, "")}
	c := &Comparison{Policies: []string{"P", "Q", "log"}, Results: []*Result{one, one, one},
		Differences: []Difference{{Policy: "P", Other: "Q", Classes: []Change{measured}, All: measured}}}
	for _, c := range []*Comparison{c, c.Only("Q", "log", "P")} {
		if d := c.Between("Q", "P"); d.All.Waiting.Value != -2 || d.Classes[0].Waiting.Value != -2 {
			t.Errorf("Q less P is %+v", d)
		}
		if d := c.Between("P", "P"); d.All.Waiting.Value != 0 || d.All.Waiting.HalfWidth != 0 {
			t.Errorf("a policy less itself is %+v", d)
		}
		if d := c.Between("P", "log"); d.All.Waiting.Known() || d.Classes[0].Waiting.Known() {
			t.Errorf("a difference that nobody measured is %+v", d)
		}
	}
}
