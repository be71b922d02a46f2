package special

import (
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

func solved(t testing.TB, r *resource, arrivals float64) *openQueue {
	t.Helper()
	s := explored(t, r)
	limit, err := s.fixedPoint(ctx, arrivals, silent)
	if err != nil {
		t.Fatal(err)
	}
	o, err := s.open(ctx, limit, silent)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestTableOfTheNote compares E[W] and the second moment of the wait with the
// exact columns for the note's Table I.
func TestTableOfTheNote(t *testing.T) {
	for name, of := range map[string]func(m *lineMeans, lambda float64) float64{
		"E[W]":    func(m *lineMeans, lambda float64) float64 { return m.jobs / lambda },
		"E[Wq^2]": func(m *lineMeans, lambda float64) float64 { return (m.lineSquare - m.line) / (lambda * lambda) },
	} {
		values := oracle.Values(t, "B2", name)
		for _, v := range values {
			lambda := v.Parameters["lam"].(float64)
			oracle.Relative(t, name, of(solved(t, note(.5, 2.5, .625), lambda).means(), lambda), v.Value.(float64), 1e-11)
		}
		if len(values) != 5 {
			t.Errorf("%s: %d values compared, want 5", name, len(values))
		}
	}
}

// TestSingleServer: one class that fills the resource is M/M/1.
func TestSingleServer(t *testing.T) {
	for _, rho := range []float64{0.01, 0.5, 0.99} {
		m := solved(t, &resource{2.5, []user{{2, 1, 3}}}, 3*rho).means()
		oracle.Relative(t, "E[N]", m.jobs, rho/(1-rho), 1e-11)
		oracle.Relative(t, "E[Nq]", m.line, rho*rho/(1-rho), 1e-11)
		oracle.Relative(t, "E[Nq²]", m.lineSquare, rho*rho*(1+rho)/((1-rho)*(1-rho)), 1e-11)
		oracle.Relative(t, "in use", m.used, 2*rho, 1e-11)
	}
}

// TestErlangC: n equal needs of one nth are the queue M/M/n.
func TestErlangC(t *testing.T) {
	const n, a = 12, 10.5
	blocked, term := 0.0, 1.0 // Erlang B by its recursion
	for k := 1; k <= n; k++ {
		term = a * term / (float64(k) + a*term)
	}
	rho := a / n
	blocked = term / (1 - rho*(1-term))
	m := solved(t, &resource{1, []user{{1. / n, .4, 1}, {1. / n, .6, 1}}}, a).means()
	oracle.Relative(t, "E[Nq]", m.line, blocked*rho/(1-rho), 1e-11)
	oracle.Relative(t, "E[N]", m.jobs, a+blocked*rho/(1-rho), 1e-11)
}

// TestInUse: by Little's law the amount in use is λ Σ p b t, and each class
// waits at the head for its share of the time that the line moves.
func TestInUse(t *testing.T) {
	for _, r := range []*resource{note(.3, 2.5, .625), thirds(), one(4)} {
		for _, load := range []float64{0.3, 0.9} {
			lambda := load * capacity(t, r)
			o := solved(t, r, lambda)
			m := o.means()
			work, jobs, heads := 0.0, m.line, 0.0
			for l, c := range r.classes {
				work += lambda * c.prob * c.need / c.rate
				jobs += lambda * c.prob / c.rate
				heads += m.waiting[l] + m.behind[l]
			}
			oracle.Relative(t, "amount in use", m.used, work, 1e-10)
			oracle.Relative(t, "E[N] = E[Nq] + in service", m.jobs, jobs, 1e-10)
			oracle.Relative(t, "heads and jobs behind are the line", heads, m.line, 1e-10)
			// p(n) u(n) = λ p(n-1) is what (1) is; u(n) ≤ the fastest state.
			if far := o.distance(o.last()) * o.tailShare(); far > 1e-12 {
				t.Errorf("truncated at %d levels, %v from the limit", o.last(), far)
			}
		}
	}
}

// TestBalanceOfLevels puts p(n) p(s|n) into the balance equations of the queue
// itself, which the iteration uses in another form.
func TestBalanceOfLevels(t *testing.T) {
	for _, r := range []*resource{thirds(), one(5)} {
		balance(t, r)
	}
}

func balance(t *testing.T, r *resource) {
	lambda := 0.8 * capacity(t, r)
	o := solved(t, r, lambda)
	prob := o.levelProbs()
	for n := 1; n < o.last(); n++ {
		in := make([]float64, len(o.rate))
		for i, row := range o.levels[n+1].down {
			for _, e := range row {
				in[e.state] += prob[n+1] * o.levels[n+1].p[i] * e.rate
			}
		}
		o.arrive(n, lambda*prob[n-1], in)
		for i, x := range o.levels[n].p {
			out := prob[n] * x * (o.rate[i] + lambda)
			if math.Abs(in[i]-out) > 1e-13*prob[n]*(o.rate[i]+lambda) {
				t.Fatalf("phase %d with %d jobs: %v in, %v out", i, n, in[i], out)
			}
		}
	}
}
