package mam

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestFluidOfQueues: the work of M/PH/1 is a fluid queue. It rises in the phases
// of a service, whose time is left out, and falls while time passes, where
// arrivals come at rate a; its law is that of Pollaczek and Khinchine.
func TestFluidOfQueues(t *testing.T) {
	for _, c := range []struct {
		rate float64
		p    PH
	}{{0.5, Exponential(1)}, {0.8, Erlang(3, 1)}, {0.3, PH{[]float64{0.2, 0.8}, mat.NewDense(2, 2, []float64{-0.25, 0, 0.5, -3})}},
		{1 - 1e-9, Exponential(1)}} {
		n := len(c.p.Alpha)
		f := Fluid{UpUp: c.p.A, UpDown: column(c.p.exits()), DownUp: mat.NewDense(1, n, nil), DownDown: mat.NewDense(1, 1, nil)}
		for i, x := range c.p.Alpha {
			f.DownUp.Set(0, i, c.rate*x)
		}
		sol, err := f.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		load := c.rate * c.p.Mean()
		agrees(t, "the load", sol.Load, load, 1e-13)
		agrees(t, "the residual", sol.Residual, 0, 1e-14)
		for i := range n {
			agrees(t, "a return", sol.Psi.At(i, 0), 1, 1e-15)
		}
		// The mean work: the mass at 0 is 1-load, entered up at the rate v.
		var x mat.Dense
		v := mat.NewDense(1, n, nil)
		v.Scale(1-load, f.DownUp)
		minus := mat.NewDense(n, n, nil)
		minus.Scale(-1, sol.K)
		if err := x.Solve(minus.T(), v.T()); err != nil {
			t.Fatal(err)
		}
		agrees(t, "the mass above 0", mat.Sum(&x), load, 1e-6)
		if err := x.Solve(minus.T(), &x); err != nil {
			t.Fatal(err)
		}
		second := c.p.Moment(2)
		agrees(t, "the mean work over its formula", mat.Sum(&x)/(c.rate*second/2/(1-load)), 1, 1e-6)
	}
}

// TestFluidIteration holds Psi against the iteration of its equation from 0, which
// converges to the minimal solution.
func TestFluidIteration(t *testing.T) {
	f := Fluid{mat.NewDense(2, 2, []float64{0, 1, 0.3, 0}), mat.NewDense(2, 3, []float64{0.4, 0.1, 0, 0, 2, 0.7}),
		mat.NewDense(3, 2, []float64{0.2, 0.1, 0, 0.5, 0.3, 0}), mat.NewDense(3, 3, []float64{0, 0.2, 1, 0.1, 0, 0, 5, 0, 0})}
	sol, err := f.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	all := f.generator()
	psi := mat.NewDense(2, 3, nil)
	for range 20_000 {
		next := mat.DenseCopyOf(f.UpDown)
		var x, y mat.Dense
		x.Mul(psi, f.DownUp)
		y.Mul(&x, psi)
		next.Add(next, &y)
		for i := range 2 {
			for j := range 3 {
				v := next.At(i, j)
				for k := range 2 {
					if k != i {
						v += f.UpUp.At(i, k) * psi.At(k, j)
					}
				}
				for k := range 3 {
					if k != j {
						v += psi.At(i, k) * f.DownDown.At(k, j)
					}
				}
				next.Set(i, j, v/(-all.At(3+i, 3+i)-all.At(j, j)))
			}
		}
		psi = next
	}
	if !mat.EqualApprox(psi, sol.Psi, 1e-13) {
		t.Errorf("by iteration %v, by doubling %v", mat.Formatted(psi), mat.Formatted(sol.Psi))
	}
}

func TestFluidFaults(t *testing.T) {
	one := func(x float64) *mat.Dense { return mat.NewDense(1, 1, []float64{x}) }
	var unstable *Unstable
	if _, err := (Fluid{one(0), one(1), one(1), one(0)}).Solve(context.Background()); !errors.As(err, &unstable) || math.Abs(unstable.Drift) > 1e-14 {
		t.Errorf("at the limit: %v", err)
	}
	if _, err := (Fluid{}).Solve(context.Background()); err == nil {
		t.Error("nothing is solved")
	}
	_, err := Fluid{one(0), mat.NewDense(1, 2, nil), one(-1), one(0)}.Solve(context.Background())
	for _, want := range []string{"UpDown is 1 by 2; give 1 by 1", "DownUp(0,0) is -1"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Fluid{one(0), one(2), one(1), one(0)}).Solve(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}
