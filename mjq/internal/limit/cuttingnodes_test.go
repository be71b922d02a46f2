package limit

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// TestMixturesOnNodesByEnumeration: the capacity of small clusters is that of the linear program over all
// sets of jobs that can be put on the nodes, listed one by one and solved by gonum's simplex.
func TestMixturesOnNodesByEnumeration(t *testing.T) {
	for _, x := range []struct {
		nodes []nodeKind
		kinds []Kind
	}{
		{[]nodeKind{{2, []int{4}}}, []Kind{{Need: []int{1}, Work: 0.6}, {Need: []int{3}, Work: 0.4}}},
		{[]nodeKind{{3, []int{4}}}, []Kind{{Need: []int{3}, Work: 0.5}, {Need: []int{2}, Work: 0.3}, {Need: []int{8}, Work: 0.2, Nodes: 2}}},
		{[]nodeKind{{3, []int{2}}}, []Kind{{Need: []int{4}, Work: 1, Nodes: 2}}},
		{[]nodeKind{{2, []int{4}}, {1, []int{3}}}, []Kind{{Need: []int{1}, Work: 0.2}, {Need: []int{3}, Work: 0.7}, {Need: []int{4}, Work: 0.3, Nodes: 1}}},
		{[]nodeKind{{2, []int{4, 2}}}, []Kind{{Need: []int{1, 1}, Work: 0.4}, {Need: []int{3, 0}, Work: 0.4}, {Need: []int{2, 1}, Work: 0.2}}},
	} {
		got, err := mixtureOnNodes(context.Background(), x.nodes, x.kinds)
		if err != nil {
			t.Fatal(err)
		}
		want := enumerated(t, x.nodes, x.kinds)
		if math.Abs(got.Rate-want) > 1e-9*want || got.Bound-got.Rate > 1e-9*want {
			t.Errorf("%v %v: capacity %.12g to %.12g, want %.12g", x.nodes, x.kinds, got.Rate, got.Bound, want)
		}
	}
}

// enumerated is the capacity by a program with a column for every set of jobs that fits.
func enumerated(t *testing.T, nodes []nodeKind, kinds []Kind) float64 {
	var free [][]int
	first := 0
	for i, n := range nodes {
		for range n.Count {
			free = append(free, append([]int(nil), n.Units...))
		}
		if i == 0 {
			first = n.Count
		}
	}
	seen := map[string][]float64{}
	var walk func(jobs []byte)
	walk = func(jobs []byte) {
		column, all := make([]float64, len(kinds)), 0
		for k, n := range jobs {
			column[k] = float64(n)
			all += int(n)
		}
		if all > 0 {
			seen[string(jobs)] = column
		}
		for k, kind := range kinds {
			jobs[k]++
			if kind.Nodes > 0 {
				var taken []int
				for i := range first {
					if total(free[i]) == total(nodes[0].Units) && len(taken) < kind.Nodes {
						taken = append(taken, i)
					}
				}
				if len(taken) == kind.Nodes {
					for _, i := range taken {
						free[i] = make([]int, len(free[i]))
					}
					walk(jobs)
					for _, i := range taken {
						copy(free[i], nodes[0].Units)
					}
				}
			}
			for i := range free {
				if kind.Nodes == 0 && fitting(free[i], kind) > 0 {
					change(free[i], kind.Need, -1)
					walk(jobs)
					change(free[i], kind.Need, 1)
				}
			}
			jobs[k]--
		}
	}
	walk(make([]byte, len(kinds)))
	a, c, b := mat.NewDense(len(kinds), len(seen)+len(kinds), nil), make([]float64, len(seen)+len(kinds)), make([]float64, len(kinds))
	j := 0
	for _, column := range seen {
		a.SetCol(j, column)
		c[j] = 1
		j++
	}
	for k, kind := range kinds { // more than the work may be done
		a.Set(k, j+k, -1)
		b[k] = kind.Work
	}
	time, _, err := lp.Simplex(c, a, b, 1e-12, nil)
	if err != nil {
		t.Fatal(err)
	}
	return 1 / time
}

func total(units []int) (sum int) {
	for _, n := range units {
		sum += n
	}
	return sum
}

func change(units, need []int, by int) {
	for j, n := range need {
		units[j] += by * n
	}
}
