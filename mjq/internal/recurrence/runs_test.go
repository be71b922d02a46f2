package recurrence

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// input is a random job sequence: needs skewed to small, services exponential
// with some ties and zeros, gaps that leave the system sometimes empty.
func input(rng *rand.Rand, servers, minNeed int) (gap, service float64, need int) {
	need = minNeed + int(float64(servers-minNeed+1)*math.Pow(rng.Float64(), 3))
	need = min(need, servers)
	service = rng.ExpFloat64()
	switch rng.IntN(10) {
	case 0:
		service = 0
	case 1:
		service = 1 // ties
	case 2:
		service *= 20
	}
	gap = rng.ExpFloat64() * (0.2 + 2*float64(rng.IntN(2)))
	return gap, service, need
}

// follow runs both twins on the same input and compares every wait, every
// waste and, now and then, the whole vector.
func follow(t *testing.T, rng *rand.Rand, r *Runs, servers, minNeed, jobs int) {
	t.Helper()
	dense, view, now := NewDense(servers), View{}, 0.0
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)+math.Abs(b)) }
	for j := range jobs {
		gap, service, need := input(rng, servers, minNeed)
		wait, waste := dense.Arrive(need, service)
		start, gotWaste := r.Step(now, int32(need), service)
		if !near(start-now, wait) || !near(gotWaste, waste) || !near(r.Top()-now, slices.Max(dense.W)) {
			t.Fatalf("s=%d job %d need %d: wait %v waste %v top %v, equation (2) says %v, %v and %v",
				servers, j, need, start-now, gotWaste, r.Top()-now, wait, waste, slices.Max(dense.W))
		}
		dense.Pass(gap)
		now += gap
		if j%97 == 0 {
			r.Shift(now)
			now = 0
		}
		if j%13 != 0 {
			continue
		}
		r.View(&view, now)
		sum := 0.0
		for i, w := range dense.W {
			sum += w
			waste := float64(i+1)*w - sum
			if !near(view.Wait(int32(i+1)), w) || !near(view.Waste(int32(i+1)), waste) {
				t.Fatalf("s=%d job %d coordinate %d: %v waste %v, equation (2) says %v and %v",
					servers, j, i+1, view.Wait(int32(i+1)), view.Waste(int32(i+1)), w, waste)
			}
		}
		if !near(view.Max(), dense.W[servers-1]) || !near(view.Total(), sum) {
			t.Fatalf("s=%d job %d: max %v total %v, equation (2) says %v and %v", servers, j, view.Max(), view.Total(), dense.W[servers-1], sum)
		}
	}
}

func TestRunsFollowTheRecurrence(t *testing.T) {
	for _, servers := range []int{1, 2, 3, 7, 20, 100} {
		for seed := range uint64(4) {
			rng := rand.New(rand.NewPCG(seed, uint64(servers)))
			minNeed := 1 + rng.IntN(servers)
			if seed == 0 {
				minNeed = 1
			}
			follow(t, rng, NewRuns(servers), servers, minNeed, 2000)
		}
	}
}

// TestTwinCatchesTheMissingLift shows that the comparison above can fail: a
// queue that forgets that no job starts before an earlier one disagrees.
func TestTwinCatchesTheMissingLift(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	dense, r, now := NewDense(3), NewRuns(3), 0.0
	for range 1000 {
		gap, service, need := input(rng, 3, 1)
		wait, _ := dense.Arrive(need, service)
		start, _ := r.Step(now, int32(need), service)
		if math.Abs(start-now-wait) > 1e-9 {
			return
		}
		dense.Pass(gap)
		now += gap
		r.front = 0 // the fault
	}
	t.Error("a queue without the lift of equation (2) passed for the real one")
}

// TestWorkedExample is computed by hand: three servers, six jobs.
func TestWorkedExample(t *testing.T) {
	jobs := []struct {
		need           int32
		service, gap   float64
		wait           float64
		w1, w2, w3     float64 // the vector that the next job meets
		wasteOfTheLast float64
	}{
		{1, 3, 1, 0, 0, 0, 2, 0},
		{2, 2, 0, 0, 2, 2, 2, 0},
		{3, 1, 1, 2, 2, 2, 2, 0},
		{1, 4, 2, 2, 0, 0, 4, 0},
		{2, 1, 1, 0, 0, 0, 3, 0},
		{3, 2, 1, 3, 4, 4, 4, 6},
	}
	r, now, view := NewRuns(3), 0.0, View{}
	for i, j := range jobs {
		start, waste := r.Step(now, j.need, j.service)
		if start-now != j.wait || waste != j.wasteOfTheLast {
			t.Errorf("job %d waits %v wastes %v, want %v and %v", i, start-now, waste, j.wait, j.wasteOfTheLast)
		}
		now += j.gap
		r.View(&view, now)
		if got := [3]float64{view.Wait(1), view.Wait(2), view.Wait(3)}; got != [3]float64{j.w1, j.w2, j.w3} {
			t.Errorf("after job %d the vector is %v, want %v", i, got, [3]float64{j.w1, j.w2, j.w3})
		}
	}
}

func TestPileIsTheRecurrenceWithoutGaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	r, dense := NewRuns(12), NewDense(12)
	for j := range 3000 {
		_, service, need := input(rng, 12, 1)
		wait, waste := dense.Arrive(need, service)
		start, gotWaste := r.Pile(int32(need), service)
		if math.Abs(start-wait) > 1e-9*(1+wait) || math.Abs(waste-gotWaste) > 1e-8*(1+wait) || math.Abs(r.Top()-dense.W[11]) > 1e-9*(1+wait) {
			t.Fatalf("job %d starts at %v wastes %v, top %v; equation (7) says %v, %v, %v", j, start, gotWaste, r.Top(), wait, waste, dense.W[11])
		}
	}
}

// TestInService counts jobs that all run at once.
func TestInService(t *testing.T) {
	r := NewRuns(100)
	for jobs := range 101 {
		if got := r.InService(); got != jobs {
			t.Fatalf("%d groups in service of %d", got, jobs)
		}
		r.Pile(1, float64(1+jobs*37%101))
	}
}

func FuzzRuns(f *testing.F) {
	f.Add(uint64(1), uint8(5), uint8(1))
	f.Add(uint64(9), uint8(64), uint8(3))
	f.Fuzz(func(t *testing.T, seed uint64, servers, minNeed uint8) {
		s := max(1, int(servers))
		m := min(s, max(1, int(minNeed)))
		rng := rand.New(rand.NewPCG(seed, 0))
		follow(t, rng, NewRuns(s), s, m, 200)
	})
}
