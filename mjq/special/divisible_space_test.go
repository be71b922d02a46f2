package special

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"testing/quick"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

var ctx = context.Background()

// note is the example of the note's Section III.
func note(p1, mu1, mu2 float64) *resource {
	return &resource{total: 6, classes: []user{{2, p1, mu1}, {3, 1 - p1, mu2}}}
}

// five is a mix with 842 states.
func five() *resource {
	return &resource{total: 20, classes: []user{{1, .5, 2}, {2, .1, 1 / .83}, {5, .2, 1 / 1.25}, {10, .19, 1 / 3.33}, {15, .01, .1}}}
}

// thirds has needs without an exact binary form, and irrational ones.
func thirds() *resource {
	return &resource{total: 1, classes: []user{{1. / 3, .3, 1.5}, {0.1, .3, 4}, {1 / math.Pi, .2, 1}, {math.Sqrt2 / 2, .2, 0.3}}}
}

func explored(t testing.TB, r *resource) *waitingSpace {
	t.Helper()
	s, err := explore(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func capacity(t testing.TB, r *resource) float64 {
	t.Helper()
	rate, _, err := explored(t, r).saturated(ctx, silent)
	if err != nil {
		t.Fatal(err)
	}
	return rate
}

// TestStatesOfTheNote compares with the list of the note's Section III.
func TestStatesOfTheNote(t *testing.T) {
	want := [][3]int32{{0, 2, 1}, {0, 2, 2}, {1, 1, 1}, {1, 1, 2}, {2, 0, 2}, {3, 0, 1}, {3, 0, 2}}
	s := explored(t, note(.5, 1, 1))
	var got [][3]int32
	for i := range s.len() {
		counts, head := s.States[i].counts, s.States[i].head
		got = append(got, [3]int32{counts[0], counts[1], int32(head) + 1})
	}
	slices.SortFunc(got, func(a, b [3]int32) int { return slices.Compare(a[:], b[:]) })
	if !slices.Equal(got, want) {
		t.Errorf("states %v, want %v", got, want)
	}
}

// TestStatesAreAllFeasible: exploring from one state finds every set of jobs
// that fits together with every class that does not fit beside it.
func TestStatesAreAllFeasible(t *testing.T) {
	for _, r := range []*resource{note(.5, 1, 1), five(), thirds()} {
		feasible := 0
		counts := make([]int32, len(r.classes))
		var walk func(l int)
		walk = func(l int) {
			if r.used(counts) > r.total*(1+slack) {
				return
			}
			if l == len(counts) {
				for c := range counts {
					if !r.fits(counts, c) {
						feasible++
					}
				}
				return
			}
			for ; r.used(counts) <= r.total*(1+slack); counts[l]++ {
				walk(l + 1)
			}
			counts[l] = 0
		}
		walk(0)
		if s := explored(t, r); s.len() != feasible {
			t.Errorf("%d states explored, %d feasible", s.len(), feasible)
		}
	}
}

// TestCapacityOfTheNote: the points of Figure 3 whose exact fractions are known.
func TestCapacityOfTheNote(t *testing.T) {
	oracle.Relative(t, "equal rates", capacity(t, note(.5, 1, 1)), 48./23, 1e-15)
	oracle.Relative(t, "means 0.4 and 1.6", capacity(t, note(.5, 2.5, .625)), 300./149, 1e-15)
	oracle.Relative(t, "five classes", capacity(t, five()), 1.8008553591, 1e-10)
}

// TestThreeThirdsFill: 3 jobs of 1/3, 10 of 0.1 and 7 of 1/7 run together.
func TestThreeThirdsFill(t *testing.T) {
	for _, n := range []float64{3, 7, 10, 49, 1000} {
		oracle.Relative(t, "one class", capacity(t, &resource{1, []user{{1 / n, 1, 1}}}), n, 1e-15)
		short := 1/n + 1e-7/n
		oracle.Relative(t, "in tenths", capacity(t, &resource{n / 10, []user{{0.1, 1, 1}}}), n, 1e-15)
		oracle.Relative(t, "a little more", capacity(t, &resource{1, []user{{short, 1, 1}}}), n-1, 1e-15)
	}
}

// one is n servers for jobs that need one or all of them.
func one(n float64) *resource {
	return &resource{n, []user{{1, .6, 1}, {n, .4, 2}}}
}

// TestUnitDoesNotMatter: the same system in other units, and with its classes
// split in two and listed in another order, has the same capacity.
func TestUnitDoesNotMatter(t *testing.T) {
	check := func(a, b, c, pa, pb uint8, unit float64) bool {
		unit = 0.1 + math.Abs(math.Mod(unit, 10))
		needs := []float64{1 + float64(a%4), 2 + float64(b%5), 1 + float64(c%7)}
		w := []float64{1 + float64(pa), 1 + float64(pb), 100}
		sum := w[0] + w[1] + w[2]
		var r, split resource
		r.total, split.total = 7, 7*unit
		for i, need := range needs {
			mu := 1 / (float64(i) + 0.5)
			r.classes = append(r.classes, user{need, w[i] / sum, mu})
			half := user{need * unit, w[i] / sum / 2, mu}
			split.classes = append([]user{half, half}, split.classes...)
		}
		x, y := capacity(t, &r), capacity(t, &split)
		return math.Abs(x/y-1) < 1e-12
	}
	if err := quick.Check(check, &quick.Config{MaxCount: oracle.Sized(10, 30)}); err != nil {
		t.Error(err)
	}
}

// TestFixedPointAndPerron: the note's fixed point and root finding on the
// eigenvalue are two ways to the same limit, on both sides of the capacity.
func TestFixedPointAndPerron(t *testing.T) {
	slow := &resource{1, []user{{0.4, .2, 1}, {0.3, .3, 1e-3}, {0.05, .5, 50}}}
	for _, r := range []*resource{note(.5, 1, 1), note(.3, 2.5, .625), thirds(), slow} {
		s := explored(t, r)
		top := capacity(t, r)
		for _, f := range []float64{1e-3, 0.05, 0.5, 0.9, 1 - 1e-9, 1, 1 + 1e-9, 1.3, 3} {
			a, err := s.fixedPoint(ctx, f*top, silent)
			if err != nil {
				t.Fatal(err)
			}
			b, err := s.perron(ctx, f*top)
			if err != nil {
				t.Fatal(err)
			}
			oracle.Relative(t, "rate", a.rate, b.rate, 1e-10)
			for i := range a.p {
				if math.Abs(a.p[i]-b.p[i]) > 1e-10 {
					t.Errorf("%d states, λ = %v λ_c: p̃(%d) is %v by the fixed point, %v by the eigenvector", s.len(), f, i, a.p[i], b.p[i])
				}
			}
			if f == 1 {
				oracle.Relative(t, "the crossing", b.rate, top, 1e-13)
			} else if math.Abs(f-1) > 1e-6 && (a.rate > f*top) != (f < 1) {
				t.Errorf("λ = %v λ_c: ũ = %v λ_c", f, a.rate/top)
			}
		}
	}
}

// TestSaturatedBalance: p̃ at the capacity satisfies the balance of every state.
func TestSaturatedBalance(t *testing.T) {
	for _, r := range []*resource{note(.2, 1, 3), five(), thirds()} {
		s := explored(t, r)
		_, p, err := s.saturated(ctx, silent)
		if err != nil {
			t.Fatal(err)
		}
		for i, edges := range s.in {
			flow := 0.0
			for _, e := range edges {
				flow += p[e.state] * e.rate
			}
			oracle.Relative(t, "flow in and out", flow, p[i]*s.rate[i], 1e-12)
		}
	}
}

// TestWorkIsConserved: in saturation each class leaves at the rate at which it
// is drawn, so the amount in use is the capacity times the mean work of a job.
func TestWorkIsConserved(t *testing.T) {
	for _, r := range []*resource{note(.2, 1, 3), five(), thirds()} {
		s := explored(t, r)
		rate, p, err := s.saturated(ctx, silent)
		if err != nil {
			t.Fatal(err)
		}
		work := 0.0
		for _, c := range r.classes {
			work += c.prob * c.need / c.rate
		}
		oracle.Relative(t, "amount in use", r.total-s.unused(p), rate*work, 1e-12)
	}
}

func TestTooManyStates(t *testing.T) {
	many := &resource{total: 1, classes: []user{{1e-3, .25, 1}, {1.1e-3, .25, 1}, {1.3e-3, .25, 1}, {0.5, .25, 1}}}
	began := time.Now()
	_, err := explore(ctx, many)
	if e := (*tooLarge)(nil); !errors.As(err, &e) || e.jobs != 1000 {
		t.Errorf("error %v", err)
	}
	if d := time.Since(began); d > 20*time.Second {
		t.Errorf("refused after %v", d)
	}
}

func TestInterrupted(t *testing.T) {
	s := explored(t, five())
	limit, err := s.fixedPoint(ctx, 1.7, silent)
	if err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]func(context.Context) error{
		"capacity":    func(ctx context.Context) error { _, _, err := s.saturated(ctx, silent); return err },
		"fixed point": func(ctx context.Context) error { _, err := s.fixedPoint(ctx, 1e-4, silent); return err },
		"eigenvalue":  func(ctx context.Context) error { _, err := s.perron(ctx, 1); return err },
		"levels":      func(ctx context.Context) error { _, err := s.open(ctx, limit, silent); return err },
		"states":      func(ctx context.Context) error { _, err := explore(ctx, five()); return err },
	} {
		wait := time.Millisecond
		if name == "states" { // found sooner than that
			wait = 0
		}
		late, cancel := context.WithTimeout(ctx, wait)
		began := time.Now()
		err := run(late)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: error %v", name, err)
		}
		if d := time.Since(began); d > 5*time.Second {
			t.Errorf("%s: stopped after %v", name, d)
		}
	}
}
