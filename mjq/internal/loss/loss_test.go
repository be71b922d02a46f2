package loss

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// systems are those of the reference values, by the middle of their names.
var systems = map[string]System{
	"erlangB":        plain(10, of(1, 7)),
	"erlangB_scaled": plain(33, of(3, 8)),
	"two":            plain(12, of(1, 4), of(4, 1.2)),
	"five":           plain(20, of(1, 2.4), of(2, 1.2), of(4, 0.5), of(5, 0.4), of(10, 0.24)),
	"wide":           plain(64, of(1, 20), of(8, 3), of(64, 0.02)),
	"big":            plain(10000, of(1, 2000), of(64, 45), of(512, 6)),
	"types": {Units: []int{16, 4}, Classes: []Class{{Needs: []int{1, 0}, Load: 5}, {Needs: []int{2, 1}, Load: 1.2},
		{Needs: []int{8, 2}, Load: 0.6}}},
	"batch": plain(10, Class{Needs: []int{1}, Load: 1.5, Batch: &Batch{Ratio: 0.4}}, Class{Needs: []int{3}, Load: 0.4 / 0.7, Batch: &Batch{Ratio: 0.4}}),
}

func of(need int, load float64) Class { return Class{Needs: []int{need}, Load: load} }

func plain(servers int, classes ...Class) System {
	return System{Units: []int{servers}, Classes: classes}
}

func solved(t testing.TB, s System) (*Law, *Measures) {
	t.Helper()
	l, err := s.Solve()
	if err != nil {
		t.Fatal(err)
	}
	m, err := l.Measures()
	if err != nil {
		t.Fatal(err)
	}
	return l, m
}

// TestValues: the recursion gives what other programs found.
func TestValues(t *testing.T) {
	for name, s := range systems {
		l, m := solved(t, s)
		for k, b := range m.Blocked {
			oracle.Near(t, fmt.Sprintf("loss-%s-B%d", name, k), b)
		}
		if name != "types" && name != "batch" {
			oracle.Near(t, "loss-"+name+"-busy", l.BusyUnits(0))
		}
	}
}

// TestUsers: a class of users sends jobs by the state, so that jobs and time differ.
func TestUsers(t *testing.T) {
	l, m := solved(t, plain(8, Class{Needs: []int{1}, Load: 0.4, Users: 12}, Class{Needs: []int{4}, Load: 1.25 * 0.3, Users: 3}))
	if busy := m.Jobs[0] + 4*m.Jobs[1]; math.Abs(busy-l.BusyUnits(0)) > 1e-12 {
		t.Errorf("%v servers are busy, and %v by the jobs in service", l.BusyUnits(0), busy)
	}
	for k := range m.Blocked {
		oracle.Near(t, fmt.Sprintf("loss-users-call%d", k), m.Blocked[k])
		oracle.Near(t, fmt.Sprintf("loss-users-time%d", k), m.BlockedTime[k])
	}
}

// TestManyUsers: very many users, each of whom sends very seldom, are a Poisson class.
func TestManyUsers(t *testing.T) {
	_, m := solved(t, plain(12, Class{Needs: []int{1}, Load: 4e-6, Users: 1_000_000}, of(4, 1.2)))
	_, want := solved(t, systems["two"])
	for k, b := range want.Blocked {
		if math.Abs(m.Blocked[k]-b) > 1e-5 {
			t.Errorf("class %d: %v of users, %v of a Poisson class", k, m.Blocked[k], b)
		}
	}
}

// TestErlangB is the textbook's recursion.
func TestErlangB(t *testing.T) {
	for _, load := range []float64{0.01, 3, 50, 400} {
		b := 1.0
		for s := 1; s <= 60; s++ {
			b = load * b / (float64(s) + load*b)
			if _, m := solved(t, plain(s, of(1, load))); math.Abs(m.Blocked[0]-b) > 1e-13*b {
				t.Fatalf("%d servers, load %v: %v, want %v", s, load, m.Blocked[0], b)
			}
		}
	}
}

