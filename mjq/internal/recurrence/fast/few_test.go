package fast

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/recurrence"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// TestTakeIsStep holds blocks of jobs against single steps, bit by bit, with
// few groups and many, with ties, with needs of all servers, and back again.
func TestTakeIsStep(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		servers := 1 + rng.IntN(1<<(seed%8))
		one, all, noted, plain := NewRuns(servers), NewRuns(servers), NewRuns(servers), recurrence.NewRuns(servers)
		one.many = 3 + int(seed%26)
		all.many, noted.many = one.many, one.many
		waits, want := make([]float64, 100), make([]float64, 100)
		jobs := make([]stream.Job, 100)
		for block := range 40 {
			load := rng.Float64() * float64(servers)
			for i := range jobs {
				j := &jobs[i]
				j.Need = 1 + rng.Int32N(int32(servers))>>rng.IntN(6)
				j.Gap, j.Service = rng.ExpFloat64(), load*rng.ExpFloat64()
				if seed%3 == 0 { // ties, and services of no length
					j.Gap, j.Service = float64(rng.IntN(2)), float64(rng.IntN(1+int(load)))
				}
			}
			now, wastes := 0.0, 0.0
			for i, j := range jobs {
				one.Step(now, j.Need, j.Service)
				start, waste := plain.Step(now, j.Need, j.Service)
				wastes += waste
				want[i] = start - now
				now += j.Gap
			}
			if after, sum := noted.Note(0, jobs, waits); after != now || sum != wastes || !slices.Equal(waits, want) {
				t.Fatalf("seed %d, block %d, %d servers: waits %v, waste %v; by plain steps %v, %v", seed, block, servers, waits, sum, want, wastes)
			}
			noted.Shift(now)
			plain.Shift(now)
			if got := all.Take(all.Take(0, jobs[:block]), jobs[block:]); got != now {
				t.Fatalf("seed %d: the next job arrives at %v, by steps at %v", seed, got, now)
			}
			one.Shift(now)
			all.Shift(now)
			if a, b := one.Work(0), all.Work(0); a != b || one.Top() != all.Top() || one.Front() != all.Front() || one.InService() != all.InService() {
				t.Fatalf("seed %d, block %d, %d servers: work %v, top %v, front %v, %d groups; by steps %v, %v, %v, %d",
					seed, block, servers, b, all.Top(), all.Front(), all.InService(), a, one.Top(), one.Front(), one.InService())
			}
		}
	}
}
