package fast

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/recurrence"
)

// forms are the numbers of groups beyond which the ladder begins: nearly all on it,
// as it is, and never.
var forms = []int{3, manyGroups, math.MaxInt}

func newRuns(servers, many int) *Runs {
	r := NewRuns(servers)
	r.many = many
	return r
}

// input is a random job: needs skewed to small, services exponential with some ties
// and zeros, gaps that leave the system sometimes empty.
func input(rng *rand.Rand, servers, minNeed int) (gap, service float64, need int32) {
	n := minNeed + int(float64(servers-minNeed+1)*math.Pow(rng.Float64(), 3))
	service = rng.ExpFloat64()
	switch rng.IntN(10) {
	case 0:
		service = 0
	case 1:
		service = 1 // ties
	case 2:
		service *= 20
	}
	return rng.ExpFloat64() * (0.2 + 2*float64(rng.IntN(2))), service, int32(min(n, servers))
}

// follow holds every start, top and front against the plain twin to the last bit, and
// wastes and, now and then, the whole vector, sums whose order groups that leave
// together may change, to some digits.
func follow(t *testing.T, rng *rand.Rand, r *Runs, servers, minNeed, jobs int) {
	t.Helper()
	twin, view, plain, now := recurrence.NewRuns(servers), recurrence.View{}, recurrence.View{}, 0.0
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(1+math.Abs(a)+math.Abs(b))*float64(servers) }
	for j := range jobs {
		gap, service, need := input(rng, servers, minNeed)
		start, waste := r.Step(now, need, service)
		want, lost := twin.Step(now, need, service)
		if start != want || !near(waste, lost) || r.Top() != twin.Top() || r.Front() != twin.Front() {
			t.Fatalf("s=%d job %d need %d: start %v waste %v top %v front %v; by the plain recurrence %v, %v, %v, %v",
				servers, j, need, start, waste, r.Top(), r.Front(), want, lost, twin.Top(), twin.Front())
		}
		now += gap
		if j%97 == 0 {
			r.Shift(now)
			twin.Shift(now)
			now = 0
		}
		if j%13 != 0 {
			continue
		}
		r.View(&view, now)
		twin.View(&plain, now)
		for n := int32(1); n <= int32(servers); n++ {
			if view.Wait(n) != plain.Wait(n) || !near(view.Waste(n), plain.Waste(n)) {
				t.Fatalf("s=%d job %d coordinate %d: %v waste %v, by the plain recurrence %v and %v",
					servers, j, n, view.Wait(n), view.Waste(n), plain.Wait(n), plain.Waste(n))
			}
		}
		if view.Max() != plain.Max() || !near(view.Total(), plain.Total()) || !near(r.Work(now), twin.Work(now)) {
			t.Fatalf("s=%d job %d: max %v total %v work %v, by the plain recurrence %v, %v, %v",
				servers, j, view.Max(), view.Total(), r.Work(now), plain.Max(), plain.Total(), twin.Work(now))
		}
	}
}

func TestStepIsThePlainStep(t *testing.T) {
	for _, many := range forms {
		for _, servers := range []int{1, 2, 3, 7, 20, 100, 400} {
			for seed := range uint64(4) {
				rng := rand.New(rand.NewPCG(seed, uint64(servers)))
				minNeed := 1
				if seed > 0 {
					minNeed += rng.IntN(servers)
				}
				follow(t, rng, newRuns(servers, many), servers, minNeed, 2000)
			}
		}
	}
}

func TestPileIsThePlainPile(t *testing.T) {
	for _, many := range forms {
		rng := rand.New(rand.NewPCG(3, 3))
		r, twin := newRuns(120, many), recurrence.NewRuns(120)
		for j := range 3000 {
			_, service, need := input(rng, 120, 1)
			start, _ := r.Pile(need, service)
			if want, _ := twin.Pile(need, service); start != want || r.Top() != twin.Top() {
				t.Fatalf("job %d starts at %v, top %v; in the plain pile at %v, %v", j, start, r.Top(), want, twin.Top())
			}
		}
	}
}

// TestInService counts jobs that all run at once, wherever they are kept.
func TestInService(t *testing.T) {
	for _, many := range forms {
		r := newRuns(100, many)
		for jobs := range 101 {
			if got := r.InService(); got != jobs {
				t.Fatalf("ladder beyond %d groups: %d groups in service of %d", many, got, jobs)
			}
			r.Pile(1, float64(1+jobs*37%101))
		}
	}
}

// TestOccupied holds an occupied system against one in which a job has taken all
// servers.
func TestOccupied(t *testing.T) {
	r, twin := NewRuns(5), NewRuns(5)
	r.Occupy(3)
	twin.Step(0, 5, 3)
	if a, b := r.Work(1), twin.Work(1); a != 10 || b != 10 || r.Top() != 3 {
		t.Errorf("work %v and top %v of an occupied system, %v and %v after such a job, want 10 and 3", a, r.Top(), b, twin.Top())
	}
	if start, _ := r.Step(1, 2, 1); start != 3 {
		t.Errorf("a job starts at %v, want 3", start)
	}
}

func FuzzRuns(f *testing.F) {
	f.Add(uint64(1), uint8(5), uint8(1))
	f.Add(uint64(9), uint8(64), uint8(3))
	f.Fuzz(func(t *testing.T, seed uint64, servers, minNeed uint8) {
		s := max(1, int(servers))
		m := min(s, max(1, int(minNeed)))
		for _, many := range forms {
			follow(t, rand.New(rand.NewPCG(seed, 0)), newRuns(s, many), s, m, 200)
		}
	})
}

// BenchmarkCrossover times the plain recurrence, the ladder, and the switch between
// them, at a fixed number of groups in service; it is what manyGroups was read from.
func BenchmarkCrossover(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	var service [4096]float64
	for i := range service {
		service[i] = rng.ExpFloat64()
	}
	for _, groups := range []int{4, 8, 16, 32, 64, 128, 256} {
		b.Run(fmt.Sprintf("groups=%d/sorted", groups), func(b *testing.B) {
			r := recurrence.NewRuns(groups)
			for i := 0; i < b.N; i++ {
				r.Pile(1, service[i&4095])
			}
		})
		for i, many := range forms[:2] {
			b.Run(fmt.Sprintf("groups=%d/%s", groups, [...]string{"ladder", "both"}[i]), func(b *testing.B) {
				r := newRuns(groups, many)
				for i := 0; i < b.N; i++ {
					r.Pile(1, service[i&4095])
				}
			})
		}
	}
}
