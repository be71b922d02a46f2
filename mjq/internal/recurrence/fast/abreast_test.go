package fast

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/mjqueue/mjq/internal/lanes"
	"github.com/mjqueue/mjq/mjq/internal/recurrence"
	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// TestLayout: package lanes reads jobs as they lie.
func TestLayout(t *testing.T) {
	var j stream.Job
	if unsafe.Sizeof(j) != 24 || unsafe.Offsetof(j.Gap) != 0 || unsafe.Offsetof(j.Service) != 8 || unsafe.Offsetof(j.Need) != 20 {
		t.Error("package lanes takes a job for something else")
	}
}

// FuzzAbreast holds queues side by side against single ones, with vector units and
// without, to the last bit; against the plain recurrence starts to the last bit, and
// wastes, which it adds up in another order, to some digits.
func FuzzAbreast(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed, uint8(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, size uint8) {
		defer func() { lanes.On = lanes.Has }()
		rng := rand.New(rand.NewPCG(seed, 1))
		servers := 1 + int(size)%lanes.MostServers
		var jobs Jobs
		four, plain := NewAbreast(servers, Side), NewAbreast(servers, Side)
		var alone [Side]*Abreast
		var twins [Side]*recurrence.Runs
		for q := range Side {
			alone[q], twins[q] = NewAbreast(servers, 1), recurrence.NewRuns(servers)
		}
		for block := range 20 {
			load := rng.Float64() * float64(servers)
			n := 1 + rng.IntN(Block)
			for q := range jobs {
				for i := range n {
					j := &jobs[q][i]
					j.Need = 1 + rng.Int32N(int32(servers))>>rng.IntN(6)
					j.Gap, j.Service = rng.ExpFloat64(), load*rng.ExpFloat64()
					if seed%3 == 0 { // ties, and services of no length
						j.Gap, j.Service = float64(rng.IntN(2)), float64(rng.IntN(1+int(load)))
					}
				}
			}
			noting := block%3 != 0
			var waits, again, single Waits
			step := func(a *Abreast, jobs *Jobs, waits *Waits) {
				if noting {
					a.Note(jobs, n, waits)
				} else {
					a.Take(jobs, n)
				}
			}
			lanes.On = lanes.Has
			step(four, &jobs, &waits)
			lanes.On = false
			step(plain, &jobs, &again)
			lanes.On = lanes.Has
			if four.rows != plain.rows || four.state != plain.state || waits != again {
				t.Fatalf("block %d, %d servers: vector units give others than plain Go", block, servers)
			}
			for q := range Side {
				step(alone[q], &Jobs{jobs[q]}, &single)
				if alone[q].rows[0] != four.rows[q] || alone[q].state.Idle[0] != four.state.Idle[q] || noting && single[0] != waits[q] {
					t.Fatalf("block %d, %d servers: queue %d alone is another", block, servers, q)
				}
				now, wastes := 0.0, 0.0
				for i, j := range jobs[q][:n] {
					start, waste := twins[q].Step(now, j.Need, j.Service)
					if wastes += waste; noting && start-now != waits[q][i] {
						t.Fatalf("block %d, %d servers: job %d of queue %d waits %v, by plain steps %v", block, servers, i, q, waits[q][i], start-now)
					}
					now += j.Gap
				}
				if !noting {
					wastes = 0
				}
				twins[q].Shift(now)
				if w := alone[q].Shift()[0]; !(math.Abs(w-wastes) <= 1e-9*(1+wastes)) {
					t.Fatalf("block %d, %d servers: waste %v, by plain steps %v", block, servers, w, wastes)
				}
				if alone[q].Top(0) != twins[q].Top() || alone[q].Front(0) != twins[q].Front() || !(math.Abs(alone[q].Work(0)-twins[q].Work(0)) <= 1e-9*(1+twins[q].Work(0))) {
					t.Fatalf("block %d, %d servers: top %v, front %v, work %v; by plain steps %v, %v, %v", block, servers,
						alone[q].Top(0), alone[q].Front(0), alone[q].Work(0), twins[q].Top(), twins[q].Front(), twins[q].Work(0))
				}
			}
			four.Shift()
			plain.Shift()
		}
	})
}

// BenchmarkAbreast times a job by the number of servers, beside Runs.
func BenchmarkAbreast(b *testing.B) {
	for _, servers := range []int{4, 8, 20, 32, 40, 64} {
		rng := rand.New(rand.NewPCG(1, 1))
		var jobs Jobs
		var waits Waits
		for q := range jobs {
			for i := range jobs[q] {
				need := 1 + rng.Int32N(int32(servers))>>rng.IntN(5)
				jobs[q][i] = stream.Job{Need: need, Service: rng.ExpFloat64(), Gap: rng.ExpFloat64() / 2.2}
			}
		}
		name := func(s string) string { return fmt.Sprintf("%s/s=%d", s, servers) }
		runs := NewRuns(servers)
		b.Run(name("runs"), func(b *testing.B) {
			for i := 0; i < b.N; i += Block {
				after, _ := runs.Note(0, jobs[0][:], waits[0][:])
				runs.Shift(after)
			}
		})
		for _, queues := range []int{1, Side} {
			a := NewAbreast(servers, queues)
			b.Run(name([]string{"alone", "four"}[queues/Side]), func(b *testing.B) {
				for i := 0; i < b.N; i += queues * Block {
					a.Note(&jobs, Block, &waits)
					a.Shift()
				}
			})
			b.Run(name([]string{"alone take", "four take"}[queues/Side]), func(b *testing.B) {
				for i := 0; i < b.N; i += queues * Block {
					a.Take(&jobs, Block)
					a.Shift()
				}
			})
		}
		lanes.On = false
		a := NewAbreast(servers, Side)
		b.Run(name("plain Go"), func(b *testing.B) {
			for i := 0; i < b.N; i += Side * Block {
				a.Note(&jobs, Block, &waits)
				a.Shift()
			}
		})
		lanes.On = lanes.Has
	}
}
