package sampling

import (
	"slices"
	"testing"
)

// TestEveryIndexOnce asks for all quantities of every row and expects each index once,
// with the quantity that stands there.
func TestEveryIndexOnce(t *testing.T) {
	for _, size := range [][2]int{{1, 0}, {1, 1}, {3, 0}, {4, 2}} {
		classes, kinds := size[0], size[1]
		for name, row := range map[string]struct {
			layout         *Layout
			class, all     []Quantity
			kind, classKin []Quantity
			length         int
		}{
			"path":     {PathRow(classes, kinds), []Quantity{Jobs, Waiting, Squared}, []Quantity{Waiting, Squared, Waste}, []Quantity{Waste}, nil, 3*classes + 3 + kinds},
			"sample":   {SampleRow(classes, kinds), []Quantity{Waiting, Squared}, []Quantity{Waiting, Squared, Waste}, []Quantity{Waste}, nil, 2*classes + 3 + kinds},
			"state":    {StateRow(classes, kinds), []Quantity{Waiting, Waste, Response}, []Quantity{Workload}, nil, []Quantity{Waste}, 1 + (3+kinds)*classes},
			"recorded": {RecordedRow(classes, kinds), []Quantity{Jobs, Waiting, Squared, NoWait, NoResponse}, nil, []Quantity{Waste}, nil, 5*classes + kinds},
			"growth":   {GrowthRow(classes), []Quantity{Jobs, Brought}, nil, nil, nil, 2 * classes},
		} {
			l, seen := row.layout, []int(nil)
			note := func(q Quantity, at int) {
				if seen = append(seen, at); l.What(at) != q {
					t.Errorf("%s: quantity %d stands at %d, which holds %d", name, q, at, l.What(at))
				}
			}
			for c := range classes {
				for _, q := range row.class {
					note(q, l.Class(q, c))
				}
				for _, q := range row.classKin {
					for k := range kinds {
						note(q, l.ClassKind(q, c, k))
					}
				}
			}
			for _, q := range row.all {
				note(q, l.All(q))
			}
			for _, q := range row.kind {
				for k := range kinds {
					note(q, l.Kind(q, k))
				}
			}
			slices.Sort(seen)
			if len(seen) != row.length || l.Len() != row.length || seen[0] != 0 || seen[len(seen)-1] != row.length-1 || len(slices.Compact(seen)) != row.length {
				t.Errorf("%s of %d classes and %d types: indices %v of %d, want %d", name, classes, kinds, seen, l.Len(), row.length)
			}
		}
	}
}

// TestNeighbours: what package estimate takes as neighbours are.
func TestNeighbours(t *testing.T) {
	for c := range 3 {
		if l := PathRow(3, 1); l.Class(Waiting, c) != l.Class(Jobs, c)+1 || l.Class(Squared, c) != l.Class(Waiting, c)+1 {
			t.Errorf("class %d of a path: jobs, waiting and its square are no neighbours", c)
		}
	}
	for name, l := range map[string]*Layout{"path": PathRow(3, 1), "sample": SampleRow(3, 1)} {
		if l.All(Squared) != l.All(Waiting)+1 || l.Class(Squared, 2) != l.Class(Waiting, 2)+1 {
			t.Errorf("%s: the waiting time and its square are no neighbours", name)
		}
	}
}

func TestWhatIsNotThere(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a row has the index of a quantity that it does not have")
		}
	}()
	GrowthRow(2).Class(Waiting, 0)
}
