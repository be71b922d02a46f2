package saturated

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// TestProductForms compares both theorems with the chain on random systems.
func TestProductForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for trial := range 80 {
		s := randomSystem(rng, true)
		if trial%2 == 0 {
			s.Classes = s.Classes[:2]
			s.Classes[0].Prob /= s.Classes[0].Prob + s.Classes[1].Prob
			s.Classes[1].Prob = 1 - s.Classes[0].Prob
		} else {
			for i := range s.Classes {
				s.Classes[i].A = [][]float64{{-1.5}}
			}
		}
		f, ok := ProductForm(s)
		if !ok {
			if s.Classes[0].Need != s.Classes[1].Need {
				t.Errorf("%+v: no product form", s)
			}
			continue
		}
		_, sol := solved(t, s)
		near(t, "throughput", f.Throughput, sol.Throughput, 1e-12)
	}
	if _, ok := ProductForm(fiveClasses()); ok {
		t.Error("five classes have a product form")
	}
	if _, ok := ProductForm(erlang(system(6, []int{2, 3}, []float64{.5, .5}, []float64{1, 1}), 2)); ok {
		t.Error("Erlang services have a product form")
	}
}

// TestBalance checks that the products of Theorem 2 satisfy the balance
// equations of the chain in every state, to 1e-13.
func TestBalance(t *testing.T) {
	for _, s := range []states.System{
		system(6, []int{2, 3}, []float64{.5, .5}, []float64{.4, 1.6}),
		system(200, []int{1, 100}, []float64{.5, .5}, []float64{1, .01}),
		system(97, []int{3, 7}, []float64{.9, .1}, []float64{5, .3}),
	} {
		f, _ := ProductForm(s)
		c, err := NewChain(context.Background(), s, states.MaxStates)
		if err != nil {
			t.Fatal(err)
		}
		prob := map[[2]int32]float64{}
		for _, at := range f.States {
			prob[[2]int32{int32(at.Ones), int32(at.Twos)}] += at.Prob
		}
		y, into := make([]float64, c.States()), make([]float64, c.States())
		sum := 0.0
		c.Describe(func(i int, counts []int32, _ int) { y[i] = prob[[2]int32{counts[0], counts[1]}]; sum += y[i] })
		if math.Abs(sum-1) > 1e-13 {
			t.Errorf("the states of Theorem 2 that the chain knows weigh %.15g", sum)
		}
		c.jump(context.Background(), y, into)
		for i := range y {
			if math.Abs(y[i]-into[i]) > 1e-13 {
				t.Errorf("state %d: %.3g out, %.3g in", i, y[i], into[i])
			}
		}
	}
}

// TestOneDurationLocal checks Theorem 1 by its own argument: the number in
// service sums to 1 and has the mean that Little's law asks for.
func TestOneDurationLocal(t *testing.T) {
	f, _ := ProductForm(system(12, []int{1, 2, 5}, []float64{.2, .5, .3}, []float64{2, 2, 2}))
	sum, inverse := 0.0, 0.0
	for j, p := range f.InService {
		sum += p
		if j > 0 {
			inverse += p / float64(j)
		}
	}
	near(t, "mass", sum, 1, 1e-14)
	near(t, "throughput", f.Throughput, 0.5/inverse, 1e-14)
}
