package special

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// TestBrillGreenLimits compares the queue with those that it becomes when one
// class all but vanishes: M/M/2 for class 1 alone, M/M/1 for class 2 alone.
func TestBrillGreenLimits(t *testing.T) {
	const none = 1e-9
	for _, rho := range []float64{0.1, 0.5, 0.9} {
		q := BrillGreen{Lambda1: 2 * rho * 3, Lambda2: none, Mu: 3}
		wait := 2 * rho * rho / (1 + rho) // Erlang C of two servers
		q1 := BrillGreen{Lambda1: none, Lambda2: rho * 3, Mu: 3}
		for _, x := range []float64{0, 0.3, 2} {
			oracle.Relative(t, "M/M/2", 1+q.Waiting1(x), 1+wait*math.Exp(-6*(1-rho)*x), 1e-8)
			oracle.Relative(t, "M/M/1", 1+q1.Waiting2(x), 1+rho*math.Exp(-3*(1-rho)*x), 1e-8)
		}
		oracle.Relative(t, "mean M/M/2", q.MeanWaiting1(), wait/(6*(1-rho)), 1e-6)
	}
}

// TestBrillGreenMixes scales time, and looks at the tail over many mixes: it
// must fall from at most 1, class 2 above class 1, and follow its mean.
func TestBrillGreenMixes(t *testing.T) {
	for _, p2 := range []float64{0.01, 0.2, 0.5, 0.8, 0.99} {
		for _, load := range []float64{0.01, 0.3, 0.7, 0.99} {
			p1 := 1 - p2
			rate := load * 2 / (4*p2 - 2*p2*p2 + p1*p1)
			q := BrillGreen{Lambda1: p1 * rate, Lambda2: p2 * rate, Mu: 1}
			slow := BrillGreen{Lambda1: p1 * rate / 5, Lambda2: p2 * rate / 5, Mu: 0.2}
			oracle.Relative(t, "in other units", slow.Waiting2(5), q.Waiting2(1), 1e-10)
			oracle.Relative(t, "free server", 1-q.Waiting1(0), q.Idle()+q.Half(), 1e-10)
			oracle.Relative(t, "both free", 1-q.Waiting2(0), q.Idle(), 1e-10)
			last := 1.0
			for x := 0.0; x < 20; x += 0.5 {
				w1, w2 := q.Waiting1(x), q.Waiting2(x)
				if !(w1 > 0 && w1 <= w2*(1+1e-12) && w2 < last) {
					t.Errorf("λ1 = %v, λ2 = %v: tails %v and %v at %v after %v", p1*rate, p2*rate, w1, w2, x, last)
				}
				last = w2
			}
			if q.MeanWaiting1() > q.MeanWaiting2() {
				t.Errorf("class 1 waits longer")
			}
		}
	}
	if err := (BrillGreen{Lambda1: 4.6, Lambda2: 4.6, Mu: 8}).Err(); err == nil || !strings.Contains(err.Error(), "9.14286") {
		t.Errorf("beyond the limit: %v", err)
	}
	if err := (BrillGreen{Lambda1: -1, Lambda2: 0, Mu: math.NaN()}).Err(); err == nil || strings.Count(err.Error(), "positive") != 3 {
		t.Errorf("three faults: %v", err)
	}
}

// TestBrillGreenReference holds the closed form against tails from the law of the Markov
// chain, and rates and weights against those of another program.
func TestBrillGreenReference(t *testing.T) {
	q := BrillGreen{Lambda1: 1, Lambda2: 1, Mu: 4}
	for _, v := range oracle.Values(t, "D1", "tail_P(W>x)") {
		want := numbers(v.Value)
		for i, x := range numbers(v.Parameters["x"]) {
			got := map[string]float64{"class1": q.Waiting1(x), "class2": q.Waiting2(x), "generic": q.Waiting(x)}[v.Parameters["who"].(string)]
			oracle.Relative(t, fmt.Sprint(v.Parameters["who"], " at ", x), got, want[i], 1e-9)
		}
	}
	rates, weights1, weights2 := q.Exponentials()
	exact := oracle.Values(t, "D1", "closed_form")[0].Value.(map[string]any)
	for name, have := range map[string][3]complex128{"rates": rates, "class1_weights": weights1, "class2_weights": weights2} {
		for i, want := range numbers(exact[name]) {
			oracle.Relative(t, name, real(have[i]), want, 1e-12)
			oracle.Relative(t, name+", imaginary part", 1+imag(have[i]), 1, 1e-15)
		}
	}
	if err := (BrillGreen{Lambda1: 8, Lambda2: 8, Mu: 8}).Err(); err == nil || !strings.Contains(err.Error(), "stability limit 9.14286") {
		t.Errorf("an unstable queue: %v", err)
	}
}

// TestBrillGreenFaultsAreNumbers: no number comes out of wrong rates.
func TestBrillGreenFaultsAreNumbers(t *testing.T) {
	q := BrillGreen{Lambda1: 8, Lambda2: 8, Mu: 8}
	rates, _, _ := q.Exponentials()
	for i, v := range []float64{q.Idle(), q.Half(), real(rates[0]), q.Waiting(1), q.Waiting1(-1), q.Waiting2(0), q.MeanWaiting1(), q.MeanWaiting2()} {
		if !math.IsNaN(v) {
			t.Errorf("number %d is %v", i, v)
		}
	}
}
