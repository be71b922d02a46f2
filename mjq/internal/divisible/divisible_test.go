package divisible

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"testing/quick"
	"time"
)

var ctx = context.Background()

// note is the example of the note's Section III.
func note(p1, mu1, mu2 float64) *Resource {
	return &Resource{Total: 6, Classes: []Class{{2, p1, mu1}, {3, 1 - p1, mu2}}}
}

// five is a mix with 842 states.
func five() *Resource {
	return &Resource{Total: 20, Classes: []Class{{1, .5, 2}, {2, .1, 1 / .83}, {5, .2, 1 / 1.25}, {10, .19, 1 / 3.33}, {15, .01, .1}}}
}

// thirds has needs without an exact binary form, and irrational ones.
func thirds() *Resource {
	return &Resource{Total: 1, Classes: []Class{{1. / 3, .3, 1.5}, {0.1, .3, 4}, {1 / math.Pi, .2, 1}, {math.Sqrt2 / 2, .2, 0.3}}}
}

func explored(t testing.TB, r *Resource) *Space {
	t.Helper()
	s, err := Explore(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func capacity(t testing.TB, r *Resource) float64 {
	t.Helper()
	rate, _, err := explored(t, r).Capacity(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rate
}

func relative(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Abs(want)) {
		t.Errorf("%s: %.15g, want %.15g (%.1e apart)", what, got, want, math.Abs(got/want-1))
	}
}

// TestStatesOfTheNote compares with the list of the note's Section III.
func TestStatesOfTheNote(t *testing.T) {
	want := [][3]int32{{0, 2, 1}, {0, 2, 2}, {1, 1, 1}, {1, 1, 2}, {2, 0, 2}, {3, 0, 1}, {3, 0, 2}}
	s := explored(t, note(.5, 1, 1))
	var got [][3]int32
	for i := range s.Len() {
		counts, head := s.State(i)
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
	for _, r := range []*Resource{note(.5, 1, 1), five(), thirds()} {
		feasible := 0
		counts := make([]int32, len(r.Classes))
		var walk func(l int)
		walk = func(l int) {
			if r.used(counts) > r.Total*(1+Slack) {
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
			for ; r.used(counts) <= r.Total*(1+Slack); counts[l]++ {
				walk(l + 1)
			}
			counts[l] = 0
		}
		walk(0)
		if s := explored(t, r); s.Len() != feasible {
			t.Errorf("%d states explored, %d feasible", s.Len(), feasible)
		}
	}
}

// TestCapacityOfTheNote: the points of Figure 3 whose exact fractions are known.
func TestCapacityOfTheNote(t *testing.T) {
	relative(t, "equal rates", capacity(t, note(.5, 1, 1)), 48./23, 1e-15)
	relative(t, "means 0.4 and 1.6", capacity(t, note(.5, 2.5, .625)), 300./149, 1e-15)
	relative(t, "five classes", capacity(t, five()), 1.8008553591, 1e-10)
}

// TestThreeThirdsFill: 3 jobs of 1/3, 10 of 0.1 and 7 of 1/7 run together.
func TestThreeThirdsFill(t *testing.T) {
	for _, n := range []float64{3, 7, 10, 49, 1000} {
		relative(t, "one class", capacity(t, &Resource{1, []Class{{1 / n, 1, 1}}}), n, 1e-15)
		short := 1/n + 1e-7/n
		relative(t, "in tenths", capacity(t, &Resource{n / 10, []Class{{0.1, 1, 1}}}), n, 1e-15)
		relative(t, "a little more", capacity(t, &Resource{1, []Class{{short, 1, 1}}}), n-1, 1e-15)
	}
}

// one is n servers for jobs that need one or all of them.
func one(n float64) *Resource {
	return &Resource{n, []Class{{1, .6, 1}, {n, .4, 2}}}
}

// TestUnitDoesNotMatter: the same system in other units, and with its classes
// split in two and listed in another order, has the same capacity.
func TestUnitDoesNotMatter(t *testing.T) {
	check := func(a, b, c, pa, pb uint8, unit float64) bool {
		unit = 0.1 + math.Abs(math.Mod(unit, 10))
		needs := []float64{1 + float64(a%4), 2 + float64(b%5), 1 + float64(c%7)}
		w := []float64{1 + float64(pa), 1 + float64(pb), 100}
		sum := w[0] + w[1] + w[2]
		var r, split Resource
		r.Total, split.Total = 7, 7*unit
		for i, need := range needs {
			mu := 1 / (float64(i) + 0.5)
			r.Classes = append(r.Classes, Class{need, w[i] / sum, mu})
			half := Class{need * unit, w[i] / sum / 2, mu}
			split.Classes = append([]Class{half, half}, split.Classes...)
		}
		x, y := capacity(t, &r), capacity(t, &split)
		return math.Abs(x/y-1) < 1e-12
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 30}); err != nil {
		t.Error(err)
	}
}

// TestFixedPointAndPerron: the note's fixed point and root finding on the
// eigenvalue are two ways to the same limit, on both sides of the capacity.
func TestFixedPointAndPerron(t *testing.T) {
	slow := &Resource{1, []Class{{0.4, .2, 1}, {0.3, .3, 1e-3}, {0.05, .5, 50}}}
	for _, r := range []*Resource{note(.5, 1, 1), note(.3, 2.5, .625), thirds(), slow} {
		s := explored(t, r)
		top := capacity(t, r)
		for _, f := range []float64{1e-3, 0.05, 0.5, 0.9, 1 - 1e-9, 1, 1 + 1e-9, 1.3, 3} {
			a, err := s.Limit(ctx, f*top)
			if err != nil {
				t.Fatal(err)
			}
			b, err := s.Perron(ctx, f*top)
			if err != nil {
				t.Fatal(err)
			}
			relative(t, "rate", a.Rate, b.Rate, 1e-10)
			for i := range a.P {
				if math.Abs(a.P[i]-b.P[i]) > 1e-10 {
					t.Errorf("%d states, λ = %v λ_c: p̃(%d) is %v by the fixed point, %v by the eigenvector", s.Len(), f, i, a.P[i], b.P[i])
				}
			}
			if f == 1 {
				relative(t, "the crossing", b.Rate, top, 1e-13)
			} else if math.Abs(f-1) > 1e-6 && (a.Rate > f*top) != (f < 1) {
				t.Errorf("λ = %v λ_c: ũ = %v λ_c", f, a.Rate/top)
			}
		}
	}
}

// TestSaturatedBalance: p̃ at the capacity satisfies the balance of every state.
func TestSaturatedBalance(t *testing.T) {
	for _, r := range []*Resource{note(.2, 1, 3), five(), thirds()} {
		s := explored(t, r)
		_, p, err := s.Capacity(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, edges := range s.in {
			flow := 0.0
			for _, e := range edges {
				flow += p[e.state] * e.rate
			}
			relative(t, "flow in and out", flow, p[i]*s.rate[i], 1e-12)
		}
	}
}

// TestWorkIsConserved: in saturation each class leaves at the rate at which it
// is drawn, so the amount in use is the capacity times the mean work of a job.
func TestWorkIsConserved(t *testing.T) {
	for _, r := range []*Resource{note(.2, 1, 3), five(), thirds()} {
		s := explored(t, r)
		rate, p, err := s.Capacity(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		work := 0.0
		for _, c := range r.Classes {
			work += c.Prob * c.Need / c.Rate
		}
		relative(t, "amount in use", r.Total-s.Unused(p), rate*work, 1e-12)
	}
}

func TestTooManyStates(t *testing.T) {
	many := &Resource{Total: 1, Classes: []Class{{1e-3, .25, 1}, {1.1e-3, .25, 1}, {1.3e-3, .25, 1}, {0.5, .25, 1}}}
	began := time.Now()
	_, err := Explore(ctx, many)
	if e := (*TooLarge)(nil); !errors.As(err, &e) || e.Jobs != 1000 {
		t.Errorf("error %v", err)
	}
	if d := time.Since(began); d > 20*time.Second {
		t.Errorf("refused after %v", d)
	}
}

func TestInterrupted(t *testing.T) {
	s := explored(t, five())
	limit, err := s.Limit(ctx, 1.7)
	if err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]func(context.Context) error{
		"capacity":    func(ctx context.Context) error { _, _, err := s.Capacity(ctx, nil); return err },
		"fixed point": func(ctx context.Context) error { _, err := s.Limit(ctx, 1e-4); return err },
		"eigenvalue":  func(ctx context.Context) error { _, err := s.Perron(ctx, 1); return err },
		"levels":      func(ctx context.Context) error { _, err := s.NewOpen(ctx, limit, nil); return err },
		"states":      func(ctx context.Context) error { _, err := Explore(ctx, five()); return err },
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
