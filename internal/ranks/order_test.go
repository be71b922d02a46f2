package ranks

import (
	"math/rand/v2"
	"slices"
	"testing"
)

type member struct {
	id    int32
	group int
}

// TestOrder compares counts with those of a plain list.
func TestOrder(t *testing.T) {
	const groups = 3
	weights := []int{1, 4, 9}
	rng := rand.New(rand.NewPCG(1, 2))
	o, list, next := New(groups), []member(nil), int32(0)
	for range 4000 {
		if rng.IntN(100) < 48+8*(rng.IntN(2)) || len(list) == 0 {
			m := member{next % 500, rng.IntN(groups)}
			if slices.ContainsFunc(list, func(x member) bool { return x.id == m.id }) {
				continue
			}
			next++
			o.Push(m.id, m.group)
			list = append(list, m)
		} else {
			i := rng.IntN(len(list))
			o.Remove(list[i].id, list[i].group)
			list = slices.Delete(list, i, i+1)
		}
		if len(list) == 0 {
			continue
		}
		i := rng.IntN(len(list))
		for g := range groups {
			want := 0
			for _, m := range list[:i+1] {
				if m.group == g {
					want++
				}
			}
			if got := o.UpTo(o.Place(list[i].id), g); got != want {
				t.Fatalf("%d members of group %d up to a place, want %d", got, g, want)
			}
		}
		// The last place for a weight is before that of the member that is too much.
		most, sum := rng.IntN(300), 0
		at := o.Last(weights[:2], most)
		for _, m := range list {
			if m.group < 2 {
				sum += weights[m.group]
			}
			if within := o.Place(m.id) <= at; within != (sum <= most) {
				t.Fatalf("up to %d members weigh %d, at most %d are asked for", o.Place(m.id), sum, most)
			}
		}
	}
	if o.Last(weights, -1) != -1 {
		t.Error("the empty line weighs less than nothing")
	}
}