// TestProductForm sums the product form over all states.
func TestProductForm(t *testing.T) {
	loads, needs := []float64{3, 1.1, 0.4}, []int{1, 3, 7}
	const servers = 23
	total, blocked := 0.0, make([]float64, 3)
	for i := 0; i <= servers; i++ {
		for j := 0; i+3*j <= servers; j++ {
			for k := 0; i+3*j+7*k <= servers; k++ {
				p := term(loads[0], i) * term(loads[1], j) * term(loads[2], k)
				total += p
				for c, need := range needs {
					if i+3*j+7*k+need > servers {
						blocked[c] += p
					}
				}
			}
		}
	}
	_, m := solved(t, plain(servers, of(1, 3), of(3, 1.1), of(7, 0.4)))
	for c, b := range blocked {
		if math.Abs(m.Blocked[c]-b/total) > 1e-13 {
			t.Errorf("class %d: %v, want %v", c, m.Blocked[c], b/total)
		}
	}
}

func term(a float64, n int) float64 {
	x, _ := math.Lgamma(float64(n + 1))
	return math.Exp(float64(n)*math.Log(a) - x)
}

// TestManyServers: M/G/∞ when servers do not run out, and no overflow on the way.
func TestManyServers(t *testing.T) {
	l, m := solved(t, plain(1_000_000, of(1, 400_000), of(1000, 100)))
	if m.Blocked[0] > 1e-30 || math.Abs(l.BusyUnits(0)-500_000) > 1e-5 {
		t.Errorf("blocked %v, busy %v", m.Blocked, l.BusyUnits(0))
	}
	variance := 0.0
	for j, p := range l.Busy {
		d := float64(j) - 500_000
		variance += d * d * p
	}
	if want := 400_000 + 1e6*100.; math.Abs(variance-want) > 1e-6*want {
		t.Errorf("variance %v, want %v", variance, want)
	}
}

// TestPrices: Kelly's derivatives are the values of another program, and differences of
// rewards.
func TestPrices(t *testing.T) {
	classes, worths, means := systems["two"].Classes, []float64{1, 4}, []float64{1, 1.5}
	p := PricesFor(12, classes, worths, means)
	for k, v := range p.Job {
		oracle.Near(t, fmt.Sprintf("loss-two-price%d", k), v)
	}
	const d = 1e-5
	for k := range classes {
		up, down := slices.Clone(classes), slices.Clone(classes)
		up[k].Load += d * means[k]
		down[k].Load -= d * means[k]
		want := (PricesFor(12, up, worths, means).Reward - PricesFor(12, down, worths, means).Reward) / (2 * d)
		if math.Abs(p.Job[k]-want) > 1e-8 {
			t.Errorf("price %d: %v, by difference %v", k, p.Job[k], want)
		}
	}
	if more := PricesFor(13, classes, worths, means); math.Abs(p.Server-(more.Reward-p.Reward)) > 1e-12 {
		t.Errorf("a server is worth %v, by difference %v", p.Server, more.Reward-p.Reward)
	}
}

// TestSlope: the derivatives of what is carried are differences.
func TestSlope(t *testing.T) {
	const d = 1e-5
	at := func(k, j int, by float64) float64 {
		s := systems["five"]
		s.Classes = slices.Clone(s.Classes)
		s.Classes[j].Load += by
		_, m := solved(t, s)
		return 1 - m.Blocked[k]
	}
	l, _ := solved(t, systems["five"])
	for k := range 5 {
		for j := range 5 {
			if got, want := l.Slope(k, j), (at(k, j, d)-at(k, j, -d))/(2*d); math.Abs(got-want) > 1e-9 {
				t.Errorf("class %d by the load of %d: %v, by difference %v", k, j, got, want)
			}
		}
	}
}

