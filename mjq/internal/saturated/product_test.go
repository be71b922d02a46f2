package saturated

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/chain"
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
		f, ok, err := ProductForm(context.Background(), s.Compile())
		if err != nil || !ok {
			if s.Classes[0].Need != s.Classes[1].Need {
				t.Errorf("%+v: no product form", s)
			}
			continue
		}
		_, sol := solved(t, s)
		near(t, "throughput", f.Throughput, sol.Throughput, 1e-12)
	}
	if _, ok, _ := ProductForm(context.Background(), fiveClasses().Compile()); ok {
		t.Error("five classes have a product form")
	}
	if _, ok, _ := ProductForm(context.Background(), erlang(system(6, []int{2, 3}, []float64{.5, .5}, []float64{1, 1}), 2).Compile()); ok {
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
		c, err := NewChain(context.Background(), s.Compile(), states.MaxStates)
		if err != nil {
			t.Fatal(err)
		}
		prob := map[[2]int32]float64{}
		total := 0.0
		twoClasses(context.Background(), s.Compile(), func(at twoClassState) {
			prob[[2]int32{int32(at.Ones), int32(at.Twos)}] += at.Weight
			total += at.Weight
		})
		y, into := make([]float64, c.States()), make([]float64, c.States())
		sum := 0.0
		c.Describe(func(i int, counts []int32, _ int) { y[i] = prob[[2]int32{counts[0], counts[1]}] / total; sum += y[i] })
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
	sum, inverse := 0.0, 0.0
	throughput := oneDuration(context.Background(), system(12, []int{1, 2, 5}, []float64{.2, .5, .3}, []float64{2, 2, 2}).Compile(), func(j int, p float64) {
		sum += p
		inverse += p / float64(j)
	})
	near(t, "mass", sum, 1, 1e-14)
	near(t, "throughput", throughput, 0.5/inverse, 1e-14)
}

// TestProductSizes: what would take memory or time without bound is refused,
// and a long computation ends with its context.
func TestProductSizes(t *testing.T) {
	two := system(1<<31, []int{1, 3}, []float64{.5, .5}, []float64{1, 2})
	one := system(4e8, []int{3.9e8, 4e8 - 1}, []float64{.5, .5}, []float64{1, 1})
	one.Classes = append(one.Classes, states.Class{Need: 4e8, Prob: 0, Alpha: []float64{1}, A: [][]float64{{-1}}})
	one.Classes[0].Prob, one.Classes[2].Prob = .25, .25
	for _, s := range []states.System{two, one} {
		if _, ok, err := ProductForm(context.Background(), s.Compile()); ok || err != nil {
			t.Errorf("%d servers: %v, %v", s.Servers, ok, err)
		}
	}
	var large *chain.TooLarge
	if _, err := NewChain(context.Background(), two.Compile(), states.MaxStates); !errors.As(err, &large) || large.Bytes < 1e11 {
		t.Errorf("2^31 servers: %v", err)
	}
	two.Servers = 1 << 26
	same := system(17_000, []int{1, 2, 5}, []float64{.5, .25, .25}, []float64{1, 1, 1})
	for _, s := range []states.System{two, same} {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		start := time.Now()
		_, ok, err := ProductForm(ctx, s.Compile())
		if took := time.Since(start); ok || !errors.Is(err, context.DeadlineExceeded) || took > 10*time.Second {
			t.Errorf("%d servers: %v, %v after %v", s.Servers, ok, err, took)
		}
		cancel()
	}
}

// TestOnesAndAll: where jobs of the larger need run alone the sum takes no time, however many
// servers there are, and agrees with the one term by term; with the closed form it does in
// package special.
func TestOnesAndAll(t *testing.T) {
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	for _, s := range []int{1_000_001, 3_000_000, 1_000_000_000, 1<<31 - 1} {
		for _, p := range []float64{0.999, 0.5, 1e-4, 1e-7, 1e-12} {
			sys := system(s, []int{1, s}, []float64{1 - p, p}, []float64{1, 0.3})
			f, ok, err := ProductForm(ctx, sys.Compile())
			if err != nil || !ok || f.Theorem != 2 {
				t.Fatalf("%d servers: %+v, %v, %v", s, f, ok, err)
			}
			if s < 5_000_000 {
				near(t, "term by term", f.Throughput, twoClasses(ctx, sys.Compile(), func(twoClassState) {}), 1e-9)
			}
		}
	}
	// Needs of 3 and of all but two of the servers.
	wide := system(6_000_000, []int{3, 5_999_998}, []float64{0.7, 0.3}, []float64{1, 0.3})
	if f, ok, err := ProductForm(ctx, wide.Compile()); !ok || err != nil {
		t.Errorf("needs of 3 and all but 2: %v", err)
	} else {
		near(t, "needs of 3 and all but 2", f.Throughput, twoClasses(ctx, wide.Compile(), func(twoClassState) {}), 1e-9)
	}
}

// TestProductRange: weights that span more than any number can, against the
// closed form.
func TestProductRange(t *testing.T) {
	for _, p := range []float64{0.5, 1e-4} {
		f, ok, err := ProductForm(context.Background(), system(5000, []int{1, 5000}, []float64{1 - p, p}, []float64{1, 0.3}).Compile())
		if err != nil || !ok || f.Theorem != 2 {
			t.Fatalf("%+v, %v, %v", f, ok, err)
		}
		want, _ := bySums(5000, p, 1, 1/0.3)
		near(t, "throughput", f.Throughput, want, 1e-12)
	}
}