// TestFewest: the pass finds what solving each number of servers finds, beyond the point at
// which numbers have to be scaled down, too.
func TestFewest(t *testing.T) {
	for _, scale := range []float64{1, 300} {
		classes := []Class{of(1, 4*scale), of(4, 1.2*scale), of(11, 0.2*scale)}
		for _, may := range []float64{0.2, 0.01, 1e-6} {
			got, found := Fewest(classes, []Goal{{[]float64{0, 1, 0}, may}, {[]float64{0, 0, 1}, may}}, 11, 1<<20)
			if !found {
				t.Fatal("none found")
			}
			for s, want := range map[int]bool{got - 1: false, got: true} {
				_, m := solved(t, plain(s, classes...))
				if ok := m.Blocked[1] <= may && m.Blocked[2] <= may; ok != want {
					t.Errorf("scale %v, goal %v: %d servers found, %d turn away %v", scale, may, got, s, m.Blocked)
				}
			}
		}
	}
}

// TestListedBatches: a geometric law listed is the geometric law.
func TestListedBatches(t *testing.T) {
	var sizes []float64
	for p := 0.6; p > 1e-18; p *= 0.4 {
		sizes = append(sizes, p)
	}
	b := &Batch{Sizes: sizes}
	_, m := solved(t, plain(10, Class{Needs: []int{1}, Load: 1.5, Batch: b}, Class{Needs: []int{3}, Load: 0.4 / 0.7, Batch: b}))
	for k := range m.Blocked {
		oracle.Near(t, fmt.Sprintf("loss-batch-B%d", k), m.Blocked[k])
	}
}

func BenchmarkRecursion(b *testing.B) {
	s := plain(1_000_000, of(1, 400_000), of(8, 30_000), of(64, 3000), of(512, 100), of(5000, 20))
	for b.Loop() {
		if _, err := s.Solve(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFewest(b *testing.B) {
	classes := []Class{of(1, 40_000), of(8, 3000), of(64, 300), of(512, 10)}
	for b.Loop() {
		if s, ok := Fewest(classes, []Goal{{[]float64{0, 0, 0, 1}, 0.01}}, 512, 1<<24); !ok || s < 50_000 {
			b.Fatal(s)
		}
	}
}

// TestReserved: without reservation the approximation is exact; the decision process is at
// least as good as any reservation, and the fluid bound at least as good as that.
func TestReserved(t *testing.T) {
	r := &Reserved{Servers: 12, Classes: systems["two"].Classes, Means: []float64{1, 1.5}, Worths: []float64{1, 30}}
	none, blocked := r.Approximate([]int{0, 0})
	_, m := solved(t, systems["two"])
	for k, b := range m.Blocked {
		if math.Abs(b-blocked[k]) > 1e-13 {
			t.Errorf("class %d: %v approximately, exactly %v", k, blocked[k], b)
		}
	}
	keep, best, err := r.Best(t.Context(), make([]int, 2), func(keep []int) (float64, error) {
		v, _ := r.Approximate(keep)
		return v, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	low, high, err := r.Optimum(t.Context(), 1e-9)
	if err != nil {
		t.Fatal(err)
	}
	if !(best > none) || keep[0] == 0 || keep[1] != 0 {
		t.Errorf("keep %v with reward %v, without %v", keep, best, none)
	}
	if !(low > none && low > 0.99*best && high < r.Fluid()) {
		t.Errorf("optimum from %v to %v, reserved %v, without %v, fluid %v", low, high, best, none, r.Fluid())
	}
	// One class, one rule: all are let in, and the optimum is what Erlang's formula carries.
	one := &Reserved{Servers: 5, Classes: []Class{of(1, 4)}, Means: []float64{2}, Worths: []float64{3}}
	want, _ := one.Approximate([]int{0})
	if low, high, _ := one.Optimum(t.Context(), 1e-10); math.Abs(low-want) > 1e-8 || math.Abs(high-want) > 1e-8 {
		t.Errorf("optimum from %v to %v, want %v", low, high, want)
	}
}
